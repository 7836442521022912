// How is the server asked? By its public routes only, each an operation with its parameters as JSON. The key lives in
// memory, or in the session of this tab if the person says so; it is sent in a header and nowhere else.
import { useEffect, useRef, useState } from "preact/hooks";
import { here } from "./address";

export class Refused extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

const KEPT = "treering.key";
let key: string | null = sessionStorage.getItem(KEPT);
let wantsKey: (why: string) => void = () => {};

export function useKey(written: string | null, keep: boolean): void {
  key = written;
  if (written !== null && keep) sessionStorage.setItem(KEPT, written);
  else sessionStorage.removeItem(KEPT);
}

export const hasKey = () => key !== null;

export function onKeyWanted(tell: (why: string) => void): void {
  wantsKey = tell;
}

function headers(more: Record<string, string> = {}): Record<string, string> {
  return key === null ? more : { ...more, Authorization: `Bearer ${key}` };
}

async function refused(response: Response, sent: string | null): Promise<Refused> {
  let code = "unknown";
  let message = `the server answered ${response.status}`;
  try {
    const told = (await response.json()).error;
    code = told.code;
    message = told.message;
  } catch {
    /* an answer of another shape: the status is all there is to say */
  }
  if (response.status === 401 && sent === key) wantsKey(message); // what was sent with an earlier key says nothing of this one
  return new Refused(response.status, code, message);
}

export async function fetched(path: string, init: RequestInit = {}, accept = "application/json"): Promise<Response> {
  const sent = key;
  let response: Response;
  try {
    response = await fetch(path, {
      ...init,
      headers: headers({ Accept: accept, ...(init.headers as Record<string, string>) }),
      credentials: "omit",
      cache: "no-store",
    });
  } catch (error) {
    if ((error as Error).name === "AbortError") throw error;
    throw new Refused(0, "unreachable", "the server does not answer; is it still running?");
  }
  if (!response.ok) throw await refused(response, sent);
  return response;
}

export type Arguments = Record<string, unknown>;

function given(args: Arguments): Arguments {
  return Object.fromEntries(
    Object.entries(args).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
}

export function spacePath(space: string): string {
  return `/v1/spaces/${space.split("/").map(encodeURIComponent).join("/")}`;
}

/** One operation of the space that is looked at. */
export async function ask<T>(name: string, args: Arguments = {}, signal?: AbortSignal): Promise<T> {
  const now = name === "remember" ? "?sync=true" : "";
  underway += 1;
  try {
    return await post<T>(`${spacePath(here().space)}/${name}${now}`, args, signal);
  } finally {
    underway -= 1;
    if (underway === 0) {
      waiting.forEach((goOn) => goOn());
      waiting.clear();
    }
  }
}

let underway = 0;
const waiting = new Set<() => void>();
const PATIENCE_MILLISECONDS = 2_000;

/** The same once nothing else is asked, or after a while: for what stands beside that which somebody looks at. */
export async function askLater<T>(name: string, args: Arguments = {}, signal?: AbortSignal): Promise<T> {
  await new Promise((goOn) => setTimeout(goOn)); // what is shown at the same time asks first
  if (underway > 0) {
    await new Promise<void>((goOn) => {
      waiting.add(goOn);
      setTimeout(goOn, PATIENCE_MILLISECONDS);
    });
  }
  signal?.throwIfAborted();
  return ask<T>(name, args, signal);
}

/** One operation of the whole store. */
export async function askStore<T>(name: string, args: Arguments = {}, signal?: AbortSignal): Promise<T> {
  return post<T>(`/v1/${name}`, args, signal);
}

async function post<T>(path: string, args: Arguments, signal?: AbortSignal): Promise<T> {
  const body = JSON.stringify(given(args));
  const init = { method: "POST", body, signal, headers: { "Content-Type": "application/json" } };
  return (await fetched(path, init)).json() as Promise<T>;
}

export async function whoami<T>(): Promise<T> {
  return (await fetched("/v1/whoami")).json() as Promise<T>;
}

/** What a stream of events tells, one by one, until it ends or is given up. */
export async function* events(path: string, signal: AbortSignal): AsyncGenerator<{ event: string; data: string }> {
  const response = await fetched(path, { signal }, "text/event-stream");
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let waiting = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    waiting += value;
    for (let end = waiting.indexOf("\n\n"); end >= 0; end = waiting.indexOf("\n\n")) {
      const lines = waiting.slice(0, end).split("\n");
      waiting = waiting.slice(end + 2);
      const part = (name: string) => lines.find((one) => one.startsWith(`${name}: `))?.slice(name.length + 2) ?? "";
      if (part("data")) yield { event: part("event"), data: part("data") };
    }
  }
}

/** Saves what a route answers as a file. */
export async function save(path: string, name: string): Promise<void> {
  const content = await (await fetched(path, {}, "*/*")).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// what was written since the page was opened: everything that is shown is asked for anew

let version = 0;
const changed = new Set<() => void>();

export function tellChanged(): void {
  version += 1;
  changed.forEach((tell) => tell());
}

export function useVersion(): number {
  const [seen, setSeen] = useState(version);
  useEffect(() => {
    const tell = () => setSeen(version);
    changed.add(tell);
    return () => void changed.delete(tell);
  }, []);
  return seen;
}

export interface Answered<T> {
  value: T | null;
  error: Refused | null;
  loading: boolean;
}

/** The answer to a question that may change; the last one stays to be seen until the next is there. */
export function useAnswer<T>(
  name: string,
  args: Arguments | null,
  asks: <R>(name: string, args: Arguments, signal?: AbortSignal) => Promise<R> = ask,
): Answered<T> {
  const seen = useVersion();
  const question = args === null ? null : JSON.stringify([here().space, name, given(args)]);
  const [answered, setAnswered] = useState<Answered<T> & { of: string | null }>({
    value: null,
    error: null,
    loading: question !== null,
    of: null,
  });
  const latest = useRef(question);
  latest.current = question;
  useEffect(() => {
    if (question === null || args === null) {
      setAnswered({ value: null, error: null, loading: false, of: null });
      return;
    }
    const giveUp = new AbortController();
    setAnswered((before) => ({ ...before, loading: true }));
    asks<T>(name, args, giveUp.signal).then(
      (value) => setAnswered({ value, error: null, loading: false, of: question }),
      (error) => {
        if (error.name === "AbortError") return;
        setAnswered({ value: null, error: error as Refused, loading: false, of: question });
      },
    );
    return () => giveUp.abort();
  }, [question, seen]);
  return answered;
}
