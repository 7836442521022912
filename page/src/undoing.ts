// What can be taken back, and what holds once it was? The last write about a memory that still stands; and for a memory that
// was taken back with a write, what it had taken the place of.
import { go, here } from "./address";
import { ask, type Arguments } from "./api";
import type { History, HistoryEvent, Undone } from "./types";

const UNDOABLE = new Set(["memory_added", "edge_added", "edge_closed", "marked", "reinforced"]);
/** So many writes are looked at for one that still stands. */
const LOOKED_AT = 6;
const REPLACES = "took the place of";

export interface LastChange {
  seq: number;
  op: string;
  at: string;
  actor: string;
}

/** Writes about it that were not taken back, the newest first; an undo is not among them. */
export function standing(events: readonly HistoryEvent[]): LastChange[] {
  const found = new Map<number, LastChange>();
  for (const { seq, op, at, actor, type, undone_by } of [...events].reverse()) {
    if (op !== "undo" && undone_by === null && UNDOABLE.has(type)) found.set(seq, { seq, op, at, actor });
  }
  return [...found.values()].slice(0, LOOKED_AT);
}

/** The first of these of which something is left to undo. That something was first remembered is for "Forget" to take back,
 * unless something else ended or was replaced by it. */
export async function lastChange<R>(_: string, args: Arguments, signal?: AbortSignal): Promise<R> {
  const { events } = args as { events: HistoryEvent[] };
  for (const one of standing(events)) {
    const told = await ask<Undone>("undo", { what: String(one.seq), dry_run: true }, signal).catch((error) => {
      if (error.name === "AbortError") throw error;
      return null; // it holds something that cannot be undone
    });
    if (!told?.changed) continue;
    const first = events.some((event) => event.seq === one.seq && event.type === "memory_added");
    const replaces = events.some((event) => event.seq === one.seq && event.what.startsWith(REPLACES));
    if (!first || replaces || told.reopened.length > 0 || told.restored.length > 0) return one as R;
  }
  return null as R;
}

/** The undo by which it went, if it went by one. */
export function undoneBy({ state, events }: History): HistoryEvent | null {
  const hid = events.filter((one) => one.type === "marked" && one.what === "forgotten").at(-1);
  return state === "forgotten" && hid?.op === "undo" ? hid : null;
}

/** What it had taken the place of when it was taken back: that holds again. */
export function heldBefore(history: History): string | null {
  const by = undoneBy(history);
  return history.events.find((one) => by !== null && one.undone_by === by.seq && one.what.startsWith(REPLACES))?.about[0] ?? null;
}

/** Where the memory that is opened was taken back, what holds now is opened in its place. */
export async function goOn(): Promise<void> {
  const { sel } = here();
  if (!sel?.startsWith("memory:")) return;
  const history = await ask<History>("history", { id: sel.slice("memory:".length) }).catch(() => null);
  const before = history && heldBefore(history);
  if (before && here().sel === sel) go({ sel: `memory:${before}`, params: { mend: "" } });
}
