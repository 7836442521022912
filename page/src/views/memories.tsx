// Memories: the table of them all, by words and facets, page by page, and what can be done about those that are chosen.
import { useEffect, useState } from "preact/hooks";
import { go, usePlace } from "../address";
import { ask, askLater, useAnswer, useVersion } from "../api";
import { done, undoSeq } from "../deeds";
import { forget, restore } from "../panel/memory_deeds";
import { Empty, Head, Held, State, Thing } from "../parts/small";
import type { Facets, Memory, Page, Receipt } from "../types";
import { count, day, spoken } from "../words";
import { useMay } from "../who";

const PAGE = 50;
const FACETS = ["state", "kind", "tier", "tag", "speaker", "session"] as const;
const SHOWN_VALUES = 8;

function wishes(params: Readonly<Record<string, string>>, asOf: string | null, knownAt: string | null) {
  return {
    words: params.words,
    view: params.state ? "all" : params.view || "current",
    states: params.state ? [params.state] : undefined,
    kinds: params.kind ? [params.kind] : undefined,
    tiers: params.tier ? [params.tier] : undefined,
    tags: params.tag ? [params.tag] : undefined,
    speaker: params.speaker,
    session: params.session,
    as_of: asOf,
    known_at: knownAt,
  };
}

export function Memories() {
  const { params, asOf, knownAt } = usePlace();
  const wish = wishes(params, asOf, knownAt);
  const facets = useAnswer<Facets>("facets", { ...wish, limit: 40 }, askLater);
  const [typed, setTyped] = useState(params.words ?? "");
  const chosen = useChosen(JSON.stringify(wish));
  const table = usePages(wish);
  return (
    <>
      <Head title="Memories" about="Everything that is remembered, and what became of it." />
      <form
        class="asking"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          go({ params: { words: typed.trim() } });
        }}
      >
        <input type="search" aria-label="Words that stand in it" placeholder="words that stand in it" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        <button type="submit">Search</button>
      </form>
      <div class="with-facets">
        <FacetList facets={facets.value} />
        <div class="table-side">
          <p class="graph-count" role="status" data-total={facets.value?.memories ?? ""}>
            {facets.value && count(facets.value.memories, "memory", "memories")}
          </p>
          <Chosen ids={chosen.ids} memories={table.memories} clear={chosen.clear} />
          {table.error ? <p class="trouble">{table.error}</p> : <Table table={table} chosen={chosen} />}
        </div>
      </div>
    </>
  );
}

interface Pages {
  memories: Memory[];
  next: string | null;
  error: string | null;
  loading: boolean;
  more(): void;
}

/** Page after page; what was loaded stays, and a change begins anew. */
function usePages(wish: Record<string, unknown>): Pages {
  const seen = useVersion();
  const { space } = usePlace();
  const key = JSON.stringify([space, wish, seen]);
  const [state, setState] = useState<{ key: string; memories: Memory[]; next: string | null; error: string | null; loading: boolean }>({
    key: "",
    memories: [],
    next: null,
    error: null,
    loading: true,
  });
  const load = async (cursor: string | null, before: Memory[]) => {
    try {
      const page = await ask<Page>("list", { ...wish, order: "newest", limit: PAGE, cursor });
      setState({ key, memories: [...before, ...page.memories], next: page.next, error: null, loading: false });
    } catch (error) {
      setState({ key, memories: [], next: null, error: (error as Error).message, loading: false });
    }
  };
  useEffect(() => {
    setState((before) => ({ ...before, loading: true }));
    void load(null, []);
  }, [key]);
  return { ...state, more: () => void load(state.next, state.memories) };
}

function useChosen(reset: string) {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setIds(new Set()), [reset]);
  const toggle = (id: string) => {
    const next = new Set(ids);
    if (!next.delete(id)) next.add(id);
    setIds(next);
  };
  return { ids, toggle, all: (every: string[]) => setIds(new Set(every)), clear: () => setIds(new Set()) };
}

function FacetList({ facets }: { facets: Facets | null }) {
  const { params } = usePlace();
  const any = FACETS.some((one) => params[one]);
  const [open, setOpen] = useState(matchMedia("(min-width: 761px)").matches);
  return (
    <details class="facets" open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Narrow it down</summary>
      <label class="tick">
        <input type="checkbox" checked={params.view === "all"} onChange={(event) => go({ params: { view: event.currentTarget.checked ? "all" : "" } })} /> in whatever
        state
      </label>
      {any && (
        <button class="quiet" type="button" onClick={() => go({ params: Object.fromEntries(FACETS.map((one) => [one, ""])) })}>
          Show all again
        </button>
      )}
      {FACETS.map((name) => {
        const values = Object.entries(facets?.[name] ?? {});
        const chosen = params[name];
        if (!values.length && !chosen) return null;
        return (
          <fieldset key={name}>
            <legend>{name === "session" ? "Conversation" : name === "speaker" ? "Said by" : spoken(name)}</legend>
            {(chosen && !values.some(([value]) => value === chosen) ? [[chosen, 0] as const, ...values] : values).slice(0, SHOWN_VALUES).map(([value, times]) => (
              <button key={value} class="facet" type="button" aria-pressed={chosen === value} onClick={() => go({ params: { [name]: chosen === value ? "" : value } })}>
                <span>{value}</span>
                <span class="about">{times.toLocaleString("en")}</span>
              </button>
            ))}
          </fieldset>
        );
      })}
    </details>
  );
}

function Table({ table, chosen }: { table: Pages; chosen: ReturnType<typeof useChosen> }) {
  const may = useMay();
  const { sel, params } = usePlace();
  if (!table.memories.length) {
    return table.loading ? (
      <p class="waiting" role="status">
        Looking …
      </p>
    ) : (
      Object.values(params).some(Boolean) ? <p class="nothing">No memory is like that.</p> : <Empty />
    );
  }
  const every = table.memories.map((one) => one.id);
  return (
    <>
      <table class="memories">
        <thead>
          <tr>
            {may.write && (
              <th class="narrow">
                <input type="checkbox" aria-label="Choose all that are shown" checked={chosen.ids.size === every.length} onChange={(event) => chosen.all(event.currentTarget.checked ? every : [])} />
              </th>
            )}
            <th>Memory</th>
            <th>Kind</th>
            <th>Tags</th>
            <th>Learned</th>
          </tr>
        </thead>
        <tbody>
          {table.memories.map((one) => (
            <tr key={one.id} class={sel === `memory:${one.id}` ? "row-open" : ""}>
              {may.write && (
                <td class="narrow">
                  <input type="checkbox" aria-label={`Choose ${one.content.slice(0, 60)}`} checked={chosen.ids.has(one.id)} onChange={() => chosen.toggle(one.id)} />
                </td>
              )}
              <td>
                <Thing kind="memory" id={one.id}>
                  {one.content}
                </Thing>{" "}
                {one.state !== "active" && <State state={one.state} />} <Held from={one.valid_from} until={one.valid_until} />
              </td>
              <td>{one.kind}</td>
              <td>{one.tags.join(", ")}</td>
              <td class="nowrap">{day(one.recorded_at)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {table.next && (
        <button type="button" class="more" onClick={table.more}>
          Show more
        </button>
      )}
    </>
  );
}

function Chosen({ ids, memories, clear }: { ids: ReadonlySet<string>; memories: Memory[]; clear(): void }) {
  const may = useMay();
  const [tag, setTag] = useState("");
  const [purging, setPurging] = useState(false);
  const [typed, setTyped] = useState("");
  const chosen = memories.filter((one) => ids.has(one.id));
  if (!chosen.length || !may.write) return null;
  const hidden = chosen.filter((one) => one.state === "forgotten" || one.state === "archived");
  const shown = chosen.filter((one) => !hidden.includes(one));

  async function each(deed: (one: Memory) => Promise<unknown>, which: Memory[]) {
    for (const one of which) await deed(one);
    clear();
  }

  async function tagAll() {
    const added = tag.trim();
    if (!added) return;
    await done<Receipt[]>(
      `${count(shown.length, "memory", "memories")} tagged ${added}`,
      async () => {
        const receipts = [];
        for (const one of shown) {
          const tags = [...new Set([...one.tags, added])];
          receipts.push(await ask<Receipt>("revise", { id: one.id, content: one.content, tags, event_time: one.event_time ?? one.valid_from, why: "tagged on the page" }));
        }
        return receipts;
      },
      (receipts) => undoSeq(receipts.map((one) => one.seq).join(" ") as unknown as number),
    );
    setTag("");
    clear();
  }

  return (
    <div class="chosen" role="group" aria-label="What to do with those that are chosen">
      <strong>{chosen.length} chosen</strong>
      {shown.length > 0 && (
        <button type="button" onClick={() => void each(forget, shown)}>
          Forget
        </button>
      )}
      {hidden.length > 0 && (
        <button type="button" onClick={() => void each(restore, hidden)}>
          Restore
        </button>
      )}
      {chosen.length === 2 && (
        <button
          type="button"
          onClick={() =>
            void done<{ edge: { id: string } }>(
              "Linked",
              () => ask("link", { source: chosen[0]!.id, target: chosen[1]!.id, relation: "related_to", why: "linked on the page" }),
              (result) => () => ask("undo", { what: result.edge.id }),
            ).then(clear)
          }
        >
          Link the two
        </button>
      )}
      <label class="inline">
        <span class="about">Tag</span>
        <input value={tag} onInput={(event) => setTag(event.currentTarget.value)} onKeyDown={(event) => event.key === "Enter" && void tagAll()} />
      </label>
      <button type="button" disabled={!tag.trim()} onClick={() => void tagAll()}>
        Add the tag
      </button>
      {may.admin && (
        <button class="danger" type="button" aria-expanded={purging} onClick={() => setPurging(!purging)}>
          Purge …
        </button>
      )}
      <button class="quiet" type="button" onClick={clear}>
        None
      </button>
      {purging && (
        <form
          class="doing doing-danger"
          onSubmit={(event) => {
            event.preventDefault();
            void done(`${count(chosen.length, "memory", "memories")} purged: not a byte is left`, async () => {
              for (const one of chosen) await ask("purge", { id: one.id, why: "purged on the page" });
            }).then(() => (setPurging(false), setTyped(""), clear()));
          }}
        >
          <p>
            This alone <strong>cannot be undone</strong>. The words go from the journal, every table and the file.
          </p>
          <label>
            <span>
              Type <code>purge {chosen.length}</code> to go on
            </span>
            <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
          </label>
          <button class="danger" type="submit" disabled={typed !== `purge ${chosen.length}`}>
            Purge
          </button>
        </form>
      )}
    </div>
  );
}
