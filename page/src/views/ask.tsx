// Ask: what is known about a question, in order, and for each answer why it is one.
import { useEffect, useRef, useState } from "preact/hooks";
import { go, link, usePlace } from "../address";
import { ask, useAnswer } from "../api";
import { say } from "../deeds";
import { Short } from "../panel/memory";
import { Icon } from "../parts/icon";
import { MemoryPicker } from "../parts/pickers";
import { Choice, Empty, Head, Held, State, Thing, Waiting, When } from "../parts/small";
import { SourceQuote } from "../parts/source_quote";
import { Why } from "../parts/why";
import type { Answer, Hit, WhyNot } from "../types";
import { useMay } from "../who";
import { count, share } from "../words";

const KINDS = ["", "semantic", "episode", "viewpoint"];
const LOOKS: [string, string][] = [
  ["auto", "as the question asks"],
  ["current", "only what holds"],
  ["history", "what held before too"],
];

export function Ask() {
  const { params, asOf, knownAt, sel } = usePlace();
  const [typed, setTyped] = useState(params.q ?? "");
  const question = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (!params.q && !sel) question.current?.focus({ preventScroll: true });
  }, []);
  const wish = wishes(params, asOf, knownAt);
  const answer = useAnswer<Answer>("recall", params.q ? { ...wish, explain: true } : null);
  return (
    <>
      <Head title="Ask" about="What is known about a question, and why." />
      <form
        class="asking"
        role="search"
        onSubmit={(event) => {
          event.preventDefault();
          go({ params: { q: typed.trim(), whynot: "" } });
        }}
      >
        <input ref={question} type="search" aria-label="Your question" placeholder="Who, what, where, since when?" value={typed} onInput={(event) => setTyped(event.currentTarget.value)} />
        <button class="first" type="submit">
          Ask
        </button>
      </form>
      <Filters />
      {params.q && (
        <Waiting of={answer}>
          {(value) => (
            <>
              <Summary answer={value} wish={wish} />
              <ol class="hits">
                {value.hits.map((hit, place) => (
                  <HitCard key={hit.memory.id} hit={hit} place={place + 1} moved={moved(value.hits, place)} />
                ))}
              </ol>
              <Expected wish={wish} />
            </>
          )}
        </Waiting>
      )}
      {!params.q && <Suggestions choose={(q) => (setTyped(q), go({ params: { q } }))} />}
    </>
  );
}

function wishes(params: Readonly<Record<string, string>>, asOf: string | null, knownAt: string | null) {
  return {
    query: params.q,
    limit: Number(params.limit || 10),
    view: params.look || "auto",
    kinds: params.kind ? [params.kind] : undefined,
    tags: params.tag ? [params.tag] : undefined,
    speaker: params.speaker,
    session: params.session,
    as_of: asOf,
    known_at: knownAt,
  };
}

function Filters() {
  const { params } = usePlace();
  const set = (name: string) => (value: string) => go({ params: { [name]: value } });
  const used = ["look", "kind", "speaker", "session", "tag", "limit"].filter((one) => params[one]).length;
  return (
    <details class="filters" open={used > 0}>
      <summary>Narrow it down{used > 0 && ` (${used})`}</summary>
      <div class="fields">
        <Choice label="Look at" value={params.look ?? "auto"} among={LOOKS} onChange={set("look")} />
        <Choice label="Kind" value={params.kind ?? ""} among={KINDS} onChange={set("kind")} />
        {["speaker", "session", "tag"].map((name) => (
          <label class="choice" key={name}>
            <span>{name === "tag" ? "Tag" : name === "session" ? "Conversation" : "Said by"}</span>
            <input value={params[name] ?? ""} placeholder="any" onChange={(event) => set(name)(event.currentTarget.value.trim())} />
          </label>
        ))}
        <Choice label="At most" value={params.limit ?? "10"} among={["5", "10", "20", "50"].map((one) => [one, one])} onChange={set("limit")} />
      </div>
    </details>
  );
}

function Summary({ answer, wish }: { answer: Answer; wish: Record<string, unknown> }) {
  const took = Object.values(answer.milliseconds).reduce((all, one) => Math.max(all, one), 0);
  return (
    <div class="summary">
      <p role="status">
        {answer.hits.length ? count(answer.hits.length, "answer") : "Nothing known has enough to do with this."}
        {answer.windows.length > 0 && <> · about {answer.windows.map((one) => one.text).join(", ")}</>}
        {answer.in_doubt && " · in doubt: only the first few are shown"}
        {answer.view === "history" && " · also what no longer holds"}
        {took > 0 && <span class="about"> · {Math.round(took)} ms</span>}
      </p>
      {answer.hits.some((_, place) => moved(answer.hits, place)) && (
        <p class="about order-said">The best answer is first. A match says how much of the question is in it; where a better match stands lower, it says why.</p>
      )}
      {answer.trouble && <p class="trouble">{answer.trouble}</p>}
      {answer.hits.length > 0 && <CopyContext wish={wish} />}
    </div>
  );
}

function CopyContext({ wish }: { wish: Record<string, unknown> }) {
  const [text, setText] = useState<string | null>(null);
  async function copy() {
    const { limit: _, ...rest } = wish;
    const context = await ask<{ text: string; tokens: number }>("context", rest);
    setText(context.text);
    try {
      await navigator.clipboard.writeText(context.text);
      say(`Copied, about ${context.tokens} tokens`);
    } catch {
      say("It could not be put on the clipboard; copy it from the page");
    }
  }
  return (
    <div class="context">
      <button type="button" onClick={() => void copy()}>
        <Icon name="copy" /> Copy as context
      </button>
      {text !== null && (
        <pre tabIndex={0} aria-label="The context">
          {text}
        </pre>
      )}
    </div>
  );
}

/** Why something stands below what matches less; nothing where the order is that of the matches. */
function moved(hits: readonly Hit[], place: number): string | null {
  const hit = hits[place]!;
  if (!hits.slice(0, place).some((one) => share(one.score) !== share(hit.score) && one.score < hit.score)) return null;
  if (hit.outdated_by !== null || (hit.memory.state !== "active" && hit.memory.state !== "promoted")) return "it no longer holds, and what holds goes first";
  if (hit.review) return "it fades, and was put here to be seen again";
  const costs = hit.explanation?.modifiers ?? {};
  if (costs.spread) return "others of its conversation stand above it already, and other conversations are to be heard";
  if (costs.likeness) return "something much like it stands above it already";
  return "what stands above answers the question more directly";
}

function HitCard({ hit, place, moved }: { hit: Hit; place: number; moved: string | null }) {
  const [open, setOpen] = useState(false);
  const may = useMay();
  const { memory } = hit;
  return (
    <li class="hit">
      <div class="hit-rank" aria-hidden="true">
        {place}
      </div>
      <div class="hit-body">
        <p class="said">
          <Thing kind="memory" id={memory.id}>
            {memory.content}
          </Thing>
        </p>
        <p class="hit-facts">
          {memory.state !== "active" && <State state={memory.state} />} <Held from={memory.valid_from} until={memory.valid_until} />
          <span class="about">
            {" "}
            · learned <When at={memory.recorded_at} />
            {memory.observed_by && ` from ${memory.observed_by}`} · {hit.why}
          </span>
        </p>
        {moved && <p class="hit-more hit-moved">Matches better than some above it, but {moved}.</p>}
        {hit.supersedes.length > 0 && (
          <p class="hit-more">
            took the place of{" "}
            {hit.supersedes.map((id, place) => (
              <span key={id}>
                {place > 0 && ", "}
                <Short id={id} />
              </span>
            ))}
          </p>
        )}
        {hit.outdates.map((one) => (
          <p class="hit-more" key={one.memory_id}>
            in place of <Thing kind="memory" id={one.memory_id}>{one.content}</Thing> <span class="about">{one.why}</span>
          </p>
        ))}
        {hit.conflicts.map((one) => (
          <p class="hit-more hit-conflict" key={one.memory_id}>
            against <Thing kind="memory" id={one.memory_id}>{one.content}</Thing> <span class="about">{one.why}</span>
          </p>
        ))}
        <button class="quiet why-button" type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? "Less" : "Why, and where it was said"}
        </button>
        {place > 1 && (
          <a class="quiet-link" href={link({ params: { whynot: memory.id } })}>
            Why not further up?
          </a>
        )}
        {may.write && memory.state === "active" && (
          <button class="quiet wrong" type="button" onClick={() => go({ sel: `memory:${memory.id}`, params: { mend: memory.id } })}>
            This is wrong
          </button>
        )}
        {open && (
          <div class="why">
            {hit.sources.map((one) => (
              <SourceQuote key={one.id} id={one.id} span={one.span} />
            ))}
            {hit.explanation && <Why explanation={hit.explanation} />}
          </div>
        )}
      </div>
      <div class="hit-score">
        <span class="bar-track" aria-hidden="true">
          <span class="bar-fill" style={{ width: `${hit.score * 100}%` }} />
        </span>
        {share(hit.score)} match
      </div>
    </li>
  );
}

function Expected({ wish }: { wish: Record<string, unknown> }) {
  const { params } = usePlace();
  const asked = params.whynot ? { ...wish, id: params.whynot } : null;
  const why = useAnswer<WhyNot>("why_not", asked);
  const box = useRef<HTMLElement>(null);
  useEffect(() => {
    if (why.value !== null) box.current?.scrollIntoView({ block: "nearest" });
  }, [why.value]);
  return (
    <section class="expected" ref={box}>
      <h2>Something is missing?</h2>
      <MemoryPicker label="Why not this one" hint="words of the memory you expected" choose={(one) => go({ params: { whynot: one.id } })} />
      {params.whynot && (
        <Waiting of={why}>
          {(told) => (
            <div class="why-not">
              <p>
                <Short id={params.whynot!} />
              </p>
              <ul>
                {told.found && <li>It is among the answers{told.rank !== null && `; by its match alone it is number ${told.rank}`}.</li>}
                {told.reasons.map((one) => (
                  <li key={one}>{one}</li>
                ))}
              </ul>
              {told.score !== null && told.needed !== null && (
                <p class="about">
                  It matches by {share(told.score)}; the last of the answers by {share(told.needed)}.
                  {!told.found && told.rank !== null && ` By its match alone it is number ${told.rank}.`}
                </p>
              )}
            </div>
          )}
        </Waiting>
      )}
    </section>
  );
}

/** What might be asked, from what is there. */
function Suggestions({ choose }: { choose(q: string): void }) {
  const { asOf, knownAt } = usePlace();
  const facts = useAnswer<{ subject: string; relation: string; valid_from: string }[]>("facts", { as_of: asOf, known_at: knownAt, limit: 40 });
  const asked = new Map<string, string>();
  for (const one of facts.value ?? []) {
    const question = QUESTIONS[one.relation]?.(one.subject);
    if (question && asked.size < 4 && !asked.has(one.relation)) asked.set(one.relation, question);
  }
  const listed = useAnswer<{ memories: unknown[] }>("list", { as_of: asOf, known_at: knownAt, limit: 1 });
  if (facts.value && !facts.value.length && listed.value && !listed.value.memories.length) return <Empty />;
  return asked.size ? (
    <section class="suggestions">
      <h2>For example</h2>
      {[...asked.values()].map((one) => (
        <button key={one} type="button" class="chip" onClick={() => choose(one)}>
          {one}
        </button>
      ))}
    </section>
  ) : null;
}

const QUESTIONS: Record<string, (who: string) => string> = {
  LIVES_IN: (who) => `Where does ${who} live?`,
  WORKS_FOR: (who) => `Where does ${who} work?`,
  KNOWS: (who) => `Whom does ${who} know?`,
  USES: (who) => `What does ${who} use?`,
  WORKS_ON: (who) => `What is ${who} working on?`,
};
