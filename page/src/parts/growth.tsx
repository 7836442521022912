// How many memories there were at each time: one line, drawn plainly.
import { micros } from "../moment/time";
import type { Moments } from "../types";
import { month } from "../words";

const WIDE = 420;
const TALL = 120;

export function Growth({ moments }: { moments: Moments }) {
  const ticks = moments.ticks;
  if (ticks.length < 2) return <p class="about">Too little was written yet to draw a line.</p>;
  const [first, last] = [micros(ticks[0]!.at), micros(ticks[ticks.length - 1]!.until)];
  let all = 0;
  const points = ticks.map((one) => {
    all += one.memories;
    return [(WIDE * (micros(one.until) - first)) / Math.max(1, last - first), all] as const;
  });
  const y = (number: number) => TALL - (TALL - 6) * (number / Math.max(1, all));
  const line = points.map(([x, number], place) => `${place ? `H${x.toFixed(1)}V` : `M0 ${TALL}H${x.toFixed(1)}V`}${y(number).toFixed(1)}`).join("");
  return (
    <figure class="growth">
      <svg viewBox={`0 0 ${WIDE} ${TALL + 2}`} role="img" aria-label={`From none to ${all} memories`} preserveAspectRatio="none">
        <path class="growth-under" d={`${line}V${TALL}Z`} />
        <path class="growth-line" d={line} />
      </svg>
      <figcaption>
        <span>{month(first / 1000)}</span>
        <span>{all.toLocaleString("en")} written</span>
        <span>{month(last / 1000)}</span>
      </figcaption>
    </figure>
  );
}
