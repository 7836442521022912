// Review: what waits for somebody to decide. j and k go down and up, a applies, d dismisses, u undoes.
import { useEffect, useRef } from "preact/hooks";
import { go, link, usePlace } from "../address";
import { ask, useAnswer } from "../api";
import { done } from "../deeds";
import { Choice, Head, Held, State, Thing, Waiting } from "../parts/small";
import type { Entity, Memory, ReviewItem } from "../types";
import { day, spoken } from "../words";
import { useMay } from "../who";

const KINDS = ["", "contradiction", "same_entity", "merge", "decay", "cluster", "promote", "relations", "stale"];
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

async function apply(item: ReviewItem): Promise<void> {
  await done<{ seq: number | null }>("Applied", () => ask("review_apply", { id: item.id }), (result) => (lastUndo = () => undoApplied(item, result.seq)));
}

async function dismiss(item: ReviewItem): Promise<void> {
  await done("Dismissed; nothing changes", () => ask("review_dismiss", { id: item.id }), () => (lastUndo = () => ask("review_reopen", { id: item.id })));
}

export function Review() {
  const { params } = usePlace();
  const may = useMay();
  const items = useAnswer<ReviewItem[]>("review_list", { kind: params.kind, status: params.status, limit: 200 });
  const listed = items.value ?? [];
  const place = Math.max(0, listed.findIndex((one) => one.id === params.item));
  const chosen = listed[place] ?? null;
  const state = useRef({ listed, place, chosen, may });
  state.current = { listed, place, chosen, may };

  useEffect(() => {
    function onKey(event: KeyboardEvent) {
      const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLTextAreaElement || event.target instanceof HTMLSelectElement;
      if (typing || event.ctrlKey || event.metaKey || event.altKey) return;
      const { listed, place, chosen, may } = state.current;
      const to = (step: number) => {
        const next = listed[Math.min(listed.length - 1, Math.max(0, place + step))];
        if (next) go({ params: { item: next.id } }, true);
      };
      if (event.key === "j") to(1);
      else if (event.key === "k") to(-1);
      else if (!may.write || !chosen) {
        if (event.key === "u" && may.write && lastUndo) void takeBack();
      } else if (event.key === "a" && waits(chosen) && canApply(chosen)) void apply(chosen);
      else if (event.key === "d" && waits(chosen)) void dismiss(chosen);
      else if (event.key === "u" && lastUndo) void takeBack();
    }
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, []);

  return (
    <>
      <Head title="Review" about="What waits for somebody to decide.">
        <Choice label="Kind" value={params.kind ?? ""} among={KINDS} onChange={(kind) => go({ params: { kind, item: "" } })} />
        <Choice label="Show" value={params.status ?? ""} among={STATES} onChange={(status) => go({ params: { status, item: "" } })} />
      </Head>
      <p class="keys about">
        <kbd>j</kbd> <kbd>k</kbd> down and up{may.write && <>, <kbd>a</kbd> apply, <kbd>d</kbd> dismiss, <kbd>u</kbd> undo</>}
      </p>
      <Waiting of={items} nothing={(value) => (value.length ? null : "Nothing waits. Well kept.")}>
        {(value) => (
          <div class="review">
            <ul class="review-list" aria-label="Items">
              {value.map((one) => (
                <li key={one.id}>
                  <a href={link({ params: { item: one.id } })} aria-current={one.id === chosen?.id ? "true" : undefined}>
                    <strong>{spoken(one.kind)}</strong>
                    <span class={`urgency urgency-${one.urgency}`}>{one.urgency}</span>
                    <span class="about">{one.reason || spoken(one.action)}</span>
                  </a>
                </li>
              ))}
            </ul>
            {chosen && <Item item={chosen} key={chosen.id} />}
          </div>
        )}
      </Waiting>
    </>
  );
}

const waits = (item: ReviewItem) => item.status === "open" || item.status === "claimed";
const canApply = (item: ReviewItem) => Object.keys(item.proposal).length > 0;

async function takeBack(): Promise<void> {
  const undo = lastUndo;
  lastUndo = null;
  if (undo) await done("Undone", undo);
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

function Item({ item }: { item: ReviewItem }) {
  const may = useMay();
  const op = String(item.proposal.op ?? "");
  return (
    <article class="review-item">
      <p class="kicker">
        {spoken(item.kind)} · put by {item.made_by}, {day(item.created_at)}
      </p>
      <h2>{item.reason ? spoken(item.reason) : spoken(item.action)}</h2>
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
          <span class="about">To apply it means: </span>
          {PROPOSED[op] ?? spoken(op)}
        </p>
      )}
      {waits(item) && may.write && (
        <div class="buttons">
          {canApply(item) && (
            <button class="first" type="button" onClick={() => void apply(item)}>
              Apply
            </button>
          )}
          <button type="button" onClick={() => void dismiss(item)}>
            Dismiss
          </button>
        </div>
      )}
      {!waits(item) && (
        <div class="buttons">
          <State state={item.status} />
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
            <p class="about">learned {day(one.recorded_at)}</p>
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
