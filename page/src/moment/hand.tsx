// One of the two hands: where it stands on the axis, moved by pointer or by keys.
import { day } from "../words";
import type { Axis } from "./axis";

export interface HandProps {
  name: string;
  clock: "valid" | "known";
  axis: Axis;
  /** In microseconds; none is now. */
  at: number | null;
  now: number;
  move(at: number | null, quietly: boolean): void;
  step(forward: boolean): void;
  snaps: readonly number[];
}

const SNAP_PIXELS = 5;
const PAGE = 0.1;

export function Hand({ name, clock, axis, at, now, move, step, snaps }: HandProps) {
  const place = axis.place(at ?? now);

  function follow(event: PointerEvent, quietly: boolean) {
    const box = (event.currentTarget as HTMLElement).parentElement!.getBoundingClientRect();
    const near = ((axis.end - axis.start) / box.width) * SNAP_PIXELS;
    const time = axis.time((event.clientX - box.left) / box.width);
    if (Math.abs(time - now) <= near) return move(null, quietly);
    const snapped = snaps.find((one) => Math.abs(one - time) <= near);
    move(snapped ?? Math.round(time / 1_000_000) * 1_000_000, quietly);
  }

  function onKey(event: KeyboardEvent) {
    const whole = axis.end - axis.start;
    const from = at ?? now;
    const moves: Record<string, () => void> = {
      ArrowRight: () => step(true),
      ArrowUp: () => step(true),
      ArrowLeft: () => step(false),
      ArrowDown: () => step(false),
      PageUp: () => move(Math.min(axis.end, from + whole * PAGE), false),
      PageDown: () => move(Math.max(axis.start, from - whole * PAGE), false),
      Home: () => move(Math.round(axis.start), false),
      End: () => move(null, false),
    };
    const chosen = moves[event.key];
    if (!chosen) return;
    event.preventDefault();
    chosen();
  }

  return (
    <div
      class={`hand hand-${clock}`}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-valuemin={Math.round(axis.start / 1_000_000)}
      aria-valuemax={Math.round(axis.end / 1_000_000)}
      aria-valuenow={Math.round((at ?? now) / 1_000_000)}
      aria-valuetext={at === null ? "now" : day(at / 1000)}
      style={{ left: `${place * 100}%` }}
      onKeyDown={onKey}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        event.currentTarget.focus();
        event.preventDefault();
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) follow(event, true);
      }}
    >
      <span class="hand-grip" aria-hidden="true" />
    </div>
  );
}
