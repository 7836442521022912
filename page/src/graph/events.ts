// What does a pointer do to the graph? A press opens what it is on, node or edge, two presses show its neighbours, and a node that is
// dragged stays where it was put.
import type Graph from "graphology";
import type Sigma from "sigma";

export interface Listening {
  open(thing: string, id: string): void;
  expand(id: string): void;
  pinned(id: string): void;
  over(id: string | null): void;
}

export function listen(sigma: Sigma, graph: Graph, tell: Listening): void {
  let dragged: string | null = null;
  let moved = false;
  const thing = (id: string) => String(graph.getNodeAttribute(id, "thing") ?? "entity");

  sigma.on("clickNode", ({ node }) => {
    if (!moved) tell.open(thing(node), node);
  });
  sigma.on("clickEdge", ({ edge }) => tell.open("edge", edge));
  sigma.on("doubleClickNode", ({ node, preventSigmaDefault }) => {
    preventSigmaDefault();
    tell.expand(node);
  });
  sigma.on("enterNode", ({ node }) => tell.over(node));
  sigma.on("leaveNode", () => tell.over(null));
  sigma.on("enterEdge", ({ edge }) => tell.over(edge));
  sigma.on("leaveEdge", () => tell.over(null));
  sigma.on("downNode", ({ node }) => {
    dragged = node;
    moved = false;
    if (!sigma.getCustomBBox()) sigma.setCustomBBox(sigma.getBBox());
  });
  sigma.on("moveBody", ({ event }) => {
    if (dragged === null) return;
    moved = true;
    const at = sigma.viewportToGraph(event);
    graph.mergeNodeAttributes(dragged, { x: at.x, y: at.y, fixed: true });
    event.preventSigmaDefault();
    event.original.preventDefault();
  });
  const drop = () => {
    if (dragged !== null && moved) tell.pinned(dragged);
    dragged = null;
  };
  sigma.on("upNode", drop);
  sigma.on("upStage", drop);
}
