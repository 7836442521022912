// What do the page and its worker say to one another about places?
import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";

/** How many numbers the layout keeps of each node; the first two are its place. */
export const NUMBERS_A_NODE = 10;

export interface Asked {
  nodes: Float32Array;
  edges: Float32Array;
  settings: ForceAtlas2Settings;
  rounds: number;
  milliseconds: number;
}

/** Across and up for one node after the other, in the order in which they were given. */
export interface Places {
  places: Float32Array<ArrayBuffer>;
  rounds: number;
  settled: boolean;
}
