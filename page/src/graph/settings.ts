// How is it drawn? Colours from the page's own tokens, light or dark. Where there are many nodes they are small, and only
// the most connected have their names until one comes nearer.
import { EdgeLineProgram, NodePointProgram, type NodeHoverDrawingFunction } from "sigma/rendering";
import type { Settings } from "sigma/settings";

export const KINDS = ["person", "organization", "project", "place", "technology", "event", "object", "concept", "memory"];

export interface Ink {
  node(kind: string): string;
  edge: string;
  faint: string;
  accent: string;
  text: string;
  ground: string;
}

export function ink(): Ink {
  const style = getComputedStyle(document.documentElement);
  const token = (name: string) => style.getPropertyValue(name).trim();
  const kinds = new Map(KINDS.map((kind) => [kind, token(`--kind-${kind}`)]));
  return {
    node: (kind) => kinds.get(kind) || token("--kind-concept"),
    edge: token("--edge"),
    faint: token("--edge-faint"),
    accent: token("--accent"),
    text: token("--ink"),
    ground: token("--ground"),
  };
}

/** The colour in the middle between two of ours. */
export function between(one: string, other: string): string {
  const part = (colour: string, at: number) => Number.parseInt(colour.slice(at, at + 2), 16);
  return `#${[1, 3, 5].map((at) => Math.round((part(one, at) + part(other, at)) / 2).toString(16).padStart(2, "0")).join("")}`;
}

/** A colour of ours, #rrggbb, so far on its way to be seen. */
export function seen(colour: string, part: number): string {
  return colour + Math.round(Math.max(0, Math.min(1, part)) * 255).toString(16).padStart(2, "0");
}

/** The label of the node under the pointer, on the page's own ground. */
const hovered =
  (paint: Ink): NodeHoverDrawingFunction =>
  (context, node, settings) => {
    if (!node.label) return;
    context.font = `600 ${settings.labelSize}px ${settings.labelFont}`;
    const wide = context.measureText(node.label).width;
    const [left, top] = [node.x + node.size + 2, node.y - settings.labelSize / 2 - 5];
    context.fillStyle = paint.ground;
    context.strokeStyle = paint.edge;
    context.beginPath();
    context.roundRect(left, top, wide + 12, settings.labelSize + 10, 5);
    context.fill();
    context.stroke();
    context.fillStyle = paint.text;
    context.fillText(node.label, left + 6, node.y + settings.labelSize / 3);
  };

/** From so many nodes on it is drawn with less of everything. */
export const CROWDED = 1_500;
const FEW = 120;

export function sizeOf(edges: number, crowded: boolean): number {
  return crowded ? 1.5 + Math.min(6, Math.sqrt(edges) * 0.6) : 3 + Math.min(9, Math.sqrt(edges) * 1.6);
}

/** Points and lines, all of them in one call each. The programs for few draw every node and edge as a copy of a shape, which
 * without a graphics card is a call for each. */
const PLAIN: Partial<Settings> = { nodeProgramClasses: { circle: NodePointProgram }, edgeProgramClasses: { line: EdgeLineProgram } };

export function settingsFor(nodes: number, paint: Ink): Partial<Settings> {
  const [many, few] = [nodes > CROWDED, nodes < FEW];
  return {
    ...(many ? PLAIN : {}),
    defaultEdgeType: many ? "line" : "arrow",
    renderEdgeLabels: !many,
    enableEdgeEvents: !many,
    edgeLabelFont: "-apple-system, Segoe UI, Roboto, Arial, sans-serif",
    edgeLabelSize: 10,
    edgeLabelColor: { color: paint.text },
    labelFont: "-apple-system, Segoe UI, Roboto, Arial, sans-serif",
    labelSize: 12,
    labelColor: { color: paint.text },
    labelDensity: many ? 0.5 : few ? 4 : 1.2,
    labelRenderedSizeThreshold: many ? 4 : few ? 0 : 4,
    minEdgeThickness: many ? 0.5 : 1,
    zIndex: !many,
    allowInvalidContainer: true,
    stagePadding: 40,
    defaultDrawNodeHover: hovered(paint),
  };
}
