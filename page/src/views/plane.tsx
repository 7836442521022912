// Time plane: every belief about something as a rectangle, true-time across and known-time up. The cross-hair is the two
// hands; where it stands, that was the answer.
import { useMemo } from "preact/hooks";
import { go, usePlace } from "../address";
import { useAnswer } from "../api";
import { micros, now } from "../moment/time";
import { EntityPicker, MemoryPicker } from "../parts/pickers";
import { Head, Thing, Waiting } from "../parts/small";
import { Rectangles } from "../plane/rectangles";
import { holds, type Stand } from "../plane/stand";
import type { Belief, Beliefs } from "../types";
import { day, held, relation } from "../words";

const MOST_PLANES = 12;

export function Plane() {
  const { params } = usePlace();
  const about = params.node || params.rel ? { node: params.node, relation: params.rel } : null;
  const beliefs = useAnswer<Beliefs>("beliefs", about);
  const relations = [...new Set((beliefs.value?.beliefs ?? []).map((one) => one.relation).filter((one) => one !== null))].sort();
  return (
    <>
      <Head title="Time plane" about="What was held to be true, for which time, and when that was what was known." />
      <div class="graph-tools">
        <EntityPicker label="About" start={beliefs.value?.id && !beliefs.value.name.startsWith("“") ? beliefs.value.name : ""} choose={(one) => go({ params: { node: one.id, rel: "" } })} />
        <MemoryPicker label="or a memory" choose={(one) => go({ params: { node: one.id, rel: "" } })} />
        {relations.length > 1 || params.rel ? (
          <label class="choice">
            <span>Relation</span>
            <select value={params.rel ?? ""} onChange={(event) => go({ params: { rel: event.currentTarget.value } })}>
              <option value="">all</option>
              {[...new Set([...relations, ...(params.rel ? [params.rel] : [])])].map((one) => (
                <option key={one} value={one}>
                  {relation(one)}
                </option>
              ))}
            </select>
          </label>
        ) : null}
      </div>
      {about ? (
        <Waiting of={beliefs} nothing={(value) => (value.beliefs.length ? null : "Nothing was ever believed about it.")}>
          {(value) => <Planes of={value} />}
        </Waiting>
      ) : (
        <Begin />
      )}
    </>
  );
}

/** Where to begin: those of whom something was believed that was believed no longer. */
function Begin() {
  const facts = useAnswer<{ subject: string; subject_id: string; relation: string; valid_until: string | null }[]>("facts", { include_closed: true, limit: 2_000 });
  const moved = new Map<string, number>();
  const changed = new Map<string, { name: string; times: number }>();
  for (const one of facts.value ?? []) {
    if (one.valid_until === null) continue;
    moved.set(one.relation, (moved.get(one.relation) ?? 0) + 1);
    const before = changed.get(one.subject_id);
    changed.set(one.subject_id, { name: one.subject, times: (before?.times ?? 0) + 1 });
  }
  const first = [...changed].sort((a, b) => b[1].times - a[1].times).slice(0, 8);
  return (
    <section class="suggestions">
      <h2>{first.length ? "What changed about" : "Choose an entity or a memory."}</h2>
      {first.map(([id, one]) => (
        <button key={id} class="chip" type="button" onClick={() => go({ params: { node: id } })}>
          {one.name}
        </button>
      ))}
      {moved.size > 0 && <h2>What changed in a relation</h2>}
      {[...moved].sort((a, b) => b[1] - a[1]).slice(0, 8).map(([name]) => (
        <button key={name} class="chip" type="button" onClick={() => go({ params: { rel: name } })}>
          {relation(name)}
        </button>
      ))}
    </section>
  );
}

interface Group {
  title: string;
  beliefs: Belief[];
}

/** One plane a subject and relation: what came to be believed otherwise first. */
function grouped(of: Beliefs): Group[] {
  const groups = new Map<string, Group>();
  for (const one of of.beliefs) {
    const outward = of.id === null || one.thing !== "edge" || one.subject === of.name;
    const title = one.relation === null ? "The memory itself" : outward ? `${one.subject} ${relation(one.relation)} …` : `… ${relation(one.relation)} ${one.object}`;
    const group = groups.get(title) ?? { title, beliefs: [] };
    group.beliefs.push(one);
    groups.set(title, group);
  }
  const moved = (group: Group) => group.beliefs.filter((one) => one.known_until !== null || one.valid_until !== null).length;
  return [...groups.values()].sort((a, b) => moved(b) - moved(a));
}

function Planes({ of }: { of: Beliefs }) {
  const { asOf, knownAt } = usePlace();
  const groups = useMemo(() => grouped(of), [of]);
  const stand = { valid: asOf === null ? now() : micros(asOf), known: knownAt === null ? now() : micros(knownAt) };
  return (
    <>
      {of.truncated && <p class="note">There is more than is shown here: choose a relation.</p>}
      <div class="planes">
        {groups.slice(0, MOST_PLANES).map((group) => (
          <section class="plane" key={group.title}>
            <h2>{group.title}</h2>
            <Rectangles
              beliefs={group.beliefs}
              stand={stand}
              title={group.title}
              open={(one) => go({ sel: one.seq === null ? `${one.thing}:${one.id}` : `entry:${one.seq}` })}
              move={(valid, known) => go({ asOf: valid, knownAt: known })}
            />
            <Said group={group} stand={stand} />
          </section>
        ))}
      </div>
    </>
  );
}

/** What the cross-hair stands on, in a sentence, and all beliefs as a list. */
function Said({ group, stand }: { group: Group; stand: Stand }) {
  const there = group.beliefs.filter((one) => holds(one, stand));
  const name = (one: Belief) => one.object ?? one.what;
  return (
    <>
      <p class="plane-said" role="status">
        True on {day(stand.valid / 1000)}, as known on {day(stand.known / 1000)}: <strong>{there.length ? there.map(name).join(", ") : "nothing"}</strong>
      </p>
      <details class="listed">
        <summary>All of them as a list</summary>
        <ol class="plain">
          {group.beliefs.map((one) => (
            <li key={`${one.id}-${one.known_from}`}>
              {one.seq === null ? (
                one.what
              ) : (
                <Thing kind="entry" id={String(one.seq)}>
                  {one.relation ? `${one.subject} ${relation(one.relation)} ${one.object}` : one.what}
                </Thing>
              )}{" "}
              <span class="held">{held(one.valid_from, one.valid_until)}</span>
              <span class="about">
                {" "}
                · believed from {day(one.known_from)} {one.known_until ? `until ${day(one.known_until)}` : "on"}
                {one.actor && ` · by ${one.actor}`}
                {one.rule && ` · rule “${one.rule}”`}
                {one.why && ` · ${one.why}`}
              </span>
            </li>
          ))}
        </ol>
      </details>
    </>
  );
}
