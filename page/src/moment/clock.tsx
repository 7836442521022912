// One clock of the bar in words: what it stands on, a field for typed dates, steps to the next change, play, and now.
import { useEffect, useState } from "preact/hooks";
import { askStore, Refused } from "../api";
import { Icon } from "../parts/icon";
import type { Window } from "../types";
import { day } from "../words";
import { micros } from "./time";

export interface ClockProps {
  name: string;
  hint: string;
  clock: "valid" | "known";
  at: number | null;
  playing: boolean;
  move(at: number | null): void;
  step(forward: boolean): void;
  play(): void;
}

const WRITTEN = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z?)?$/;

/** What somebody typed as a moment: a written date, or words that the server reads ("last May"). */
async function read(typed: string): Promise<number | null> {
  if (/^(now|today)?$/i.test(typed)) return null;
  if (WRITTEN.test(typed)) {
    const whole = typed.length === 10 ? `${typed}T00:00:00Z` : typed.replace(" ", "T").replace(/Z?$/, "Z");
    const at = micros(/T\d{2}:\d{2}Z$/.test(whole) ? whole.replace("Z", ":00Z") : whole);
    if (!Number.isNaN(at)) return at;
  }
  const windows = await askStore<Window[]>("when", { text: /^\d{4}$/.test(typed) ? `in ${typed}` : typed });
  const named = windows[0]?.start ?? windows[0]?.end;
  if (!named) throw new Refused(400, "unread", `“${typed}” names no time; try 2025-03-01, March 2025 or last May`);
  return micros(named);
}

export function Clock({ name, hint, clock, at, playing, move, step, play }: ClockProps) {
  const shown = at === null ? "" : day(at / 1000);
  const [typed, setTyped] = useState(shown);
  const [trouble, setTrouble] = useState<string | null>(null);
  useEffect(() => setTyped(shown), [shown]);

  async function take() {
    if (typed.trim() === shown) return;
    try {
      const read_ = await read(typed.trim());
      setTrouble(null);
      move(read_);
      if (read_ === at) setTyped(shown);
    } catch (error) {
      setTrouble((error as Error).message);
    }
  }

  const id = `clock-${clock}`;
  return (
    <div class={`clock clock-${clock}`} role="group" aria-label={name}>
      <label class="clock-name" for={id} title={hint}>
        {name}
      </label>
      <input
        id={id}
        class="clock-date"
        value={typed}
        placeholder="now"
        aria-invalid={trouble !== null}
        aria-describedby={trouble ? `${id}-trouble` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => setTyped(event.currentTarget.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === "Enter") void take();
          if (event.key === "Escape") {
            setTyped(shown);
            setTrouble(null);
          }
        }}
      />
      <button class="quiet" type="button" aria-label={`${name}: previous change`} title="Previous change" onClick={() => step(false)}>
        <Icon name="back" />
      </button>
      <button class="quiet" type="button" aria-label={`${name}: next change`} title="Next change" onClick={() => step(true)}>
        <Icon name="forward" />
      </button>
      <button class="quiet" type="button" aria-label={`${name}: ${playing ? "stop" : "play"}`} aria-pressed={playing} title={playing ? "Stop" : "Play"} onClick={play}>
        <Icon name={playing ? "stop" : "play"} />
      </button>
      <button class="quiet now" type="button" aria-label={`${name}: now`} disabled={at === null} onClick={() => move(null)}>
        Now
      </button>
      {trouble && (
        <p class="clock-trouble" id={`${id}-trouble`} role="alert">
          {trouble}
        </p>
      )}
    </div>
  );
}
