// One fact or link: when it holds, what it rests on, what happened to it, and how to end it.
import { useState } from "preact/hooks";
import { usePlace } from "../address";
import { ask, useAnswer } from "../api";
import { done } from "../deeds";
import { Thing, Waiting } from "../parts/small";
import type { History } from "../types";
import { useMay } from "../who";
import { readable } from "../words";
import { HistoryLines } from "./history_lines";
import { Short } from "./memory";

export function EdgePanel({ id }: { id: string }) {
  const { knownAt } = usePlace();
  const history = useAnswer<History>("history", { id, known_at: knownAt });
  return (
    <Waiting of={history}>
      {(told) => {
        const first = told.events.find((one) => one.type === "edge_added");
        const words = /^(.*?) ([A-Z][A-Z0-9_]*|[a-z_]+) (.*) from \S+$/.exec(first?.what ?? "");
        const [source, target] = (first?.about ?? []).slice(-2);
        const ends = /^[A-Z]/.test(words?.[2] ?? "A") ? "entity" : "memory";
        const evidence = told.events.find((one) => one.evidence)?.evidence;
        return (
          <article class="opened">
            <p class="kicker">Fact{told.state && ` · ${told.state}`}</p>
            <h2>{words ? `${words[1]} ${readable(words[2]!).toLowerCase()} ${words[3]}` : readable(first?.what ?? "A fact")}</h2>
            {source && target && (
              <p class="buttons">
                <Thing kind={ends} id={source}>
                  {words?.[1] ?? "From"}
                </Thing>
                <Thing kind={ends} id={target}>
                  {words?.[3] ?? "To"}
                </Thing>
              </p>
            )}
            {evidence && (
              <section>
                <h3>It rests on</h3>
                <Short id={evidence} />
              </section>
            )}
            <section>
              <h3>What happened to it</h3>
              <HistoryLines events={told.events} />
            </section>
            {source && target && words && <Ending source={source} target={target} relation={words[2]!} />}
          </article>
        );
      }}
    </Waiting>
  );
}

function Ending({ source, target, relation }: { source: string; target: string; relation: string }) {
  const may = useMay();
  const [day, setDay] = useState("");
  if (!may.write) return null;
  const which = { source, target, relation };
  return (
    <form
      class="doing"
      onSubmit={(event) => {
        event.preventDefault();
        void done(
          "Ended",
          () => ask("invalidate", { ...which, at: day ? `${day}T00:00:00Z` : undefined, why: "ended on the page" }),
          () => () => ask("reopen", which),
        );
      }}
    >
      <label>
        <span>It stopped being so on</span>
        <input type="date" value={day} onInput={(event) => setDay(event.currentTarget.value)} />
      </label>
      <button type="submit">End it {day ? "then" : "now"}</button>
    </form>
  );
}
