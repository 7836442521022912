// The small parts that several views are made of: states, windows, chips, links to things, and what is shown while an
// answer is awaited or when there is none.
import type { ComponentChildren } from "preact";
import { link, usePlace } from "../address";
import type { Answered } from "../api";
import type { Memory } from "../types";
import { useMay } from "../who";
import { day, doubt, held, relation, spoken } from "../words";

export function State({ state }: { state: string }) {
  return <span class={`state state-${state}`}>{state}</span>;
}

export function Held({ from, until }: { from: string | null; until: string | null }) {
  return <span class="held">{held(from, until)}</span>;
}

export function When({ at }: { at: string }) {
  return (
    <time dateTime={at} title={at}>
      {day(at)}
    </time>
  );
}

export function Thing({ kind, id, children }: { kind: string; id: string; children: ComponentChildren }) {
  return (
    <a class="thing" href={link({ sel: `${kind}:${id}` })}>
      {children}
    </a>
  );
}

/** A fact as a sentence, each end a link. */
export function FactLine(fact: {
  id: string;
  subject: string;
  relation: string;
  object: string;
  subject_id: string;
  object_id: string;
  valid_from: string | null;
  valid_until: string | null;
  confidence: number;
}) {
  return (
    <span class="fact">
      <Thing kind="entity" id={fact.subject_id}>
        {fact.subject}
      </Thing>{" "}
      <Thing kind="edge" id={fact.id}>
        {relation(fact.relation)}
      </Thing>{" "}
      <Thing kind="entity" id={fact.object_id}>
        {fact.object}
      </Thing>{" "}
      <Held from={fact.valid_from} until={fact.valid_until} />
      {doubt(fact.confidence) && <span class="doubt"> {doubt(fact.confidence)}</span>}
    </span>
  );
}

export function MemoryLine({ memory }: { memory: Memory }) {
  return (
    <span class="memory-line">
      <Thing kind="memory" id={memory.id}>
        {memory.content}
      </Thing>{" "}
      {memory.state !== "active" && <State state={memory.state} />}
    </span>
  );
}

/** Where nothing is remembered: what is, and where to begin. */
export function Empty() {
  const { asOf, knownAt } = usePlace();
  const may = useMay();
  if (asOf !== null || knownAt !== null) return <p class="nothing">At the moment you look at, nothing was known here.</p>;
  return (
    <p class="nothing">
      Nothing is remembered in this space yet. {may.write && <a href={link({ view: "tell", params: {} })}>Tell it something</a>}
    </p>
  );
}

/** What stands while an answer is awaited, when it was refused, or when there is nothing. */
export function Waiting<T>({ of, nothing, children }: { of: Answered<T>; nothing?: (value: T) => string | null; children(value: T): ComponentChildren }) {
  if (of.error) return <p class="trouble" role="alert">{of.error.message}</p>;
  if (of.value === null) return of.loading ? <p class="waiting" role="status">Looking …</p> : null;
  const empty = nothing?.(of.value);
  if (empty) return <p class="nothing">{empty}</p>;
  return <div class={of.loading ? "stale" : ""}>{children(of.value)}</div>;
}

export function Bar({ label, part, told }: { label: string; part: number; told: string }) {
  return (
    <div class="bar">
      <span class="bar-label">{label}</span>
      <span class="bar-track">
        <span class="bar-fill" style={{ width: `${Math.max(0, Math.min(1, part)) * 100}%` }} />
      </span>
      <span class="bar-told">{told}</span>
    </div>
  );
}

export function Choice({ label, value, among, onChange }: { label: string; value: string; among: readonly (string | [string, string])[]; onChange(value: string): void }) {
  return (
    <label class="choice">
      <span>{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        {among.map((one) => {
          const [worth, said] = typeof one === "string" ? [one, one ? spoken(one) : "any"] : one;
          return (
            <option key={worth} value={worth}>
              {said}
            </option>
          );
        })}
      </select>
    </label>
  );
}

export function Head({ title, about, children }: { title: string; about: string; children?: ComponentChildren }) {
  return (
    <header class="view-head">
      <div>
        <h1 tabIndex={-1}>{title}</h1>
        <p class="about">{about}</p>
      </div>
      {children && <div class="view-tools">{children}</div>}
    </header>
  );
}
