// What happened to something, line by line, each with who did it, by which rule and why.
import { Thing } from "../parts/small";
import type { HistoryEvent } from "../types";
import { day, readable } from "../words";

export function HistoryLines({ events }: { events: readonly HistoryEvent[] }) {
  return (
    <ol class="lines">
      {[...events].reverse().map((one, place) => (
        <li key={`${one.seq}-${place}`}>
          <span class="lines-what">{readable(one.what)}</span>
          <span class="lines-who">
            <Thing kind="entry" id={String(one.seq)}>
              {day(one.at)}
            </Thing>{" "}
            by {one.actor}
            {one.rule && <> · rule “{one.rule}”</>}
            {one.why && <> · {one.why}</>}
          </span>
        </li>
      ))}
    </ol>
  );
}
