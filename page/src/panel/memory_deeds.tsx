// What can be done about a memory: correct it, forget or restore it, put it away, tag it, link it, purge it, and undo the
// last change. Everything but a purge is taken back by one press.
import { useState } from "preact/hooks";
import { go, usePlace } from "../address";
import { ask, useAnswer } from "../api";
import { done, takeBack, undoSeq } from "../deeds";
import { MemoryPicker } from "../parts/pickers";
import { Thing } from "../parts/small";
import type { History, Memory, Receipt } from "../types";
import { lastChange, type LastChange } from "../undoing";
import { useMay } from "../who";
import { day as dayOf, LINKS as TIES, spoken } from "../words";

type Doing = "revise" | "tag" | "link" | "purge" | null;

export const forget = (memory: Memory) =>
  done("Forgotten; nothing was removed", () => ask("forget", { id: memory.id, why: "forgotten on the page" }), () => () =>
    ask("restore", { id: memory.id }),
  );

export const restore = (memory: Memory) =>
  done("Restored", () => ask("restore", { id: memory.id }), () => () =>
    ask(memory.state === "archived" ? "archive" : "forget", { id: memory.id }),
  );

const archive = (memory: Memory) =>
  done("Put away", () => ask("archive", { id: memory.id }), () => () => ask("restore", { id: memory.id }));

export const retag = (memory: Memory, tags: string[]) =>
  done<Receipt>(
    "Tags changed",
    () =>
      ask("revise", {
        id: memory.id,
        content: memory.content,
        tags,
        event_time: memory.event_time ?? memory.valid_from,
        why: "tags changed on the page",
      }),
    (receipt) => undoSeq(receipt.seq),
  );

export function MemoryDeeds({ memory, history }: { memory: Memory; history: History | null }) {
  const may = useMay();
  const { asOf, knownAt, params } = usePlace();
  const [doing, setDoing] = useState<Doing>(params.mend === memory.id ? "revise" : null);
  const then = asOf !== null || knownAt !== null;
  if (!may.write) return null;
  const hidden = memory.state === "forgotten" || memory.state === "archived";
  const toggle = (what: Doing) => () => setDoing(doing === what ? null : what);
  return (
    <section class="deeds-of">
      {then && <p class="note">You look at another moment; what you change is changed now.</p>}
      <div class="buttons">
        {!hidden && (
          <button type="button" onClick={toggle("revise")} aria-expanded={doing === "revise"}>
            Correct
          </button>
        )}
        {hidden ? (
          <button type="button" onClick={() => void restore(memory)}>
            Restore
          </button>
        ) : (
          <>
            <button type="button" onClick={() => void forget(memory)}>
              Forget
            </button>
            <button type="button" onClick={() => void archive(memory)}>
              Put away
            </button>
          </>
        )}
        <button type="button" onClick={toggle("tag")} aria-expanded={doing === "tag"}>
          Tag
        </button>
        <button type="button" onClick={toggle("link")} aria-expanded={doing === "link"}>
          Link
        </button>
        {may.admin && (
          <button class="danger" type="button" onClick={toggle("purge")} aria-expanded={doing === "purge"}>
            Purge …
          </button>
        )}
      </div>
      {history && !then && <UndoLast history={history} />}
      {doing === "revise" && <Revise memory={memory} end={() => setDoing(null)} />}
      {doing === "tag" && <Tagging memory={memory} end={() => setDoing(null)} />}
      {doing === "link" && <Linking memory={memory} end={() => setDoing(null)} />}
      {doing === "purge" && <Purging memory={memory} end={() => setDoing(null)} />}
    </section>
  );
}

/** The last change of it that still stands, taken back by one press. */
function UndoLast({ history }: { history: History }) {
  const last = useAnswer<LastChange | null>("last_change", { events: history.events }, lastChange).value;
  if (!last) return null;
  return (
    <p class="undo-last">
      <button type="button" onClick={() => void takeBack(undoSeq(last.seq)!, `Undone: ${spoken(last.op).toLowerCase()} of ${dayOf(last.at)}`)}>
        Undo the last change
      </button>
      <span class="about">
        <Thing kind="entry" id={String(last.seq)}>
          {spoken(last.op)}, {dayOf(last.at)}
        </Thing>{" "}
        by {last.actor}
      </span>
    </p>
  );
}

/** The server reads the new wording as if it were told: facts follow it. */
function Revise({ memory, end }: { memory: Memory; end(): void }) {
  const [content, setContent] = useState(memory.content);
  const [since, setSince] = useState("always");
  const [day, setDay] = useState("");
  async function keep(event: Event) {
    event.preventDefault();
    const times: Record<string, string> = { always: memory.event_time ?? memory.valid_from, now: "", day: day && `${day}T00:00:00Z` };
    const receipt = await done<Receipt>(
      "Corrected; the old wording stays readable",
      () => ask<Receipt>("revise", { id: memory.id, content: content.trim(), event_time: times[since], why: "corrected on the page" }),
      (result) => undoSeq(result.seq),
    );
    if (receipt) {
      end();
      if (receipt.memories[0]) go({ sel: `memory:${receipt.memories[0].id}`, params: { mend: "" } });
    }
  }
  return (
    <form class="doing" onSubmit={keep}>
      <label>
        <span>What is right</span>
        <textarea rows={3} value={content} onInput={(event) => setContent(event.currentTarget.value)} />
      </label>
      <fieldset>
        <legend>It holds</legend>
        <label class="tick">
          <input type="radio" name="since" checked={since === "always"} onChange={() => setSince("always")} /> from the beginning: it was never as first
          remembered
        </label>
        <label class="tick">
          <input type="radio" name="since" checked={since === "now"} onChange={() => setSince("now")} /> from now on
        </label>
        <label class="tick">
          <input type="radio" name="since" checked={since === "day"} onChange={() => setSince("day")} /> from{" "}
          <input type="date" aria-label="From this day" value={day} onInput={(event) => (setDay(event.currentTarget.value), setSince("day"))} />
        </label>
      </fieldset>
      <div class="buttons">
        <button class="first" type="submit" disabled={!content.trim() || (since === "day" && !day) || (since === "always" && content.trim() === memory.content)}>
          Keep the correction
        </button>
        <button type="button" onClick={end}>
          Leave it
        </button>
      </div>
    </form>
  );
}

function Tagging({ memory, end }: { memory: Memory; end(): void }) {
  const [tags, setTags] = useState(memory.tags.join(", "));
  return (
    <form
      class="doing"
      onSubmit={(event) => {
        event.preventDefault();
        void retag(memory, tags.split(",").map((one) => one.trim()).filter(Boolean)).then((receipt) => {
          end();
          if (receipt?.memories[0]) go({ sel: `memory:${receipt.memories[0].id}` });
        });
      }}
    >
      <label>
        <span>Tags, with commas between</span>
        <input value={tags} onInput={(event) => setTags(event.currentTarget.value)} />
      </label>
      <button class="first" type="submit">
        Change the tags
      </button>
    </form>
  );
}

const LINKS = ["related_to", "supersedes", "contradicts", "derived_from", "extends", "causes", "supports"];

function Linking({ memory, end }: { memory: Memory; end(): void }) {
  const [relation, setRelation] = useState("related_to");
  return (
    <div class="doing">
      <label>
        <span>This memory …</span>
        <select value={relation} onChange={(event) => setRelation(event.currentTarget.value)}>
          {LINKS.map((one) => (
            <option key={one} value={one}>
              {(TIES[one]?.[0] ?? one).toLowerCase()}
            </option>
          ))}
        </select>
      </label>
      <MemoryPicker
        label="… this one"
        choose={(other) => {
          end();
          void done<{ edge: { id: string } }>(
            "Linked",
            () => ask("link", { source: memory.id, target: other.id, relation, why: "linked on the page" }),
            (result) => () => ask("undo", { what: result.edge.id }),
          );
        }}
      />
    </div>
  );
}

const SURE = "purge";

function Purging({ memory, end }: { memory: Memory; end(): void }) {
  const [typed, setTyped] = useState("");
  const [why, setWhy] = useState("");
  return (
    <form
      class="doing doing-danger"
      onSubmit={(event) => {
        event.preventDefault();
        void done("Purged: not a byte of it is left", () => ask("purge", { id: memory.id, why })).then((report) => {
          if (report) go({ sel: null });
          end();
        });
      }}
    >
      <p>
        A purge removes the words from the journal, every table and the file, with all that quotes them. <strong>This alone cannot be undone.</strong>
      </p>
      <label>
        <span>Why</span>
        <input value={why} onInput={(event) => setWhy(event.currentTarget.value)} />
      </label>
      <label>
        <span>
          Type <code>{SURE}</code> to go on
        </span>
        <input value={typed} autocomplete="off" onInput={(event) => setTyped(event.currentTarget.value)} />
      </label>
      <div class="buttons">
        <button class="danger" type="submit" disabled={typed !== SURE || !why.trim()}>
          Purge it
        </button>
        <button type="button" onClick={end}>
          Leave it
        </button>
      </div>
    </form>
  );
}
