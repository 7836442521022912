// What was done, and how is it taken back? Every change goes through here: it is carried out, everything shown is asked for
// anew, and a line says what happened, with a way to undo it.
import { useEffect, useState } from "preact/hooks";
import { ask, tellChanged } from "./api";
import { Icon } from "./parts/icon";
import { goOn } from "./undoing";
import type { Undone } from "./types";

export interface Told {
  id: number;
  text: string;
  bad: boolean;
  undo: (() => Promise<unknown>) | null;
}

const LASTS_MILLISECONDS = 12_000;
let told: Told[] = [];
let number = 0;
const listeners = new Set<(told: Told[]) => void>();

function set(next: Told[]): void {
  told = next;
  listeners.forEach((tell) => tell(told));
}

export function say(text: string, undo: Told["undo"] = null, bad = false): void {
  number += 1;
  const id = number;
  set([...told.slice(-3), { id, text, undo, bad }]);
  if (!bad) setTimeout(() => drop(id), LASTS_MILLISECONDS);
}

function drop(id: number): void {
  set(told.filter((one) => one.id !== id));
}

/** Does something and tells of it; answers what the server did, or nothing if it was refused. */
export async function done<T>(
  text: string | ((result: T) => string),
  deed: () => Promise<T>,
  undo: (result: T) => (() => Promise<unknown>) | null = () => null,
): Promise<T | null> {
  try {
    const result = await deed();
    tellChanged();
    say(typeof text === "string" ? text : text(result), undo(result));
    return result;
  } catch (error) {
    say((error as Error).message, null, true);
    return null;
  }
}

const STAYS = "It was said again, and stays until that is undone too";

/** Takes something back, and leads to what holds now if what is opened went with it. */
export async function takeBack(undo: () => Promise<unknown>, text = "Undone"): Promise<void> {
  if ((await done((told) => ((told as Partial<Undone>)?.kept?.length ? STAYS : text), undo)) !== null) await goOn();
}

export const undoSeq = (seq: number | null | undefined, why = "undone on the page") =>
  seq === null || seq === undefined ? null : () => ask("undo", { what: String(seq), why });

export function Deeds() {
  const [shown, setShown] = useState(told);
  useEffect(() => {
    listeners.add(setShown);
    return () => void listeners.delete(setShown);
  }, []);
  return (
    <div class="deeds" role="status" aria-live="polite">
      {shown.map((one) => (
        <div key={one.id} class={`deed ${one.bad ? "deed-bad" : ""}`}>
          <span>{one.text}</span>
          {one.undo && (
            <button
              type="button"
              onClick={() => {
                drop(one.id);
                void takeBack(one.undo!);
              }}
            >
              Undo
            </button>
          )}
          <button class="quiet" type="button" aria-label="Dismiss this line" onClick={() => drop(one.id)}>
            <Icon name="close" />
          </button>
        </div>
      ))}
    </div>
  );
}
