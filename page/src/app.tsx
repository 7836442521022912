// The page as a whole: who is here, which space, the moment above all, the views, and what is opened beside them.
import { useEffect, useRef, useState } from "preact/hooks";
import { go, link, usePlace } from "./address";
import { askStore, hasKey, onKeyWanted, Refused, tellChanged, useKey, whoami } from "./api";
import { Deeds } from "./deeds";
import { useLive } from "./live";
import { MomentBar } from "./moment/bar";
import { KeyAsked } from "./parts/key_asked";
import { Icon } from "./parts/icon";
import { Panel } from "./panel/panel";
import type { Me, SpaceInfo } from "./types";
import { Ask } from "./views/ask";
import { Graph } from "./views/graph";
import { Health } from "./views/health";
import { Journal } from "./views/journal";
import { Memories } from "./views/memories";
import { Plane } from "./views/plane";
import { Review } from "./views/review";
import { Settings } from "./views/settings";
import { Story } from "./views/story";
import { Tell } from "./views/tell";
import { Who } from "./who";

const VIEWS = {
  ask: { title: "Ask", shows: Ask },
  graph: { title: "Graph", shows: Graph },
  plane: { title: "Time plane", shows: Plane },
  story: { title: "Story", shows: Story },
  memories: { title: "Memories", shows: Memories },
  review: { title: "Review", shows: Review },
  journal: { title: "Journal", shows: Journal },
  health: { title: "Health", shows: Health },
  tell: { title: "Tell", shows: Tell },
  settings: { title: "Settings", shows: Settings },
} as const;
type ViewName = keyof typeof VIEWS;

export function App() {
  const place = usePlace();
  const [me, setMe] = useState<Me | null>(null);
  const [spaces, setSpaces] = useState<SpaceInfo[]>([]);
  const [keyWanted, setKeyWanted] = useState<string | null>(null);
  const [trouble, setTrouble] = useState<string | null>(null);
  useLive(me !== null);

  async function open() {
    const listing = askStore<SpaceInfo[]>("spaces");
    listing.catch(() => {}); // who may not come in is told so below
    try {
      const known = await whoami<Me>();
      tellChanged();
      setKeyWanted(null);
      setTrouble(null);
      if (place.space) setMe(known); // where it is known what to look at, nobody waits for what else there is
      const listed = await listing;
      setMe(known);
      setSpaces(listed);
      const fits = listed.some((one) => one.name === place.space);
      if (!place.space || (!fits && !known.by_key && listed.length && place.space === "default")) {
        const latest = [...listed].sort((a, b) => (a.changed_at < b.changed_at ? 1 : -1))[0];
        go({ space: latest?.name ?? known.spaces.find((one) => !one.includes("*")) ?? "default" }, true);
      }
    } catch (error) {
      if ((error as Refused).status !== 401) setTrouble((error as Error).message);
    }
  }

  useEffect(() => {
    onKeyWanted((why) => setKeyWanted(hasKey() ? why : "This server asks for a key."));
    void open();
  }, []);

  const view = (place.view in VIEWS ? place.view : "ask") as ViewName;
  useEffect(() => {
    document.title = `${VIEWS[view].title} · ${place.space || "Treering"}`;
  }, [view, place.space]);

  if (keyWanted !== null || me === null) {
    if (keyWanted === null) return <p class="starting">{trouble ?? "Opening …"}</p>;
    return (
      <KeyAsked
        why={keyWanted}
        give={(written, keep) => {
          useKey(written, keep);
          void open();
        }}
      />
    );
  }
  const Shown = VIEWS[view].shows;
  return (
    <Who.Provider value={me}>
      <a class="skip" href="#main" onClick={(event) => (event.preventDefault(), document.getElementById("main")?.focus())}>
        Skip to what is shown
      </a>
      <div class={`shell ${place.sel ? "shell-open" : ""}`}>
        <Rail view={view} me={me} spaces={spaces} leave={() => (useKey(null, false), location.reload())} />
        <div class="stage">
          <MomentBar />
          <main id="main" tabIndex={-1} class={`view view-${view}`} key={place.space}>
            {place.view !== view && <p class="note">There is no view called “{place.view}”; this is {VIEWS[view].title}.</p>}
            <Shown />
          </main>
        </div>
        {place.sel && <Panel sel={place.sel} />}
      </div>
      <Deeds />
    </Who.Provider>
  );
}

function Rail({ view, me, spaces, leave }: { view: ViewName; me: Me; spaces: SpaceInfo[]; leave(): void }) {
  const place = usePlace();
  const views = useRef<HTMLElement>(null);
  useEffect(() => views.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "nearest" }), [view]);
  const listed = spaces.some((one) => one.name === place.space) || !place.space ? spaces : [{ name: place.space }, ...spaces];
  return (
    <header class="rail">
      <a class="brand" href={link({ view: "ask", params: {} })}>
        <img src="/page/icon.svg" alt="" width="22" height="22" /> Treering
      </a>
      <label class="space-choice">
        <span>Space</span>
        <select value={place.space} onChange={(event) => go({ space: event.currentTarget.value, sel: null, params: {} })}>
          {listed.map((one) => (
            <option key={one.name} value={one.name}>
              {one.name}
            </option>
          ))}
        </select>
      </label>
      <nav aria-label="Views" ref={views}>
        {Object.entries(VIEWS).map(([name, one]) => (
          <a key={name} href={link({ view: name })} aria-current={view === name ? "page" : undefined}>
            <Icon name={name} />
            {one.title}
          </a>
        ))}
      </nav>
      <p class="who">
        {me.name} · {me.by_key ? `may ${me.role}` : "this machine"}
        {me.by_key && (
          <button class="quiet" type="button" onClick={leave}>
            Leave
          </button>
        )}
      </p>
    </header>
  );
}
