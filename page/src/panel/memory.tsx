// One memory: what it says, when it holds, what it rests on, what happened to it, and what can be done about it.
import { link, usePlace } from "../address";
import { useAnswer } from "../api";
import { FactLine, State, Thing, Waiting, When } from "../parts/small";
import { SourceQuote } from "../parts/source_quote";
import type { Fact, History, HistoryEvent, Memory } from "../types";
import { heldBefore, undoneBy } from "../undoing";
import { day, held, share } from "../words";
import { HistoryLines } from "./history_lines";
import { MemoryDeeds } from "./memory_deeds";

export function MemoryPanel({ id }: { id: string }) {
  const { asOf, knownAt } = usePlace();
  const memory = useAnswer<Memory>("get", { id, as_of: asOf, known_at: knownAt });
  const history = useAnswer<History>("history", { id, known_at: knownAt });
  if (memory.error?.status === 404 && (asOf !== null || knownAt !== null)) {
    return <p class="nothing">At the moment you look at, this was not known yet.</p>;
  }
  return (
    <Waiting of={memory}>
      {(one) => (
        <article class="opened">
          <p class="kicker">
            Memory · {one.kind} <State state={one.state} />
          </p>
          <h2 class="said">{one.content}</h2>
          {history.value && <TakenBack history={history.value} />}
          <dl class="properties">
            <dt>Holds</dt>
            <dd>{held(one.valid_from, one.valid_until)}</dd>
            <dt>Learned</dt>
            <dd>
              <When at={one.recorded_at} />
              {one.observed_by && <> by {one.observed_by}</>}
              {one.said_at.slice(0, 10) !== one.recorded_at.slice(0, 10) && <>, said {day(one.said_at)}</>}
            </dd>
            {one.superseded_by && (
              <>
                <dt>Replaced by</dt>
                <dd>
                  <Short id={one.superseded_by} />
                  <ReplacedBy events={history.value?.events ?? []} />
                </dd>
              </>
            )}
            {history.value && history.value.supersedes.length > 0 && (
              <>
                <dt>Took the place of</dt>
                <dd>
                  {history.value.supersedes.map((other, place) => (
                    <span key={other}>
                      {place > 0 && ", "}
                      <Short id={other} />
                    </span>
                  ))}
                </dd>
              </>
            )}
            <dt>Certain</dt>
            <dd>
              {share(one.confidence)} · importance {share(one.importance)} · {one.tier} tier
            </dd>
            {one.tags.length > 0 && (
              <>
                <dt>Tags</dt>
                <dd class="chips">
                  {one.tags.map((tag) => (
                    <a class="chip" key={tag} href={link({ view: "memories", params: { tag } })}>
                      {tag}
                    </a>
                  ))}
                </dd>
              </>
            )}
          </dl>
          <MemoryDeeds memory={one} history={history.value} />
          <section>
            <h3>Where it was said</h3>
            <SourceQuote id={one.source_id} span={one.span} />
          </section>
          <FactsOf id={one.id} />
          <section>
            <h3>What happened to it</h3>
            <Waiting of={history}>{(told) => <HistoryLines events={told.events} />}</Waiting>
            <p>
              <a href={link({ view: "plane", params: { node: one.id } })}>See it on the time plane</a>
            </p>
          </section>
        </article>
      )}
    </Waiting>
  );
}

/** That it was taken back, and what holds now. */
function TakenBack({ history }: { history: History }) {
  const by = undoneBy(history);
  const before = heldBefore(history);
  if (!by) return null;
  return (
    <p class="note" role="status">
      This was undone on{" "}
      <Thing kind="entry" id={String(by.seq)}>
        {day(by.at)}
      </Thing>{" "}
      by {by.actor} and no longer counts.
      {before && (
        <>
          {" "}
          What holds now: <Short id={before} />
        </>
      )}
    </p>
  );
}

/** When it was replaced, and by whom. */
function ReplacedBy({ events }: { events: readonly HistoryEvent[] }) {
  const replaced = events.filter((one) => one.what.startsWith("was replaced by") && one.undone_by === null).at(-1);
  if (!replaced) return null;
  return (
    <span class="about">
      , on{" "}
      <Thing kind="entry" id={String(replaced.seq)}>
        {day(replaced.at)}
      </Thing>{" "}
      by {replaced.actor}
    </span>
  );
}

/** Another memory by its words. */
export function Short({ id }: { id: string }) {
  const { knownAt } = usePlace();
  const found = useAnswer<Memory>("get", { id, known_at: knownAt });
  return (
    <Thing kind="memory" id={id}>
      {found.value?.content ?? (found.error ? "a memory that cannot be seen" : "…")}
    </Thing>
  );
}

function FactsOf({ id }: { id: string }) {
  const { knownAt } = usePlace();
  const beliefs = useAnswer<{ beliefs: (Fact & { thing: string; known_until: string | null; subject: string })[] }>("beliefs", {
    node: id,
    known_at: knownAt,
  });
  const facts = (beliefs.value?.beliefs ?? []).filter((one) => one.thing === "edge" && one.known_until === null);
  if (!facts.length) return null;
  return (
    <section>
      <h3>What it says</h3>
      <ul class="plain">
        {facts.map((one) => (
          <li key={one.id}>
            <FactLine {...one} />
          </li>
        ))}
      </ul>
    </section>
  );
}
