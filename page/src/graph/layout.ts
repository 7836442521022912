// Where does each node lie? Once found a place is kept: as the hands move, what stays does not jump. New nodes begin near
// what they are tied to, and only then the whole is given a little time to settle: few nodes at once, many in a worker,
// while the page goes on.
import forceAtlas2, { type ForceAtlas2Settings } from "graphology-layout-forceatlas2";
import defaults from "graphology-layout-forceatlas2/defaults";
import { graphToByteArrays } from "graphology-layout-forceatlas2/helpers";
import type { AbstractGraph } from "graphology-types";
import type { Asked, Places } from "./places";

interface Place {
  x: number;
  y: number;
}

const kept = new Map<string, Place>();
const AT_ONCE = 300;
const AT_ONCE_MILLISECONDS = 350;
const ROUNDS = 400;
const BESIDE_MILLISECONDS = 12_000;
const WORKER = "/page/layout.js";

/** The same for the same id, so that a graph looks the same whenever it is opened. */
function scattered(id: string): Place {
  let mixed = 2166136261;
  for (let place = 0; place < id.length; place += 1) mixed = Math.imul(mixed ^ id.charCodeAt(place), 16777619);
  const turn = ((mixed >>> 0) / 2 ** 32) * Math.PI * 2;
  const far = Math.sqrt(((Math.imul(mixed, 2654435761) >>> 0) / 2 ** 32) * 1);
  return { x: Math.cos(turn) * far * 10, y: Math.sin(turn) * far * 10 };
}

/** Where it was, or near one of those that it is tied to and that have a place. */
export function placeOf(graph: AbstractGraph, id: string, near: readonly string[]): Place {
  const before = kept.get(id);
  if (before) return before;
  const own = scattered(id);
  for (const one of near) {
    const anchor = kept.get(one) ?? (graph.hasNode(one) ? (graph.getNodeAttributes(one) as Place) : undefined);
    if (anchor) return { x: anchor.x + own.x / 4, y: anchor.y + own.y / 4 };
  }
  return own;
}

export function isPlaced(id: string): boolean {
  return kept.has(id);
}

export function keep(graph: AbstractGraph): void {
  graph.forEachNode((id, attributes) => kept.set(id, { x: attributes.x as number, y: attributes.y as number }));
}

export class Layout {
  private worker: Worker | null = null;
  /** Where the last one was reckoned, and how far it has come: for who wants to know how the drawing came about. */
  readonly told = { where: "none", rounds: 0, settled: true };

  constructor(
    private readonly graph: AbstractGraph,
    private readonly still: () => boolean,
  ) {}

  settle(): void {
    const { graph } = this;
    this.stop();
    if (graph.order > AT_ONCE) return this.beside();
    Object.assign(this.told, { where: "page", rounds: 0, settled: true });
    if (graph.order < 2) return keep(graph);
    const until = performance.now() + AT_ONCE_MILLISECONDS;
    for (; this.told.rounds < ROUNDS && performance.now() < until; this.told.rounds += 10) {
      forceAtlas2.assign(graph, { iterations: 10, settings: settingsFor(graph.order) });
    }
    keep(graph);
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
  }

  private beside(): void {
    const { graph, told } = this;
    const worker = new Worker(WORKER);
    this.worker = worker;
    Object.assign(told, { where: "worker", rounds: 0, settled: false });
    const index = new Map(graph.nodes().map((id, number) => [id, number * 2]));
    worker.onmessage = ({ data }: MessageEvent<Places>) => {
      Object.assign(told, { rounds: data.rounds, settled: data.settled });
      if (data.settled || !this.still()) this.move(index, data.places);
      if (data.settled) this.stop();
    };
    worker.onerror = () => this.stop(); // what is drawn stays where it began
    const asked: Asked = { ...graphToByteArrays(graph, () => 1), settings: settingsFor(graph.order), rounds: ROUNDS, milliseconds: BESIDE_MILLISECONDS };
    worker.postMessage(asked, [asked.nodes.buffer, asked.edges.buffer]);
  }

  /** All at once, so that the drawing is brought up to date once; what somebody has put somewhere stays there. */
  private move(index: ReadonlyMap<string, number>, places: Float32Array): void {
    this.graph.updateEachNodeAttributes(
      (id, attributes) => {
        const at = index.get(id);
        if (at === undefined || attributes.fixed) return attributes;
        attributes.x = places[at];
        attributes.y = places[at + 1];
        return attributes;
      },
      { attributes: ["x", "y"] },
    );
    keep(this.graph);
  }
}

function settingsFor(nodes: number): ForceAtlas2Settings {
  return {
    ...defaults,
    ...forceAtlas2.inferSettings(nodes),
    barnesHutOptimize: nodes > AT_ONCE,
    barnesHutTheta: nodes > AT_ONCE ? 1 : 0.5,
    gravity: 1,
    scalingRatio: 8,
    slowDown: 2,
    adjustSizes: false,
  };
}
