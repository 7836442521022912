// The moment, above all views: two hands over one axis of time. What was true on one day, as known on another.
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { go, usePlace } from "../address";
import { ask, askLater, useAnswer } from "../api";
import type { Moments, Tick } from "../types";
import { axisOf } from "./axis";
import { Clock } from "./clock";
import { Hand } from "./hand";
import { micros, now as present, text } from "./time";

type Which = "asOf" | "knownAt";
const CLOCK = { asOf: "valid", knownAt: "known" } as const;
const NAMES = { asOf: "True on", knownAt: "As known on" };
const HINTS = {
  asOf: "What was so in the world on that day",
  knownAt: "What had been learned by that day",
};
const PLAY_MILLISECONDS = 900;
const HEIGHT = 22;

export function MomentBar() {
  const place = usePlace();
  const [playing, setPlaying] = useState<Which | null>(null);
  const opened = useRef(present());
  // the axis stays where it is while the known hand moves: it is made from all that is known
  const whole = useAnswer<Moments>("moments", place.space ? { clock: "valid", limit: 160 } : null, askLater);
  const then = useAnswer<Moments>("moments", place.space && place.knownAt ? { clock: "valid", known_at: place.knownAt, limit: 160 } : null, askLater);
  const valid = place.knownAt ? then : whole;
  const known = useAnswer<Moments>("moments", place.space ? { clock: "known", limit: 160 } : null, askLater);
  const ticks = { asOf: valid.value?.ticks ?? [], knownAt: known.value?.ticks ?? [] };
  const now = Math.max(opened.current, ...ticks.knownAt.slice(-1).map((one) => micros(one.until)));
  const axis = useMemo(
    () => axisOf(whole.value?.ticks ?? [], known.value?.ticks ?? [], now),
    [whole.value, known.value, now],
  );
  const at = {
    asOf: place.asOf === null ? null : micros(place.asOf),
    knownAt: place.knownAt === null ? null : micros(place.knownAt),
  };

  function move(which: Which, to: number | null, quietly = false) {
    setPlaying(null);
    go({ [which]: to === null ? null : text(to) }, quietly);
  }

  async function firstTick(which: Which, asked: { after?: string | null; before?: string | null } = {}) {
    const knowing = which === "asOf" ? place.knownAt : null;
    const found = await ask<Moments>("moments", { clock: CLOCK[which], known_at: knowing, limit: 1, ...asked });
    return found.ticks[0];
  }

  /** The next change on that clock, or the last; past the end is now. */
  async function next(which: Which, forward: boolean): Promise<boolean> {
    const from = (which === "asOf" ? place.asOf : place.knownAt) ?? null;
    if (forward && from === null) return false;
    const asked = forward ? { after: from } : { before: from ?? text(which === "asOf" ? axis.end : now + 1) };
    const tick = await firstTick(which, asked);
    if (!tick) {
      if (forward) go({ [which]: null });
      return false;
    }
    const to = forward ? tick.at : tick.until;
    go({ [which]: to });
    return true;
  }

  /** From now it begins with the first change, asked for where the bar has not heard of it yet. */
  async function play(which: Which) {
    if (playing === which) return setPlaying(null);
    if (at[which] === null) {
      const first = ticks[which][0] ?? (await firstTick(which));
      if (!first) return;
      go({ [which]: first.at });
    }
    setPlaying(which);
  }

  useEffect(() => {
    if (playing === null) return;
    const timer = setTimeout(async () => {
      if (!(await next(playing, true))) setPlaying(null);
    }, PLAY_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [playing, place.asOf, place.knownAt, valid.value]);

  const standing = at.asOf === null && at.knownAt === null;
  return (
    <section class={`moment ${standing ? "moment-now" : ""}`} aria-label="The moment that is looked at">
      {(["asOf", "knownAt"] as const).map((which) => (
        <Clock
          key={which}
          name={NAMES[which]}
          hint={HINTS[which]}
          clock={CLOCK[which]}
          at={at[which]}
          playing={playing === which}
          move={(to) => move(which, to)}
          step={(forward) => void (setPlaying(null), next(which, forward))}
          play={() => void play(which)}
        />
      ))}
      <div class="axis">
        <div class="axis-field">
          <Bars ticks={ticks.asOf} place={axis.place} up />
          <Bars ticks={ticks.knownAt} place={axis.place} />
          <div class="axis-line" />
          <div class="axis-now" style={{ left: `${axis.place(now) * 100}%` }} title="Now" />
          {(["asOf", "knownAt"] as const).map((which) => (
            <Hand
              key={which}
              name={NAMES[which]}
              clock={CLOCK[which]}
              axis={axis}
              at={at[which]}
              now={now}
              snaps={ticks[which].map((one) => micros(one.until))}
              move={(to, quietly) => move(which, to, quietly)}
              step={(forward) => void (setPlaying(null), next(which, forward))}
            />
          ))}
        </div>
        <div class="axis-marks" aria-hidden="true">
          {axis.marks().map((one) => (
            <span key={one.at} style={{ left: `${axis.place(one.at) * 100}%` }}>
              {one.label}
            </span>
          ))}
        </div>
      </div>
    </section>
  );
}

/** How much changed when: a ring of the tree for each time, upward for what began or ended, downward for what was written. */
function Bars({ ticks, place, up = false }: { ticks: readonly Tick[]; place(at: number): number; up?: boolean }) {
  const most = Math.max(1, ...ticks.map((one) => one.changes));
  return (
    <svg class={`axis-bars ${up ? "axis-bars-up" : "axis-bars-down"}`} viewBox={`0 0 1000 ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      {ticks.map((one) => {
        const tall = 4 + (HEIGHT - 4) * Math.sqrt(one.changes / most);
        const x = place(micros(one.until)) * 1000;
        return <rect key={one.at} x={x - 1} width={2} y={up ? HEIGHT - tall : 0} height={tall} />;
      })}
    </svg>
  );
}
