// The drawing itself: sigma on our data, with our settings and our events.
import { useEffect, useRef, useState } from "preact/hooks";
import Graph from "graphology";
import Sigma from "sigma";
import { GraphData, type Drawn } from "./data";
import { listen, type Listening } from "./events";
import { keep } from "./layout";
import { edgesInSight, MOST_DRAWN } from "./near";
import { CROWDED, ink, seen, settingsFor } from "./settings";

export interface CanvasProps extends Omit<Listening, "over" | "pinned"> {
  drawn: Drawn;
  selected: string | null;
  path: ReadonlySet<string>;
  /** How many of the edges are to be seen from here; none where that is all of them. */
  drawnEdges(count: number | null): void;
  failed(): void;
}

const HIDDEN = { hidden: true };
const REST_MILLISECONDS = 200;

const still = () => matchMedia("(prefers-reduced-motion: reduce)").matches;

export function Canvas(props: CanvasProps) {
  const box = useRef<HTMLDivElement>(null);
  const held = useRef<{ sigma: Sigma; data: GraphData } | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const over = useRef<string | null>(null);
  const [many, setMany] = useState(props.drawn.nodes.length > CROWDED);

  useEffect(() => {
    const data = new GraphData(still);
    data.show(latest.current.drawn);
    let paint = ink();
    let sigma: Sigma;
    // nothing but nodes in the first picture of very many: it is there at once
    let inSight: ReadonlySet<string> | null = data.graph.size > MOST_DRAWN ? new Set() : null;
    try {
      sigma = new Sigma(data.graph, box.current!, {
        ...settingsFor(latest.current.drawn.nodes.length, paint),
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
          if (near === null && !path.size) return { ...attributes, color: seen(paint.edge, attributes.shown), size: many ? 1 : 1.8, label: "" };
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
    held.current = { sigma, data };
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
    // while it moves no edges are drawn; once it rests those of what is in sight are
    let resting: ReturnType<typeof setTimeout> | undefined;
    const rest = () => {
      clearTimeout(resting);
      resting = setTimeout(() => {
        inSight = edgesInSight(sigma, data.graph);
        latest.current.drawnEdges(inSight?.size ?? data.graph.size);
        sigma.refresh({ skipIndexation: true });
      }, REST_MILLISECONDS);
    };
    if (many) {
      sigma.getCamera().on("updated", rest);
      data.graph.on("eachNodeAttributesUpdated", rest);
      rest();
    } else latest.current.drawnEdges(null);
    const dark = matchMedia("(prefers-color-scheme: dark)");
    const repaint = () => {
      paint = ink();
      sigma.setSettings(settingsFor(data.graph.order, paint));
    };
    dark.addEventListener("change", repaint);
    return () => {
      dark.removeEventListener("change", repaint);
      clearTimeout(resting);
      data.stop();
      sigma.kill();
      held.current = null;
    };
  }, [many]);

  useEffect(() => {
    const { sigma, data } = held.current ?? {};
    if (!sigma || !data) return;
    const crowded = props.drawn.nodes.length > CROWDED;
    if (crowded !== many) return setMany(crowded);
    data.show(props.drawn);
  }, [props.drawn]);

  useEffect(() => {
    held.current?.sigma.refresh({ skipIndexation: true });
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
