// What was said, whole, with every stretch that a memory rests on.
import { useAnswer } from "../api";
import { Thing, Waiting } from "../parts/small";
import type { SourceText } from "../types";
import { day, spoken } from "../words";

export function SourcePanel({ id }: { id: string }) {
  const source = useAnswer<SourceText>("source", { id });
  return (
    <Waiting of={source}>
      {(one) => (
        <article class="opened">
          <p class="kicker">{spoken(one.kind)}</p>
          <h2>
            {one.speaker ?? "Somebody"} on {day(one.occurred_at)}
          </h2>
          {one.session && <p class="about">In the conversation {one.session}</p>}
          <blockquote class="said whole">{pieces(one)}</blockquote>
        </article>
      )}
    </Waiting>
  );
}

/** The text in order, what memories rest on marked; every piece is text. */
function pieces(source: SourceText) {
  const letters = [...source.content];
  const cuts = [...new Set([0, letters.length, ...source.memories.flatMap((one) => [one.start, one.end])])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((start, place) => {
    const end = cuts[place + 1]!;
    const words = letters.slice(start, end).join("");
    const owner = source.memories.find((one) => one.start <= start && end <= one.end);
    return owner ? (
      <mark key={start}>
        <Thing kind="memory" id={owner.memory_id}>
          {words}
        </Thing>
      </mark>
    ) : (
      <span key={start}>{words}</span>
    );
  });
}
