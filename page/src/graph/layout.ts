// Where does each node lie? Once found a place is kept: as the hands move, what stays does not jump. New nodes begin near
// what they are tied to, and only then the whole is given a little time to settle.
import forceAtlas2 from "graphology-layout-forceatlas2";
import type { AbstractGraph } from "graphology-types";

const kept = new Map<string, { x: number; y: number }>();

/** The same for the same id, so that a graph looks the same whenever it is opened. */
function scattered(id: string): { x: number; y: number } {
  let mixed = 2166136261;
  for (let place = 0; place < id.length; place += 1) mixed = Math.imul(mixed ^ id.charCodeAt(place), 16777619);
  const turn = ((mixed >>> 0) / 2 ** 32) * Math.PI * 2;
  const far = Math.sqrt(((Math.imul(mixed, 2654435761) >>> 0) / 2 ** 32) * 1);
  return { x: Math.cos(turn) * far * 10, y: Math.sin(turn) * far * 10 };
}

export function placeOf(id: string, near: readonly string[]): { x: number; y: number } {
  const before = kept.get(id);
  if (before) return before;
  const anchor = near.map((one) => kept.get(one)).find((one) => one !== undefined);
  const own = scattered(id);
  return anchor ? { x: anchor.x + own.x / 4, y: anchor.y + own.y / 4 } : own;
}

export function isPlaced(id: string): boolean {
  return kept.has(id);
}

/** Lets the graph settle for at most so long; answers once it may be drawn. */
export function settle(graph: AbstractGraph, milliseconds: number): void {
  if (graph.order < 2) return keep(graph);
  const settings = {
    ...forceAtlas2.inferSettings(graph.order),
    barnesHutOptimize: graph.order > 400,
    gravity: 1,
    scalingRatio: 8,
    slowDown: 2,
    adjustSizes: false,
  };
  const until = performance.now() + milliseconds;
  for (let round = 0; round < 400 && performance.now() < until; round += 10) forceAtlas2.assign(graph, { iterations: 10, settings });
  keep(graph);
}

export function keep(graph: AbstractGraph): void {
  graph.forEachNode((id, attributes) => kept.set(id, { x: attributes.x as number, y: attributes.y as number }));
}
