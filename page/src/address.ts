// What is looked at? The one store of state: the address. Space, moment, view, selection and whatever a view asks for
// stand in the fragment, so that every view is a link that can be sent, and nothing of it is sent to a server's log.
import { useEffect, useState } from "preact/hooks";

export interface Place {
  view: string;
  space: string;
  /** True on; none is now. */
  asOf: string | null;
  /** As known on; none is now. */
  knownAt: string | null;
  /** What is opened beside the view: "memory:ID", "entity:ID", "edge:ID", "entry:SEQ", "source:ID". */
  sel: string | null;
  /** Whatever the view itself wants to know. */
  params: Readonly<Record<string, string>>;
}

const OWN = new Set(["space", "as_of", "known_at", "sel"]);

export function read(fragment: string): Place {
  const [path = "", query = ""] = fragment.replace(/^#\/?/, "").split("?", 2);
  const asked = new URLSearchParams(query);
  const params: Record<string, string> = {};
  for (const [name, value] of asked) if (!OWN.has(name)) params[name] = value;
  return {
    view: path || "ask",
    space: asked.get("space") ?? "",
    asOf: asked.get("as_of"),
    knownAt: asked.get("known_at"),
    sel: asked.get("sel"),
    params,
  };
}

export function write(place: Place): string {
  const asked = new URLSearchParams();
  if (place.space) asked.set("space", place.space);
  if (place.asOf) asked.set("as_of", place.asOf);
  if (place.knownAt) asked.set("known_at", place.knownAt);
  for (const [name, value] of Object.entries(place.params)) if (value !== "") asked.set(name, value);
  if (place.sel) asked.set("sel", place.sel);
  const query = asked.toString();
  return `#/${place.view}${query ? `?${query}` : ""}`;
}

let current = read(location.hash);
const listeners = new Set<(place: Place) => void>();

window.addEventListener("hashchange", () => {
  current = read(location.hash);
  listeners.forEach((tell) => tell(current));
});

export function here(): Place {
  return current;
}

export type Step = Partial<Omit<Place, "params">> & { params?: Record<string, string> };

/** Where a step from here leads. Another view keeps the space, the moment and nothing of what the old one asked for. */
export function after(step: Step): Place {
  const moves = step.view !== undefined && step.view !== current.view;
  const params = moves ? (step.params ?? {}) : { ...current.params, ...step.params };
  const sel = step.sel !== undefined ? step.sel : moves ? null : current.sel;
  return { ...current, ...step, params, sel };
}

export function link(step: Step): string {
  return write(after(step));
}

/** `quietly`: without a step in the history, as when a hand is dragged. */
export function go(step: Step, quietly = false): void {
  const fragment = write(after(step));
  if (fragment === write(current) && location.hash === fragment) return;
  if (quietly) history.replaceState(null, "", fragment);
  else history.pushState(null, "", fragment);
  current = read(fragment);
  listeners.forEach((tell) => tell(current));
}

export function usePlace(): Place {
  const [place, setPlace] = useState(current);
  useEffect(() => {
    listeners.add(setPlace);
    setPlace(current);
    return () => void listeners.delete(setPlace);
  }, []);
  return place;
}
