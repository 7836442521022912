// Review: what waits for somebody to decide, one kind after the other, each with what there is to decide. j and k go down and
// up, a applies, d dismisses, u undoes; whoever has decided stands at the next.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { go, link, usePlace } from "../address";
import { ask, useAnswer } from "../api";
import { done } from "../deeds";
import { Choice, Head, Held, State, Thing, Waiting } from "../parts/small";
import type { Entity, Memory, ReviewItem } from "../types";
import { count, day, shortened, spoken } from "../words";
import { useMay } from "../who";

/** The kinds in the order in which they are decided, what each is called, and what there is to decide. */
const KINDS: Record<string, [called: string, decide: string]> = {
  contradiction: ["Contradictions", "Two memories cannot both be so. Which one holds?"],
  same_entity: ["Perhaps the same", "Two names may mean one thing. Do they?"],
  merge: ["Said more than once", "Several memories say nearly the same. Shall they be one?"],
  cluster: ["Belong together", "Several memories are about one matter. Shall they be brought together?"],
  stale: ["Rest on what changed", "What this was made from no longer holds. Does this?"],
  relations: ["Perhaps tied", "Two memories may have to do with one another. Shall they be linked?"],
  promote: ["Worth keeping", "This is used often. Shall it be kept for long?"],
  decay: ["About to fade", "This was not used for long. May it go?"],
};
const KIND_CHOICES: [string, string][] = [["", "any"], ...Object.entries(KINDS).map(([kind, [called]]) => [kind, called] as [string, string])];
const URGENCIES = ["high", "medium", "low"];
const FIRST_OF_A_KIND = 15;

/** By kind; the kind with the most urgent item first, and within a kind the most urgent. */
function byKind(items: readonly ReviewItem[]): [string, ReviewItem[]][] {
  const order = Object.keys(KINDS);
  const rank = (one: ReviewItem) => (URGENCIES.indexOf(one.urgency) + 1 || URGENCIES.length + 1);
  const kinds = new Map<string, ReviewItem[]>();
  for (const one of [...items].sort((a, b) => rank(a) - rank(b))) kinds.set(one.kind, [...(kinds.get(one.kind) ?? []), one]);
  return [...kinds].sort(([a, ones], [b, others]) => rank(ones[0]!) - rank(others[0]!) || order.indexOf(a) - order.indexOf(b));
}
const STATES: [string, string][] = [
  ["", "what waits"],
  ["applied", "applied"],
  ["dismissed", "dismissed"],
  ["closed", "closed"],
];

let lastUndo: (() => Promise<unknown>) | null = null;

async function undoApplied(item: ReviewItem, seq: number | null): Promise<void> {
  if (seq !== null) await ask("undo", { what: String(seq), why: "taken back in review" });
  await ask("review_reopen", { id: item.id });
}

type Next = () => void;

async function apply(item: ReviewItem, next: Next): Promise<void> {
  const said = `Applied: ${(PROPOSED[String(item.proposal.op ?? "")] ?? spoken(item.action)).toLowerCase()}`;
  const result = await done<{ seq: number | null }>(said, () => ask("review_apply", { id: item.id }), (result) => remembered(item, () => undoApplied(item, result.seq)));
  if (result !== null) next();
}

async function dismiss(item: ReviewItem, next: Next): Promise<void> {
  const result = await done("Dismissed; nothing changes", () => ask("review_dismiss", { id: item.id }), () => remembered(item, () => ask("review_reopen", { id: item.id })));
  if (result !== null) next();
}

/** Taking it back leads to it again, by the key or by the line that tells of it. */
function remembered(item: ReviewItem, undo: () => Promise<unknown>): () => Promise<unknown> {
  const takesBack = async () => {
    lastUndo = null;
    await undo();
    go({ params: { item: item.id } }, true);
  };
  lastUndo = takesBack;
  return takesBack;
}

export function Review() {
  const { params } = usePlace();
  const may = useMay();
  const items = useAnswer<ReviewItem[]>("review_list", { kind: params.kind, status: params.status, limit: 200 });
  const groups = useMemo(() => byKind(items.value ?? []), [items.value]);
  const listed = groups.flatMap(([, some]) => some);
  const place = Math.max(0, listed.findIndex((one) => one.id === params.item));
  const chosen = listed[place] ?? null;
  const next = () => {
    const after = listed[place + 1] ?? listed[place - 1];
    go({ params: { item: after?.id ?? "" } }, true);
  };
  const state = useRef({ listed, place, chosen, may, next });
  state.current = { listed, place, chosen, may, next };

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const { listed, place, chosen, may, next } = state.current;
      const to = (step: number) => {
        const next = listed[Math.min(listed.length - 1, Math.max(0, place + step))];
        if (next) go({ params: { item: next.id } }, true);
      };
      if (event.key === "j") to(1);
      else if (event.key === "k") to(-1);
      else if (!may.write || !chosen) {
        if (event.key === "u" && may.write && lastUndo) void takeBack();
      } else if (event.key === "a" && waits(chosen) && canApply(chosen)) void apply(chosen, next);
      else if (event.key === "d" && waits(chosen)) void dismiss(chosen, next);
      else if (event.key === "u" && lastUndo) void takeBack();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <>
      <Head title="Review" about="What waits for somebody to decide.">
        <Choice label="Kind" value={params.kind ?? ""} among={KIND_CHOICES} onChange={(kind) => go({ params: { kind, item: "" } })} />
        <Choice label="Show" value={params.status ?? ""} among={STATES} onChange={(status) => go({ params: { status, item: "" } })} />
      </Head>
      <p class="keys about">
        {listed.length > 0 && !params.status && `${count(listed.length, "decision waits", "decisions wait")}. `}
        <kbd>j</kbd> <kbd>k</kbd> down and up{may.write && <>, <kbd>a</kbd> apply, <kbd>d</kbd> dismiss, <kbd>u</kbd> undo</>}
      </p>
      <Waiting of={items} nothing={(value) => (value.length ? null : "Nothing waits. Well kept.")}>
        {(value) => (
          <div class="review">
            <div class="review-list">
              {groups.map(([kind, some]) => (
                <Group key={kind} kind={kind} items={some} chosen={chosen} />
              ))}
            </div>
            {chosen && <Item item={chosen} place={place + 1} of={value.length} next={next} key={chosen.id} />}
          </div>
        )}
      </Waiting>
    </>
  );
}

function Group({ kind, items, chosen }: { kind: string; items: readonly ReviewItem[]; chosen: ReviewItem | null }) {
  const [all, setAll] = useState(false);
  const within = items.findIndex((one) => one.id === chosen?.id);
  const shown = all ? items : items.slice(0, Math.max(FIRST_OF_A_KIND, within + 1));
  return (
    <section class="review-group">
      <h2>
        {called(kind)} <span class="about">{items.length}</span>
      </h2>
      <ul>
        {shown.map((one) => (
          <li key={one.id}>
            <a href={link({ params: { item: one.id } })} aria-current={one.id === chosen?.id ? "true" : undefined}>
              <Row item={one} />
              {one.urgency === "high" && <span class="urgency urgency-high">urgent</span>}
            </a>
          </li>
        ))}
      </ul>
      {shown.length < items.length && (
        <button class="quiet" type="button" onClick={() => setAll(true)}>
          and {items.length - shown.length} more
        </button>
      )}
    </section>
  );
}

/** What is about one memory is called by its words; below stands what applying it does, and why. */
function Row({ item }: { item: ReviewItem }) {
  const alone = item.memory_ids.length === 1 && !item.entity_ids.length ? item.memory_ids[0]! : null;
  const memory = useAnswer<Memory>("get", alone ? { id: alone } : null);
  const reason = spoken(item.reason || item.action);
  const step = canApply(item) ? (PROPOSED[String(item.proposal.op)] ?? spoken(String(item.proposal.op))) : null;
  const text = memory.value && shortened(memory.value.content);
  const below = [waits(item) ? step : null, text ? reason : null].filter(Boolean).join(" · ");
  return (
    <span>
      <span class="review-about">{text ?? reason}</span>
      {below && <span class="review-step">{below}</span>}
    </span>
  );
}

const called = (kind: string) => KINDS[kind]?.[0] ?? spoken(kind);
const waits = (item: ReviewItem) => item.status === "open" || item.status === "claimed";
const canApply = (item: ReviewItem) => Object.keys(item.proposal).length > 0;

async function takeBack(): Promise<void> {
  if (lastUndo) await done("Undone", lastUndo);
}

const PROPOSED: Record<string, string> = {
  review: "See it again, and let it stay",
  archive: "Put it away",
  forget: "Forget it",
  promote: "Keep it for long",
  consolidate: "Make them one memory",
  unconsolidate: "Take apart what was made one",
  link: "Link the two",
  supersede: "The newer takes the place of the older",
  merge_entities: "They are one and the same",
};

function Item({ item, place, of, next }: { item: ReviewItem; place: number; of: number; next: Next }) {
  const may = useMay();
  const op = String(item.proposal.op ?? "");
  return (
    <article class="review-item">
      <p class="kicker">
        {called(item.kind)} · {place} of {of} · put by {item.made_by}, {day(item.created_at)}
      </p>
      <h2>{item.reason ? spoken(item.reason) : spoken(item.action)}</h2>
      {waits(item) && KINDS[item.kind] && <p class="decide">{KINDS[item.kind]![1]}</p>}
      <div class="sides">
        {item.memory_ids.map((id) => (
          <MemorySide key={id} id={id} role={roleOf(item, id)} />
        ))}
        {item.entity_ids.map((id) => (
          <EntitySide key={id} id={id} />
        ))}
      </div>
      {canApply(item) && (
        <p class="proposed">
          <span class="about">{waits(item) ? "Apply: " : "It was proposed: "}</span>
          {PROPOSED[op] ?? spoken(op)}
          {waits(item) && (
            <>
              <br />
              <span class="about">Dismiss: </span>
              everything stays as it is, and this is not put again
            </>
          )}
        </p>
      )}
      {waits(item) && may.write && (
        <div class="buttons">
          {canApply(item) && (
            <button class="first" type="button" onClick={() => void apply(item, next)}>
              Apply
            </button>
          )}
          <button type="button" onClick={() => void dismiss(item, next)}>
            Dismiss
          </button>
        </div>
      )}
      {!waits(item) && (
        <div class="buttons">
          <State state={item.status} />
          <span class="about">
            {day(item.updated_at)}
            {item.note && ` · ${item.note}`}
          </span>
          {item.seq !== null && (
            <Thing kind="entry" id={String(item.seq)}>
              who did it, and what it changed
            </Thing>
          )}
          {may.write && (
            <button type="button" onClick={() => void done("It waits again", () => undoApplied(item, item.seq))}>
              Undo
            </button>
          )}
        </div>
      )}
    </article>
  );
}

function roleOf(item: ReviewItem, id: string): string | null {
  const found = Object.entries(item.proposal).find(([name, value]) => value === id && name !== "op");
  return found ? found[0] : null;
}

function MemorySide({ id, role }: { id: string; role: string | null }) {
  const memory = useAnswer<Memory>("get", { id });
  return (
    <div class="side">
      {role && <p class="kicker">{spoken(role)}</p>}
      <Waiting of={memory}>
        {(one) => (
          <>
            <p class="said">
              <Thing kind="memory" id={one.id}>
                {one.content}
              </Thing>
            </p>
            <p>
              {one.state !== "active" && <State state={one.state} />} <Held from={one.valid_from} until={one.valid_until} />
            </p>
            <p class="about">
              learned {day(one.recorded_at)}
              {one.observed_by && ` from ${one.observed_by}`}
            </p>
          </>
        )}
      </Waiting>
    </div>
  );
}

function EntitySide({ id }: { id: string }) {
  const entity = useAnswer<Entity & { facts_now: { id: string; relation: string; object: string; subject: string }[] }>("entity", { id, limit: 5 });
  return (
    <div class="side">
      <Waiting of={entity}>
        {(one) => (
          <>
            <p class="said">
              <Thing kind="entity" id={id}>
                {one.name}
              </Thing>
            </p>
            {one.aliases.length > 0 && <p class="about">also {one.aliases.join(", ")}</p>}
            <ul class="plain about">
              {one.facts_now.slice(0, 4).map((fact) => (
                <li key={fact.id}>
                  {fact.subject} {fact.relation.toLowerCase().replaceAll("_", " ")} {fact.object}
                </li>
              ))}
            </ul>
          </>
        )}
      </Waiting>
    </div>
  );
}
