// One entry of the journal: who wrote it, whether it is signed, everything it changed, and undo.
import { link } from "../address";
import { ask, useAnswer } from "../api";
import { done } from "../deeds";
import { Waiting } from "../parts/small";
import type { JournalPage } from "../types";
import { day, spoken } from "../words";
import { useMay } from "../who";
import { HistoryLines } from "./history_lines";

export function EntryPanel({ id }: { id: string }) {
  const may = useMay();
  const page = useAnswer<JournalPage>("journal", { before: Number(id) + 1, limit: 1 });
  return (
    <Waiting of={page} nothing={(value) => (value.lines[0]?.seq === Number(id) ? null : `Nothing of entry ${id} can be seen from here.`)}>
      {(value) => {
        const one = value.lines[0]!;
        return (
          <article class="opened">
            <p class="kicker">Entry {one.seq} of the journal</p>
            <h2>{spoken(one.op)}</h2>
            <dl class="properties">
              <dt>Written</dt>
              <dd>{day(one.at, true)}</dd>
              <dt>By</dt>
              <dd>
                {one.actor}, {one.signature ? "signed" : "not signed"}
              </dd>
              {one.rules.length > 0 && (
                <>
                  <dt>Rules</dt>
                  <dd>{one.rules.join(", ")}</dd>
                </>
              )}
              <dt>Hash</dt>
              <dd class="hash">{one.hash}</dd>
            </dl>
            {may.write && (
              <p class="buttons">
                <button
                  type="button"
                  onClick={() =>
                    void done(`Entry ${one.seq} is undone; nothing was removed`, () =>
                      ask("undo", { what: String(one.seq), why: "undone on the page" }),
                    )
                  }
                >
                  Undo this entry
                </button>
                <a class="button" href={link({ knownAt: one.at })}>
                  Stand at this moment
                </a>
              </p>
            )}
            <section>
              <h3>What it changed</h3>
              <HistoryLines events={[...one.changes].reverse()} />
              {one.more > 0 && <p class="about">and {one.more} more</p>}
            </section>
          </article>
        );
      }}
    </Waiting>
  );
}
