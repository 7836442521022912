// The words that a memory rests on, in their source: opened at the span, with a little before and after.
import { useAnswer } from "../api";
import { Thing } from "./small";
import type { SourceText } from "../types";
import { day } from "../words";

const AROUND = 160;

export function SourceQuote({ id, span }: { id: string; span: readonly [number, number] }) {
  const source = useAnswer<SourceText>("source", { id });
  if (source.error) return <p class="nothing">What was said cannot be seen any more.</p>;
  if (!source.value) return <p class="waiting">Looking …</p>;
  const one = source.value;
  const letters = [...one.content];
  const [start, end] = span;
  const from = Math.max(0, start - AROUND);
  const to = Math.min(letters.length, end + AROUND);
  return (
    <figure class="quote">
      <blockquote>
        {from > 0 && "… "}
        {letters.slice(from, start).join("")}
        <mark>{letters.slice(start, end).join("")}</mark>
        {letters.slice(end, to).join("")}
        {to < letters.length && " …"}
      </blockquote>
      <figcaption>
        {one.speaker ?? "Said"}, {day(one.occurred_at, true)}
        {one.session && <> · {one.session}</>} ·{" "}
        <Thing kind="source" id={id}>
          the whole of it
        </Thing>
      </figcaption>
    </figure>
  );
}
