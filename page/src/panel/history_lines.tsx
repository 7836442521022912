// What happened to something, in the order in which it happened, each with who did it, by which rule and why. A line is
// pressed anywhere: it opens the entry that wrote it, or, within an entry, what was changed.
import { Thing } from "../parts/small";
import type { HistoryEvent } from "../types";
import { day, readable } from "../words";

const entryOf = (one: HistoryEvent): [string, string] => ["entry", String(one.seq)];

export function HistoryLines({ events, leadsTo = entryOf }: { events: readonly HistoryEvent[]; leadsTo?: (one: HistoryEvent) => [kind: string, id: string] }) {
  return (
    <ol class="lines">
      {events.map((one, place) => {
        const [kind, id] = leadsTo(one);
        return (
          <li key={`${one.seq}-${place}`} class={`pressed ${one.undone_by === null ? "" : "undone"}`}>
            <span class="lines-what">{one.op === "undo" ? `Undone: ${lower(readable(one.what))}` : readable(one.what)}</span>
            <span class="lines-who">
              <Thing kind={kind} id={id}>
                {day(one.at)}
              </Thing>{" "}
              by {one.actor}
              {one.rule && <> · rule “{one.rule}”</>}
              {one.why && <> · {one.why}</>}
              {one.undone_by !== null && <strong> · undone by entry {one.undone_by}</strong>}
            </span>
          </li>
        );
      })}
    </ol>
  );
}

const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
