// Choosing an entity by its name, or a memory by its words: what is typed is looked up, and one of the found is chosen.
import { useEffect, useState } from "preact/hooks";
import { useAnswer } from "../api";
import type { Entity, Memory, Page } from "../types";

const TYPING_MILLISECONDS = 180;

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

interface PickerProps<T> {
  label: string;
  choose(one: T): void;
  start?: string;
  hint?: string;
}

export function EntityPicker({ label, choose, start = "", hint }: PickerProps<Entity>) {
  const [typed, setTyped] = useState(start);
  const asked = useSettled(typed.trim());
  const found = useAnswer<Entity[]>("entities", asked && asked !== start ? { named: asked, limit: 8 } : null);
  useEffect(() => setTyped(start), [start]);
  return (
    <Picker
      label={label}
      hint={hint ?? "a name"}
      typed={typed}
      setTyped={setTyped}
      found={(found.value ?? []).map((one) => ({ id: one.id, said: one.name, more: one.kind ?? "", one }))}
      none={found.value !== null && !found.value.length ? `Nothing is called ${asked}` : null}
      choose={(one) => {
        setTyped(one.name);
        choose(one);
      }}
    />
  );
}

export function MemoryPicker({ label, choose, hint }: PickerProps<Memory>) {
  const [typed, setTyped] = useState("");
  const asked = useSettled(typed.trim());
  const found = useAnswer<Page>("list", asked ? { words: asked, view: "all", limit: 8, order: "newest" } : null);
  return (
    <Picker
      label={label}
      hint={hint ?? "words of it"}
      typed={typed}
      setTyped={setTyped}
      found={(found.value?.memories ?? []).map((one) => ({ id: one.id, said: one.content, more: one.state, one }))}
      none={found.value !== null && !found.value.memories.length ? "No memory has these words" : null}
      choose={(one) => {
        setTyped("");
        choose(one);
      }}
    />
  );
}

interface Row<T> {
  id: string;
  said: string;
  more: string;
  one: T;
}

function Picker<T>(props: {
  label: string;
  hint: string;
  typed: string;
  setTyped(typed: string): void;
  found: Row<T>[];
  none: string | null;
  choose(one: T): void;
}) {
  const { label, hint, typed, setTyped, found, none, choose } = props;
  const [open, setOpen] = useState(false);
  const [at, setAt] = useState(0);
  const id = `picker-${label.replace(/\W+/g, "-")}`;
  const shown = open && found.length > 0;
  useEffect(() => setAt(0), [typed]);

  function take(row: Row<T> | undefined) {
    if (!row) return;
    setOpen(false);
    choose(row.one);
  }

  return (
    <div class="picker" onFocusOut={(event) => !event.currentTarget.contains(event.relatedTarget as Node) && setOpen(false)}>
      <label>
        <span>{label}</span>
        <input
          role="combobox"
          aria-expanded={shown}
          aria-controls={id}
          aria-activedescendant={shown ? `${id}-${at}` : undefined}
          aria-autocomplete="list"
          autocomplete="off"
          placeholder={hint}
          value={typed}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            setOpen(true);
          }}
          onKeyDown={(event) => {
            if (event.key === "ArrowDown") (event.preventDefault(), setAt(Math.min(at + 1, found.length - 1)));
            if (event.key === "ArrowUp") (event.preventDefault(), setAt(Math.max(at - 1, 0)));
            if (event.key === "Enter" && shown) (event.preventDefault(), take(found[at]));
            if (event.key === "Escape") (event.stopPropagation(), setOpen(false));
          }}
        />
      </label>
      <ul class="found" role="listbox" id={id} aria-label={label} hidden={!shown}>
        {found.map((row, place) => (
          <li
            key={row.id}
            id={`${id}-${place}`}
            role="option"
            aria-selected={place === at}
            onPointerDown={(event) => (event.preventDefault(), take(row))}
          >
            {row.said} <span class="about">{row.more}</span>
          </li>
        ))}
      </ul>
      {open && none && <p class="nothing">{none}</p>}
    </div>
  );
}
