// Which nodes and edges are there? What the server answers becomes the graph that is drawn; from one moment to the next
// edges come and go and everything else stays.
import Graph from "graphology";
import type { GraphEdge, GraphNode, Overview } from "../types";
import { isPlaced, Layout, placeOf } from "./layout";
import { CROWDED, sizeOf } from "./settings";

export interface Drawn {
  nodes: { id: string; label: string; kind: string; thing: string }[];
  edges: { id: string; source: string; target: string; relation: string; confidence: number; from: string | null; until: string | null }[];
}

export function fromAfar(seen: Overview | null): Drawn {
  return {
    nodes: (seen?.nodes ?? []).map((one) => ({ id: one.id, label: one.name, kind: one.kind, thing: "entity" })),
    edges: (seen?.edges ?? []).map(drawnEdge),
  };
}

function drawnEdge(one: GraphEdge): Drawn["edges"][number] {
  const { id, relation, confidence } = one;
  return { id, source: one.source_id, target: one.target_id, relation, confidence, from: one.valid_from, until: one.valid_until };
}

export function fromWalks(walks: readonly { nodes: readonly GraphNode[]; edges: readonly GraphEdge[] }[]): Drawn {
  const nodes = new Map<string, Drawn["nodes"][number]>();
  const edges = new Map<string, Drawn["edges"][number]>();
  for (const walk of walks) {
    for (const one of walk.nodes) {
      const label = one.name ?? one.content ?? one.id;
      nodes.set(one.id, { id: one.id, label, kind: one.thing === "memory" ? "memory" : (one.kind ?? "concept"), thing: one.thing });
    }
    for (const one of walk.edges) edges.set(one.id, drawnEdge(one));
  }
  return { nodes: [...nodes.values()], edges: [...edges.values()].filter((one) => nodes.has(one.source) && nodes.has(one.target)) };
}

export interface Filter {
  relations: ReadonlySet<string>;
  kind: string;
  confidence: number;
}

export function filtered(all: Drawn, filter: Filter, always: ReadonlySet<string>): Drawn {
  const kinds = new Map(all.nodes.map((one) => [one.id, one.kind]));
  const fits = (id: string) => !filter.kind || kinds.get(id) === filter.kind || always.has(id);
  const edges = all.edges.filter(
    (one) =>
      (!filter.relations.size || filter.relations.has(one.relation)) && one.confidence >= filter.confidence && (fits(one.source) || fits(one.target)),
  );
  const tied = new Set(edges.flatMap((one) => [one.source, one.target]));
  return { nodes: all.nodes.filter((one) => tied.has(one.id) || always.has(one.id)), edges };
}

const FADE_MILLISECONDS = 360;

export class GraphData {
  readonly graph = new Graph({ multi: true });
  private leaving = new Set<string>();
  private frame = 0;
  readonly layout: Layout;

  constructor(private readonly still: () => boolean) {
    this.layout = new Layout(this.graph, still);
  }

  /** Who draws it is told of many changes once: told of each, it would go through all there is each time. */
  quietly: (change: () => void) => void = (change) => change();

  /** Brings what is drawn to what is there now. */
  show(wanted: Drawn): void {
    this.quietly(() => this.bring(wanted));
  }

  private bring(wanted: Drawn): void {
    const { graph } = this;
    const edges = new Map(wanted.edges.map((one) => [one.id, one]));
    const nodes = new Map(wanted.nodes.map((one) => [one.id, one]));
    const fades = !this.still() && wanted.edges.length < CROWDED && graph.size > 0;
    graph.forEachEdge((id) => {
      if (edges.has(id)) this.leaving.delete(id);
      else if (fades) this.leaving.add(id);
      else graph.dropEdge(id);
    });
    if (!fades) {
      this.leaving.clear();
      graph.forEachNode((id) => nodes.has(id) || graph.dropNode(id));
    }
    const near = new Map<string, string[]>();
    for (const one of wanted.edges) {
      near.set(one.source, [...(near.get(one.source) ?? []), one.target].slice(0, 4));
      near.set(one.target, [...(near.get(one.target) ?? []), one.source].slice(0, 4));
    }
    let fresh = 0;
    for (const one of wanted.nodes) {
      if (graph.hasNode(one.id)) {
        const before = graph.getNodeAttributes(one.id);
        if (before.label !== one.label || before.kind !== one.kind) graph.mergeNodeAttributes(one.id, { label: one.label, kind: one.kind });
        continue;
      }
      if (!isPlaced(one.id)) fresh += 1;
      graph.addNode(one.id, { ...placeOf(graph, one.id, near.get(one.id) ?? []), label: one.label, kind: one.kind, thing: one.thing, size: 4 });
    }
    for (const one of wanted.edges) {
      if (graph.hasEdge(one.id)) continue;
      const attributes = { label: one.relation.toLowerCase().replaceAll("_", " "), relation: one.relation, shown: fades ? 0 : 1, size: 1 };
      graph.addEdgeWithKey(one.id, one.source, one.target, attributes);
    }
    const crowded = graph.order > CROWDED;
    graph.updateEachNodeAttributes((id, attributes) => ((attributes.size = sizeOf(graph.degree(id), crowded)), attributes), { attributes: ["size"] });
    if (fresh) this.layout.settle();
    if (fades) this.fade(nodes);
  }

  private fade(nodes: ReadonlyMap<string, unknown>): void {
    cancelAnimationFrame(this.frame);
    const begun = performance.now();
    const step = () => {
      const part = Math.min(1, (performance.now() - begun) / FADE_MILLISECONDS);
      this.graph.forEachEdge((id, attributes) => {
        if (this.leaving.has(id)) this.graph.setEdgeAttribute(id, "shown", 1 - part);
        else if (attributes.shown < 1) this.graph.setEdgeAttribute(id, "shown", part);
      });
      if (part < 1) {
        this.frame = requestAnimationFrame(step);
        return;
      }
      this.quietly(() => {
        this.leaving.forEach((id) => this.graph.hasEdge(id) && this.graph.dropEdge(id));
        this.leaving.clear();
        this.graph.forEachNode((id) => nodes.has(id) || this.graph.dropNode(id));
      });
    };
    step();
  }

  stop(): void {
    this.layout.stop();
    cancelAnimationFrame(this.frame);
  }
}
