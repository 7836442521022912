// Graph: entities and the facts between them, as true and as known at the moment of the two hands.
import { useMemo, useRef, useState } from "preact/hooks";
import { go, usePlace } from "../address";
import { ask, useAnswer, type Arguments } from "../api";
import { Canvas } from "../graph/canvas";
import { filtered, fromAfar, fromWalks, type Drawn } from "../graph/data";
import { EntityPicker } from "../parts/pickers";
import { Empty, Head, Thing, Waiting } from "../parts/small";
import type { GraphPath, Overview, Walked } from "../types";
import { count, held, relation } from "../words";

const MOST_SEEN = { nodes: 10_000, edges: 30_000 };
const MOST_EDGES = 10_000;
const LISTED = 200;

export function Graph() {
  const { params, asOf, knownAt, sel } = usePlace();
  const moment = { as_of: asOf, known_at: knownAt };
  const start = params.start ?? "";
  const spread = (params.expand ?? "").split(",").filter(Boolean);
  const chosen = useMemo(() => new Set((params.rel ?? "").split(",").filter(Boolean)), [params.rel]);
  const narrowed = { relations: chosen.size ? [...chosen] : undefined, kind: params.kind, confidence: Number(params.sure ?? 0) || undefined };
  // around one entity only the counts are wanted: which relations and kinds there are
  const afar = useAnswer<Overview>("overview", start ? { ...moment, nodes: 1, edges: 1 } : { ...moment, ...narrowed, ...MOST_SEEN });
  const relations = useMemo(() => Object.keys(afar.value?.relations ?? {}).sort(), [afar.value]);
  const walks = useAnswer<Walked[]>(
    "walks",
    start && relations.length
      ? { starts: [start, ...spread], relations: params.memories ? undefined : relations, depth: Number(params.depth || 2), ...moment }
      : null,
    walked,
  );
  const paths = useAnswer<GraphPath[]>("paths", params.a && params.b ? { a: params.a, b: params.b, relations, ...moment } : null);

  const all = useMemo<Drawn>(() => {
    const shown = start ? fromWalks(walks.value ?? []) : fromAfar(afar.value);
    return paths.value ? merged(shown, fromWalks(paths.value)) : shown;
  }, [start, walks.value, afar.value, paths.value]);
  const onPath = useMemo(() => new Set((paths.value?.slice(0, 1) ?? []).flatMap((one) => [...one.nodes, ...one.edges].map((part) => part.id))), [paths.value]);
  const drawn = useMemo(
    () => (!start ? all : filtered(all, { relations: chosen, kind: params.kind ?? "", confidence: Number(params.sure ?? 0) }, new Set([start, ...onPath].filter(Boolean)))),
    [all, chosen, params.kind, params.sure, start, onPath],
  );
  const asked = start && relations.length ? walks : afar;
  const last = useRef<Drawn>(drawn);
  if (asked.value !== null) last.current = drawn;
  const shown = last.current;
  const [flat, setFlat] = useState(false);
  const [near, setNear] = useState<number | null>(null);
  const selected = sel ? sel.slice(sel.indexOf(":") + 1) : null;

  return (
    <>
      <Head title="Graph" about="Entities and the facts between them, at the moment above." />
      <Tools all={all} seen={afar.value} relations={relations} chosen={chosen} />
      {asked.error && <p class="trouble" role="alert">{asked.error.message}</p>}
      <p class="graph-count" role="status" data-nodes={shown.nodes.length} data-edges={shown.edges.length} data-settled={!asked.loading} data-near={near ?? shown.edges.length}>
        {count(shown.nodes.length, "entity", "entities")}, {count(shown.edges.length, "fact")}
        {near !== null && near < shown.edges.length && `, ${near.toLocaleString("en")} of them drawn from here: come nearer for the others`}
        {start && walks.value?.some((one) => one.truncated) && " and more: take fewer steps"}
        {!start && afar.value?.truncated && `: the most connected of ${count(afar.value.entities, "entity", "entities")} and ${count(afar.value.facts, "fact")}. Narrow it down to see others.`}
      </p>
      {flat && <p class="note">This browser cannot draw with WebGL; the list says the same.</p>}
      {afar.value?.facts === 0 && !start && !params.rel && !params.kind && !params.sure && <Empty />}
      {!flat && (
        <Canvas
          drawn={shown}
          selected={selected}
          path={onPath}
          open={(thing, id) => go({ sel: `${thing}:${id}` })}
          expand={(id) => (start ? go({ params: { expand: [...new Set([...spread, id])].join(",") } }) : go({ params: { start: id } }))}
          drawnEdges={setNear}
          failed={() => setFlat(true)}
        />
      )}
      {params.a && params.b && <Paths paths={paths} />}
      <Listed drawn={shown} open={flat} key={String(flat)} />
    </>
  );
}

/** From each of the starts: the first as far as asked, the others one step. */
async function walked<R>(_: string, args: Arguments, signal?: AbortSignal): Promise<R> {
  const { starts, depth, ...rest } = args as { starts: string[]; depth: number };
  const walks = starts.map((start, place) => ask("graph", { ...rest, start, depth: place ? 1 : depth, direction: "both", limit: MOST_EDGES }, signal));
  return (await Promise.all(walks)) as R;
}

function merged(one: Drawn, other: Drawn): Drawn {
  const nodes = new Map([...other.nodes, ...one.nodes].map((node) => [node.id, node]));
  const edges = new Map([...other.edges, ...one.edges].map((edge) => [edge.id, edge]));
  return { nodes: [...nodes.values()], edges: [...edges.values()] };
}

function Tools({ all, seen, relations, chosen }: { all: Drawn; seen: Overview | null; relations: string[]; chosen: ReadonlySet<string> }) {
  const { params } = usePlace();
  const set = (name: string, value: string) => go({ params: { [name]: value } });
  const kinds = [...new Set([...Object.keys(seen?.kinds ?? {}), ...all.nodes.map((one) => one.kind)])].sort();
  const name = (id: string | undefined) => all.nodes.find((one) => one.id === id)?.label ?? "";
  const toggle = (one: string) => {
    const next = new Set(chosen);
    if (!next.delete(one)) next.add(one);
    set("rel", [...next].join(","));
  };
  return (
    <div class="graph-tools">
      <EntityPicker label="Around" hint="everything" start={name(params.start)} choose={(one) => go({ params: { start: one.id, expand: "" } })} />
      {params.start && (
        <>
          <label class="choice">
            <span>Steps</span>
            <select value={params.depth ?? "2"} onChange={(event) => set("depth", event.currentTarget.value)}>
              {["1", "2", "3", "4"].map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <button type="button" onClick={() => go({ params: { start: "", expand: "", depth: "" } })}>
            Everything
          </button>
        </>
      )}
      <details class="filters">
        <summary>
          Filter{chosen.size > 0 || params.kind || params.sure ? " (on)" : ""}
        </summary>
        <div class="fields">
          <fieldset class="relations">
            <legend>Relations</legend>
            {relations.map((one) => (
              <label class="tick" key={one}>
                <input type="checkbox" checked={chosen.has(one)} onChange={() => toggle(one)} /> {relation(one)} <span class="about">{seen?.relations[one]?.toLocaleString("en")}</span>
              </label>
            ))}
          </fieldset>
          <label class="choice">
            <span>Kind</span>
            <select value={params.kind ?? ""} onChange={(event) => set("kind", event.currentTarget.value)}>
              <option value="">any</option>
              {kinds.map((one) => (
                <option key={one}>{one}</option>
              ))}
            </select>
          </label>
          <label class="choice">
            <span>At least this sure: {Math.round(Number(params.sure ?? 0) * 100)} %</span>
            <input type="range" min="0" max="1" step="0.05" value={params.sure ?? "0"} onChange={(event) => set("sure", event.currentTarget.value === "0" ? "" : event.currentTarget.value)} />
          </label>
          {params.start && (
            <label class="tick">
              <input type="checkbox" checked={!!params.memories} onChange={(event) => set("memories", event.currentTarget.checked ? "1" : "")} /> memories too
            </label>
          )}
        </div>
      </details>
      <details class="filters" open={!!(params.a || params.b)}>
        <summary>Path between two</summary>
        <div class="fields">
          <EntityPicker label="From" start={name(params.a)} choose={(one) => set("a", one.id)} />
          <EntityPicker label="To" start={name(params.b)} choose={(one) => set("b", one.id)} />
          <button type="button" onClick={() => go({ params: { a: "", b: "" } })}>
            Clear
          </button>
        </div>
      </details>
    </div>
  );
}

function Paths({ paths }: { paths: ReturnType<typeof useAnswer<GraphPath[]>> }) {
  return (
    <section class="paths">
      <h2>How they are connected</h2>
      <Waiting of={paths} nothing={(found) => (found.length ? null : "At this moment no facts connect them.")}>
        {(found) => (
          <ol class="plain">
            {found.map((path, place) => (
              <li key={place}>
                {path.nodes.map((node, at) => (
                  <span key={node.id}>
                    {at > 0 && <span class="about"> {relation(path.edges[at - 1]!.relation)} </span>}
                    <Thing kind={node.thing} id={node.id}>
                      {node.name ?? node.content}
                    </Thing>
                  </span>
                ))}
              </li>
            ))}
          </ol>
        )}
      </Waiting>
    </section>
  );
}

/** The same in words, for who cannot or would rather not see the drawing. */
function Listed({ drawn, open }: { drawn: Drawn; open: boolean }) {
  const [asked, setAsked] = useState(open);
  const names = useMemo(() => new Map(asked ? drawn.nodes.map((one) => [one.id, one]) : []), [drawn, asked]);
  return (
    <details class="listed" open={asked} onToggle={(event) => setAsked(event.currentTarget.open)}>
      <summary>The same as a list</summary>
      <ul class="plain">
        {(asked ? drawn.edges.slice(0, LISTED) : []).map((one) => (
          <li key={one.id}>
            <Thing kind={names.get(one.source)?.thing ?? "entity"} id={one.source}>
              {names.get(one.source)?.label}
            </Thing>{" "}
            <Thing kind="edge" id={one.id}>
              {relation(one.relation)}
            </Thing>{" "}
            <Thing kind={names.get(one.target)?.thing ?? "entity"} id={one.target}>
              {names.get(one.target)?.label}
            </Thing>{" "}
            <span class="held">{held(one.from, one.until)}</span>
          </li>
        ))}
      </ul>
      {drawn.edges.length > LISTED && <p class="about">and {drawn.edges.length - LISTED} more; narrow it down to see them</p>}
    </details>
  );
}
