// One entity: what it is called, what is so of it, what was, and which memories speak of it.
import { useState } from "preact/hooks";
import { link, usePlace } from "../address";
import { ask, useAnswer } from "../api";
import { done } from "../deeds";
import { EntityPicker } from "../parts/pickers";
import { FactLine, MemoryLine, Waiting } from "../parts/small";
import type { Profile } from "../types";
import { count } from "../words";
import { useMay } from "../who";

const FIRST = 12;

export function EntityPanel({ id }: { id: string }) {
  const { asOf, knownAt } = usePlace();
  const profile = useAnswer<Profile>("entity", { id, as_of: asOf, known_at: knownAt, limit: 30 });
  return (
    <Waiting of={profile}>
      {(one) => (
        <article class="opened">
          <p class="kicker">Entity{one.kind && ` · ${one.kind}`}</p>
          <h2>{one.name}</h2>
          {one.aliases.length > 0 && <p class="about">Also called {one.aliases.join(", ")}</p>}
          <p class="buttons">
            <a class="button" href={link({ view: "graph", params: { start: one.id } })}>
              In the graph
            </a>
            <a class="button" href={link({ view: "plane", params: { node: one.id } })}>
              Time plane
            </a>
            <a class="button" href={link({ view: "story", params: { node: one.id } })}>
              Story
            </a>
          </p>
          <Facts title="What is so" facts={one.facts_now} />
          <Facts title="What was so" facts={one.facts_before} />
          <section>
            <h3>{count(one.memories.length, "memory speaks", "memories speak")} of it</h3>
            <ul class="plain">
              {one.memories.slice(0, FIRST).map((memory) => (
                <li key={memory.id}>
                  <MemoryLine memory={memory} />
                </li>
              ))}
            </ul>
          </section>
          <Merging id={one.id} name={one.name} />
        </article>
      )}
    </Waiting>
  );
}

function Facts({ title, facts }: { title: string; facts: Profile["facts_now"] }) {
  const [all, setAll] = useState(false);
  if (!facts.length) return null;
  const shown = all ? facts : facts.slice(0, FIRST);
  return (
    <section>
      <h3>{title}</h3>
      <ul class="plain">
        {shown.map((fact) => (
          <li key={fact.id}>
            <FactLine {...fact} />
          </li>
        ))}
      </ul>
      {shown.length < facts.length && (
        <button type="button" onClick={() => setAll(true)}>
          All {facts.length}
        </button>
      )}
    </section>
  );
}

function Merging({ id, name }: { id: string; name: string }) {
  const may = useMay();
  const [open, setOpen] = useState(false);
  if (!may.write) return null;
  return (
    <section>
      <button type="button" aria-expanded={open} onClick={() => setOpen(!open)}>
        The same as …
      </button>
      {open && (
        <div class="doing">
          <EntityPicker
            label={`${name} is the same as`}
            choose={(other) => {
              setOpen(false);
              void done(
                `${name} and ${other.name} are one now`,
                () => ask("entity_merge", { entity: id, into: other.id, why: "merged on the page" }),
                () => () => ask("entity_split", { entity_id: id }),
              );
            }}
          />
        </div>
      )}
    </section>
  );
}
