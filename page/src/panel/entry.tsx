// One entry of the journal: who wrote it, whether it is signed, everything it changed, and undo.
import { link } from "../address";
import { ask, useAnswer } from "../api";
import { done } from "../deeds";
import { Thing, Waiting } from "../parts/small";
import type { HistoryEvent, JournalLine, JournalPage, Undone } from "../types";
import { day, spoken } from "../words";
import { useMay } from "../who";
import { HistoryLines } from "./history_lines";

/** An entry of more changes is not gone through beforehand to say whether there is something to undo. */
const MOST_TRIED = 500;

export function EntryPanel({ id }: { id: string }) {
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
            {one.undone_by !== null && (
              <p class="note">
                This was undone by{" "}
                <Thing kind="entry" id={String(one.undone_by)}>
                  entry {one.undone_by}
                </Thing>
                : nothing of it counts any more.
              </p>
            )}
            <p class="buttons">
              <UndoEntry entry={one} />
              <a class="button" href={link({ knownAt: one.at })}>
                Stand at this moment
              </a>
            </p>
            <section>
              <h3>What it changed</h3>
              <HistoryLines events={one.changes} leadsTo={changed} />
              {one.more > 0 && <p class="about">and {one.more} more</p>}
            </section>
          </article>
        );
      }}
    </Waiting>
  );
}

/** What a change is about: a memory or a fact; the entry itself where it is something else. */
function changed(one: HistoryEvent): [string, string] {
  const id = one.about[0];
  if (id && one.type.startsWith("edge_")) return ["edge", id];
  if (id && one.type.startsWith("entity_")) return ["entity", id];
  return id && ["memory_added", "reinforced", "used"].includes(one.type) ? ["memory", id] : ["entry", String(one.seq)];
}

/** A button where there is something to undo, or why there is none. */
function UndoEntry({ entry }: { entry: JournalLine }) {
  const may = useMay();
  const { seq } = entry;
  const changes = Object.values(entry.kinds).reduce((all, one) => all + one, 0);
  const tried = may.write && entry.undone_by === null && changes <= MOST_TRIED;
  const would = useAnswer<Undone>("undo", tried ? { what: String(seq), dry_run: true } : null);
  if (!may.write || entry.undone_by !== null) return null;
  if (would.error) return <span class="about">It cannot be undone.</span>;
  if (tried && would.value === null) return null;
  if (would.value?.changed === false) return <span class="about">Nothing of it is left to undo.</span>;
  return (
    <button type="button" onClick={() => void done(`Entry ${seq} is undone; nothing was removed`, () => ask("undo", { what: String(seq), why: "undone on the page" }))}>
      Undo this entry
    </button>
  );
}
