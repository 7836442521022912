// Where on the axis does a time lie? One axis for both clocks, from the first change to the last or to now. What lies long
// before the rest would press all else into a corner: it is put at the edge.
import type { Tick } from "../types";
import { DAY, micros } from "./time";

export interface Axis {
  start: number;
  end: number;
  place(at: number): number;
  time(place: number): number;
  marks(): { at: number; label: string }[];
}

const CROWDED = 6;

export function axisOf(valid: readonly Tick[], known: readonly Tick[], now: number): Axis {
  const validTimes = valid.map((one) => micros(one.at));
  const lastValid = valid.length ? micros(valid[valid.length - 1]!.until) : now;
  const firstKnown = known.length ? micros(known[0]!.at) : now - 30 * DAY;
  let start = Math.min(firstKnown, ...validTimes.slice(0, 1));
  const lived = Math.max(now - firstKnown, 30 * DAY);
  if (now - start > CROWDED * lived) {
    const near = validTimes.filter((one) => one >= now - CROWDED * lived);
    start = Math.min(firstKnown, near[0] ?? firstKnown);
  }
  const end = Math.max(now, Math.min(lastValid, now + lived));
  return axisBetween(start, end);
}

/** From one time to another, with a little room at both ends. */
export function axisBetween(first: number, last: number): Axis {
  const pad = Math.max((last - first) * 0.02, DAY);
  const [start, end] = [first - pad, last + pad];
  const place = (at: number) => Math.min(1, Math.max(0, (at - start) / (end - start)));
  return {
    start,
    end,
    place,
    time: (where) => start + Math.min(1, Math.max(0, where)) * (end - start),
    marks: () => marksOf(start, end),
  };
}

const STEPS_IN_MONTHS = [1, 3, 6, 12, 24, 60, 120, 240, 600, 1200];

function marksOf(start: number, end: number): { at: number; label: string }[] {
  const months = (end - start) / (30.44 * DAY);
  if (months < 2.5) return daysOf(start, end);
  const step = STEPS_IN_MONTHS.find((one) => months / one <= 9) ?? 1200;
  const first = new Date(start / 1000);
  let index = Math.ceil((first.getUTCFullYear() * 12 + first.getUTCMonth() + 1) / step) * step;
  const found = [];
  for (;;) {
    const at = Date.UTC(Math.floor(index / 12), index % 12, 1) * 1000;
    if (at > end) return found;
    const when = new Date(at / 1000);
    const short = when.toLocaleString("en", { month: "short", timeZone: "UTC" });
    const label = when.getUTCMonth() === 0 ? String(when.getUTCFullYear()) : `${short} ${when.getUTCFullYear()}`;
    if (at >= start) found.push({ at, label });
    index += step;
  }
}

function daysOf(start: number, end: number): { at: number; label: string }[] {
  const step = Math.max(1, Math.ceil((end - start) / DAY / 8));
  const found = [];
  for (let at = Math.ceil(start / DAY) * DAY; at <= end; at += step * DAY) {
    const when = new Date(at / 1000);
    found.push({ at, label: `${when.getUTCDate()} ${when.toLocaleString("en", { month: "short", timeZone: "UTC" })}` });
  }
  return found;
}
