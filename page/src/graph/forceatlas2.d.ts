// The parts of the layout that its package does not describe: one round on plain numbers, and how a graph becomes them.
declare module "graphology-layout-forceatlas2/iterate" {
  import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";
  export default function iterate(settings: ForceAtlas2Settings, nodes: Float32Array, edges: Float32Array): void;
}
declare module "graphology-layout-forceatlas2/helpers" {
  import type { AbstractGraph } from "graphology-types";
  export function graphToByteArrays(graph: AbstractGraph, weight: () => number): { nodes: Float32Array<ArrayBuffer>; edges: Float32Array<ArrayBuffer> };
}
declare module "graphology-layout-forceatlas2/defaults" {
  import type { ForceAtlas2Settings } from "graphology-layout-forceatlas2";
  const defaults: ForceAtlas2Settings;
  export default defaults;
}
