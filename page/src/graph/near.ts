// Which edges are drawn where there are very many? So many as a picture can bear: those of what is in sight, the most
// connected first. Whoever comes nearer sees the others.
import type Sigma from "sigma";
import type Graph from "graphology";

export const MOST_DRAWN = 3_000;

/** The edges to draw; none where all of them are. */
export function edgesInSight(sigma: Sigma, graph: Graph, most = MOST_DRAWN): ReadonlySet<string> | null {
  if (graph.size <= most) return null;
  const { width, height } = sigma.getDimensions();
  const corners = [
    [0, 0],
    [width, 0],
    [0, height],
    [width, height],
  ].map(([x, y]) => sigma.viewportToFramedGraph({ x: x!, y: y! }, { cameraState: sigma.getCamera().getState() }));
  const [left, right] = [Math.min(...corners.map((one) => one.x)), Math.max(...corners.map((one) => one.x))];
  const [low, high] = [Math.min(...corners.map((one) => one.y)), Math.max(...corners.map((one) => one.y))];
  const inSight = new Set<string>();
  graph.forEachNode((id) => {
    const at = sigma.getNodeDisplayData(id);
    if (at && at.x >= left && at.x <= right && at.y >= low && at.y <= high) inSight.add(id);
  });
  const chosen = new Set<string>();
  // the server tells the most connected first, and the graph keeps that order
  for (const { edge, source, target } of graph.edgeEntries()) {
    if (chosen.size >= most) break;
    if (inSight.has(source) || inSight.has(target)) chosen.add(edge);
  }
  return chosen;
}
