// The drawing of one plane: two axes of time, a rectangle a belief, and the cross-hair of the two hands.
import { axisBetween } from "../moment/axis";
import { micros, now as present, text } from "../moment/time";
import type { Belief } from "../types";
import { BEGINNING, day, held } from "../words";
import { holds, type Stand } from "./stand";

const TALL = 260;
const LEFT = 74;
const BELOW = 26;
const SHADES = 6;
const LETTER = 6.6;

export interface RectanglesProps {
  beliefs: readonly Belief[];
  stand: Stand;
  title: string;
  open(one: Belief): void;
  move(valid: string, known: string): void;
}

export function Rectangles({ beliefs, stand, title, open, move }: RectanglesProps) {
  const now = present();
  const WIDE = matchMedia("(max-width: 760px)").matches ? 420 : 760;
  const told = beliefs.flatMap((one) => [one.valid_from, one.valid_until].filter((at) => at !== null && at > BEGINNING).map((at) => micros(at!)));
  const valid = told.length ? told : [now];
  const known = beliefs.map((one) => micros(one.known_from));
  const across = axisBetween(Math.min(...valid), Math.max(now, ...valid));
  const up = axisBetween(Math.min(...known), now);
  const x = (at: number) => LEFT + across.place(at) * (WIDE - LEFT);
  const y = (at: number) => (1 - up.place(at)) * TALL;
  const shades = new Map([...new Set(beliefs.map((one) => one.object ?? one.id))].map((name, place) => [name, place % SHADES]));
  const box = (one: Belief) => {
    const [left, right] = [x(micros(one.valid_from)), one.valid_until === null ? WIDE : x(micros(one.valid_until))];
    const [low, high] = [y(micros(one.known_from)), one.known_until === null ? 0 : y(micros(one.known_until))];
    return { x: left, y: high, width: Math.max(2, right - left), height: Math.max(2, low - high) };
  };

  function stands(event: MouseEvent) {
    const area = (event.currentTarget as SVGSVGElement).getBoundingClientRect();
    const scale = WIDE / area.width;
    const [px, py] = [(event.clientX - area.left) * scale, (event.clientY - area.top) * scale];
    if (px < LEFT || py > TALL) return;
    const valid = across.time((px - LEFT) / (WIDE - LEFT));
    const known = Math.min(up.time(1 - py / TALL), now);
    move(text(Math.round(valid / 1e6) * 1e6), text(Math.round(known / 1e6) * 1e6));
  }

  return (
    <svg class="rectangles" viewBox={`0 0 ${WIDE} ${TALL + BELOW}`} role="group" aria-label={`Beliefs: ${title}`} onClick={stands}>
      <g class="grid" aria-hidden="true">
        {across.marks().map((one) => (
          <g key={one.at}>
            <line x1={x(one.at)} x2={x(one.at)} y1={0} y2={TALL} />
            <text x={x(one.at)} y={TALL + 16} text-anchor="middle">
              {one.label}
            </text>
          </g>
        ))}
        {up.marks().map((one) => (
          <g key={one.at}>
            <line x1={LEFT} x2={WIDE} y1={y(one.at)} y2={y(one.at)} />
            <text x={LEFT - 8} y={y(one.at) + 4} text-anchor="end">
              {one.label}
            </text>
          </g>
        ))}
      </g>
      {beliefs.map((one) => {
        const place = box(one);
        const name = one.object ?? one.what;
        const room = Math.floor((place.width - 14) / LETTER);
        const there = holds(one, stand);
        const told = `${one.what}: ${held(one.valid_from, one.valid_until)}; believed from ${day(one.known_from)}${one.known_until ? ` until ${day(one.known_until)}` : " on"}${one.actor ? `; written by ${one.actor}` : ""}`;
        return (
          <a
            key={`${one.id}-${one.known_from}`}
            href="#"
            aria-label={told}
            class={`belief belief-${shades.get(one.object ?? one.id)} ${there ? "belief-there" : ""}`}
            onClick={(event) => {
              event.preventDefault();
              event.stopPropagation();
              open(one);
            }}
          >
            <title>{told}</title>
            <rect {...place} rx={3} />
            {place.height > 18 && room > 2 && (
              <text x={place.x + 8} y={place.y + place.height - 8}>
                {name.length > room ? `${name.slice(0, room - 1)}…` : name}
              </text>
            )}
          </a>
        );
      })}
      <g class="cross" aria-hidden="true">
        <line class="cross-valid" x1={x(stand.valid)} x2={x(stand.valid)} y1={0} y2={TALL} />
        <line class="cross-known" x1={LEFT} x2={WIDE} y1={y(stand.known)} y2={y(stand.known)} />
        <circle cx={x(stand.valid)} cy={y(stand.known)} r={5} />
      </g>
      <text class="axis-name" x={WIDE} y={TALL + 16} text-anchor="end" aria-hidden="true">
        true →
      </text>
      <text class="axis-name" x={LEFT - 8} y={10} text-anchor="end" aria-hidden="true">
        known ↑
      </text>
    </svg>
  );
}
