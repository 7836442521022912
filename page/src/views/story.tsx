// Story: a life as a person would tell it, by years and days. Of an entity what happened to it; of a space what happened
// in it.
import { go, link, usePlace } from "../address";
import { useAnswer } from "../api";
import { EntityPicker } from "../parts/pickers";
import { Head, Thing, Waiting } from "../parts/small";
import type { Fact, Page, Timeline } from "../types";
import { day, doubt, relation, year } from "../words";

interface Sentence {
  at: string;
  says: string;
  more: string | null;
  kind: string;
  id: string;
  ends: boolean;
  late: string | null;
}

const LATE_DAYS = 14;

export function Story() {
  const { params } = usePlace();
  return (
    <>
      <Head title="Story" about="What happened, by years and days, in sentences." />
      <div class="graph-tools">
        <Of />
        {params.node && (
          <button type="button" onClick={() => go({ params: { node: "" } })}>
            The whole space
          </button>
        )}
      </div>
      {params.node ? <OfEntity node={params.node} /> : <OfSpace />}
    </>
  );
}

function Of() {
  const { params } = usePlace();
  const entity = useAnswer<{ name: string }>("entity_get", params.node ? { alias: params.node } : null);
  return <EntityPicker label="The story of" hint="the whole space" start={params.node ? (entity.value?.name ?? "") : ""} choose={(one) => go({ params: { node: one.id } })} />;
}

const QUIET = new Set(["entity_added", "edge_attested", "waiting", "read", "used"]);

function OfEntity({ node }: { node: string }) {
  const { knownAt, asOf } = usePlace();
  const timeline = useAnswer<Timeline>("timeline", { node, known_at: knownAt, limit: 2_000 });
  return (
    <Waiting of={timeline} nothing={(value) => (value.events.length ? null : "Nothing is told of it.")}>
      {(value) => (
        <Told
          until={asOf}
          sentences={value.events
            .filter((one) => !QUIET.has(one.type) && one.relation !== "about_entity")
            .map((one) => ({
              at: one.at,
              says: said(one.what, one.type),
              more: one.why ?? (one.rule && one.rule !== "stated" ? `rule “${one.rule}”` : null),
              kind: one.edge_id ? "edge" : "entry",
              id: one.edge_id ?? String(one.seq),
              ends: one.type === "edge_invalidated",
              late: late(one.at, one.recorded_at),
            }))}
        />
      )}
    </Waiting>
  );
}

function OfSpace() {
  const { knownAt, asOf } = usePlace();
  const facts = useAnswer<Fact[]>("facts", { include_closed: true, known_at: knownAt, limit: 1_000 });
  const episodes = useAnswer<Page>("list", { kinds: ["episode"], view: "history", known_at: knownAt, limit: 500 });
  const sentences: Sentence[] = [];
  for (const one of facts.value ?? []) {
    const what = `${one.subject} ${one.relation} ${one.object}`;
    const shared = { kind: "edge", id: one.id, late: one.valid_from && late(one.valid_from, one.recorded_at) };
    if (one.valid_from && one.valid_until !== one.valid_from) sentences.push({ ...shared, at: one.valid_from, says: said(what, "edge_added"), more: doubt(one.confidence), ends: false });
    if (one.valid_until && one.valid_until !== one.valid_from) {
      sentences.push({ ...shared, at: one.valid_until, says: said(what, "edge_invalidated"), more: one.closed_by ? `rule “${one.closed_by}”` : null, ends: true, late: null });
    }
  }
  for (const one of episodes.value?.memories ?? []) {
    sentences.push({ at: one.event_time ?? one.valid_from, says: one.content, more: null, kind: "memory", id: one.id, ends: false, late: late(one.event_time ?? one.valid_from, one.recorded_at) });
  }
  sentences.sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <Waiting of={facts} nothing={() => (sentences.length || episodes.loading ? null : "Nothing has happened in this space yet.")}>
      {() => <Told sentences={sentences} until={asOf} />}
    </Waiting>
  );
}

/** "Nora WORKS_FOR Larkspur" as a sentence; what ended is so no longer. */
function said(what: string, type: string): string {
  const words = /^(.*?) ([A-Z][A-Z0-9_]*|[a-z]+_[a-z_]+|supersedes|contradicts|supports|extends|causes) (.*)$/.exec(what);
  if (!words) return what.charAt(0).toUpperCase() + what.slice(1);
  const [, subject, name, object] = words;
  const verb = relation(name!);
  if (type === "edge_invalidated") return `${subject} no longer ${verb} ${object}`;
  if (type === "forgotten" || type === "restored") return `${subject} ${verb} ${object}: ${type}`;
  return `${subject} ${verb} ${object}`;
}

function late(at: string, learned: string): string | null {
  const days = (Date.parse(learned) - Date.parse(at)) / 86_400_000;
  return days > LATE_DAYS ? learned : null;
}

function Told({ sentences, until }: { sentences: readonly Sentence[]; until: string | null }) {
  const years = new Map<string, Map<string, Sentence[]>>();
  for (const one of sentences) {
    const days = years.get(year(one.at)) ?? new Map<string, Sentence[]>();
    days.set(one.at.slice(0, 10), [...(days.get(one.at.slice(0, 10)) ?? []), one]);
    years.set(year(one.at), days);
  }
  return (
    <div class="story">
      {[...years].map(([name, days]) => (
        <section key={name}>
          <h2>{name}</h2>
          {[...days].map(([date, told]) => (
            <div class={`story-day ${until !== null && date > until.slice(0, 10) ? "story-later" : ""}`} key={date}>
              <a class="story-date" href={link({ asOf: told[0]!.at })} title="Stand at this moment">
                {day(told[0]!.at).replace(/ \d{4}$/, "")}
              </a>
              <ul class="plain">
                {told.map((one, place) => (
                  <li key={place} class={one.ends ? "story-end" : ""}>
                    <Thing kind={one.kind} id={one.id}>
                      {one.says}
                    </Thing>
                    {one.more && <span class="about"> · {one.more}</span>}
                    {one.late && <span class="about"> · learned {day(one.late)}</span>}
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </section>
      ))}
    </div>
  );
}
