// What happened to something, line by line, each with who did it, by which rule and why.
import { Thing } from "../parts/small";
import type { HistoryEvent } from "../types";
import { day, spoken } from "../words";

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
            · {one.actor}
            {one.rule && <> · rule “{one.rule}”</>}
            {one.why && <> · {one.why}</>}
          </span>
        </li>
      ))}
    </ol>
  );
}

/** The server's words with times that people read. */
export function readable(what: string): string {
  const days = what.replace(/(\d{4}-\d{2}-\d{2})T[\d:.]+Z/g, (_, date) => day(`${date}T00:00:00Z`));
  const relation = days.includes("“") ? /\b[A-Z]+(_[A-Z]+)+\b/g : /\b[A-Z]{3,}(_[A-Z]+)*\b/g;
  return spoken(days.replace(relation, (word) => word.toLowerCase().replaceAll("_", " ")).replace("about_entity", "mentions"));
}
