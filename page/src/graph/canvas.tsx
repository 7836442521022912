// The drawing itself: sigma on our data, with our settings and our events.
import { useEffect, useRef, useState } from "preact/hooks";
import Graph from "graphology";
import Sigma from "sigma";
import { GraphData, type Drawn } from "./data";
import { listen, type Listening } from "./events";
import { Glide } from "./glide";
import { keep } from "./layout";
import { edgesInSight, MOST_DRAWN } from "./near";
import { between, CROWDED, ink, seen, settingsFor } from "./settings";

export interface CanvasProps extends Omit<Listening, "over" | "pinned"> {
  drawn: Drawn;
  selected: string | null;
  path: ReadonlySet<string>;
  /** How many of the edges are to be seen from here; none where that is all of them. */
  drawnEdges(count: number | null): void;
  failed(): void;
}

const HIDDEN = { hidden: true };

type Amount = "none" | "few" | "many";

function amountOf(drawn: Drawn): Amount {
  return drawn.nodes.length > CROWDED ? "many" : drawn.nodes.length > 0 ? "few" : "none";
}

/** These nodes and edges, and the edges that touch them. */
function around(graph: Graph, ids: readonly (string | null)[]): { nodes: string[]; edges: string[] } {
  const nodes = ids.filter((id): id is string => id !== null && graph.hasNode(id));
  const edges = ids.filter((id): id is string => id !== null && graph.hasEdge(id));
  return { nodes, edges: [...edges, ...nodes.flatMap((id) => graph.edges(id))] };
}

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function Canvas(props: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const held = useRef<{ sigma: Sigma; data: GraphData; shown: Drawn } | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const over = useRef<string | null>(null);
  const [amount, setAmount] = useState(amountOf(props.drawn));
  const many = amount === "many";

  useEffect(() => {
    if (amount === "none") return; // nothing is made ready for a drawing that may be of another kind
    const data = new GraphData(still);
    const first = latest.current.drawn;
    data.show(first);
    let paint = ink();
    let sigma: Sigma;
    // nothing but nodes in the first picture of very many: it is there at once
    let inSight: ReadonlySet<string> | null = data.graph.size > MOST_DRAWN ? new Set() : null;
    try {
      sigma = new Sigma(data.graph, box.current!, {
        ...settingsFor(first.nodes.length, paint),
        nodeReducer: (id, attributes) => {
          const { selected, path } = latest.current;
          const chosen = id === selected || path.has(id) || id === over.current;
          const dim = path.size > 0 && !path.has(id);
          const colour = chosen ? paint.accent : paint.node(attributes.kind);
          return { ...attributes, color: dim ? paint.faint : colour, forceLabel: chosen, zIndex: chosen ? 2 : 1 };
        },
        edgeReducer: (id, attributes) => {
          const { selected, path } = latest.current;
          const near = over.current ?? selected;
          if (inSight && !inSight.has(id) && id !== near && !path.has(id)) return HIDDEN;
          if (near === null && !path.size) return { ...attributes, color: seen(many ? between(paint.edge, paint.faint) : paint.edge, attributes.shown), size: many ? 1 : 1.8, label: "" };
          const [source, target] = data.graph.extremities(id);
          const chosen = id === near || path.has(id);
          const touched = chosen || source === near || target === near;
          const colour = chosen ? paint.accent : path.size ? paint.faint : paint.edge;
          return { ...attributes, color: seen(colour, attributes.shown), size: chosen ? 3 : 1.8, forceLabel: chosen, label: touched ? attributes.label : "", zIndex: chosen ? 2 : 1 };
        },
      });
    } catch {
      latest.current.failed();
      return;
    }
    held.current = { sigma, data, shown: first };
    const away = new Graph({ multi: true });
    data.quietly = (change) => {
      sigma.setGraph(away);
      change();
      sigma.setGraph(data.graph);
    };
    Object.assign(box.current!, { sigma, layout: data.layout.told });
    listen(sigma, data.graph, {
      open: (thing, id) => latest.current.open(thing, id),
      expand: (id) => latest.current.expand(id),
      pinned: () => keep(data.graph),
      over: (id) => {
        over.current = id;
        box.current?.classList.toggle("canvas-over", id !== null);
        if (!many) sigma.refresh({ skipIndexation: true });
      },
    });
    // once it rests the edges of what is in sight are drawn; only those that come or go are gone through
    let glide: Glide | null = null;
    const settle = () => glide?.settle();
    if (many) {
      glide = new Glide(sigma, () => {
        const before = inSight;
        inSight = edgesInSight(sigma, data.graph);
        latest.current.drawnEdges(inSight?.size ?? data.graph.size);
        const edges = before && inSight ? data.graph.filterEdges((id) => before.has(id) !== inSight!.has(id)) : before === inSight ? [] : null;
        sigma.refresh(edges ? { partialGraph: { edges }, skipIndexation: true } : undefined);
      });
      Object.assign(box.current!, { glide: glide.told });
      box.current!.addEventListener("pointerdown", settle, true);
      data.graph.on("eachNodeAttributesUpdated", () => glide?.rest());
      glide.rest();
    } else latest.current.drawnEdges(null);
    const canvases = box.current!;
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => {
      paint = ink();
      sigma.setSettings(settingsFor(data.graph.order, paint));
    };
    dark.addEventListener("change", repaint);
    return () => {
      dark.removeEventListener("change", repaint);
      canvases.removeEventListener("pointerdown", settle, true);
      glide?.stop();
      data.stop();
      sigma.kill();
      held.current = null;
    };
  }, [amount]);

  useEffect(() => {
    const now = amountOf(props.drawn);
    if (now !== amount && (now !== "none" || amount === "many")) return setAmount(now);
    if (!held.current || held.current.shown === props.drawn) return;
    held.current.shown = props.drawn;
    held.current.data.show(props.drawn);
  }, [props.drawn]);

  const marked = useRef({ selected: props.selected, path: props.path });
  useEffect(() => {
    const before = marked.current;
    marked.current = { selected: props.selected, path: props.path };
    const { sigma, data } = held.current ?? {};
    if (!sigma || !data) return;
    const dims = before.path.size > 0 || props.path.size > 0 || !many; // then everything looks different
    sigma.refresh(dims ? { skipIndexation: true } : { partialGraph: around(data.graph, [before.selected, props.selected]), skipIndexation: true });
  }, [props.selected, props.path]);

  const zoom = (how: "animatedZoom" | "animatedUnzoom" | "animatedReset") => () => {
    const camera = held.current?.sigma.getCamera();
    if (camera) void camera[how]({ duration: still() ? 0 : 200 });
  };
  return (
    <div class="canvas-frame">
      <div class="canvas" ref={box} role="img" aria-label={`A graph of ${props.drawn.nodes.length} nodes and ${props.drawn.edges.length} edges; the list below says the same in words`} />
      <div class="canvas-tools" role="group" aria-label="The drawing">
        <button type="button" aria-label="Nearer" onClick={zoom("animatedZoom")}>
          +
        </button>
        <button type="button" aria-label="Farther" onClick={zoom("animatedUnzoom")}>
          −
        </button>
        <button type="button" aria-label="The whole" onClick={zoom("animatedReset")}>
          ⤢
        </button>
      </div>
    </div>
  );
}
