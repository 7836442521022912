// Tell: say something, see what would be remembered and what would change, correct the reading, and only then keep it.
import { useState } from "preact/hooks";
import { ask } from "../api";
import { done, say, undoSeq } from "../deeds";
import { Head, Held } from "../parts/small";
import type { EdgeTold, Receipt, Remembered } from "../types";
import { count, relation } from "../words";
import { useMay } from "../who";

interface Draft {
  content: string;
  kind: string;
  keep: boolean;
  from: Remembered;
}

export function Tell() {
  const may = useMay();
  const [text, setText] = useState("");
  const [speaker, setSpeaker] = useState("");
  const [at, setAt] = useState("");
  const [read, setRead] = useState<Receipt | null>(null);
  const [drafts, setDrafts] = useState<Draft[]>([]);
  const [busy, setBusy] = useState(false);
  const [kept, setKept] = useState<Receipt | null>(null);
  if (!may.write) {
    return (
      <>
        <Head title="Tell" about="Say something to be remembered." />
        <p class="nothing">Your key may read. To tell something takes one that may write.</p>
      </>
    );
  }
  const said = { content: text.trim(), speaker: speaker.trim(), at: at && `${at}T12:00:00Z` };
  const touched = read !== null && drafts.some((one) => !one.keep || one.content.trim() !== one.from.content || one.kind !== one.from.kind);

  async function look() {
    setBusy(true);
    setKept(null);
    try {
      const receipt = await ask<Receipt>("remember", { ...said, dry_run: true });
      setRead(receipt);
      setDrafts(receipt.memories.map((one) => ({ content: one.content, kind: one.kind, keep: true, from: one })));
    } catch (error) {
      say((error as Error).message, null, true);
    }
    setBusy(false);
  }

  async function keep() {
    setBusy(true);
    const chosen = drafts.filter((one) => one.keep && one.content.trim());
    const told = touched ? { ...said, drafts: chosen.map(asDraft) } : said;
    const receipt = await done<Receipt>(
      (result) => `Remembered ${count(result.memories.length, "statement")}`,
      () => ask("remember", told),
      (result) => undoSeq((result.entries.length ? result.entries.join(" ") : result.seq) as number),
    );
    if (receipt) {
      setKept(receipt);
      setRead(null);
      setText("");
    }
    setBusy(false);
  }

  return (
    <>
      <Head title="Tell" about="Say something. You see what would be remembered, and what would change, before it is kept." />
      <form
        class="telling"
        onSubmit={(event) => {
          event.preventDefault();
          void look();
        }}
      >
        <label>
          <span>What is there to say?</span>
          <textarea rows={4} value={text} placeholder="Nora left Larkspur on 1 February to join Meridian." onInput={(event) => (setText(event.currentTarget.value), setRead(null))} />
        </label>
        <div class="fields">
          <label class="choice">
            <span>Said by</span>
            <input value={speaker} placeholder="whoever you are" onInput={(event) => setSpeaker(event.currentTarget.value)} />
          </label>
          <label class="choice">
            <span>Said on</span>
            <input type="date" value={at} onInput={(event) => setAt(event.currentTarget.value)} />
          </label>
          <button class={read ? "" : "first"} type="submit" disabled={!said.content || busy}>
            {busy && !read ? "Reading …" : "See what it would do"}
          </button>
        </div>
      </form>
      {read && (
        <section class="reading" aria-live="polite">
          <h2>{drafts.length ? `It would remember ${count(drafts.filter((one) => one.keep).length, "statement")}` : "Nothing in it would become a memory"}</h2>
          {drafts.map((one, place) => (
            <DraftLine key={place} draft={one} change={(next) => setDrafts(drafts.map((other, index) => (index === place ? next : other)))} />
          ))}
          <Effects receipt={read} />
          {read.trouble && <p class="trouble">{read.trouble}</p>}
          <div class="buttons">
            <button class="first" type="button" disabled={busy || !said.content} onClick={() => void keep()}>
              {touched ? "Keep it as corrected" : "Keep it"}
            </button>
            <button type="button" onClick={() => setRead(null)}>
              Not now
            </button>
          </div>
        </section>
      )}
      {kept && (
        <section class="reading">
          <h2>Kept</h2>
          <ul class="plain">
            {kept.memories.map((one) => (
              <li key={one.id}>{one.content}</li>
            ))}
          </ul>
          <Effects receipt={kept} />
        </section>
      )}
    </>
  );
}

function asDraft(one: Draft) {
  const same = one.content.trim() === one.from.content;
  return {
    content: one.content.trim(),
    kind: one.kind,
    importance: one.from.importance,
    event_time: one.from.event_time ?? undefined,
    entities: same ? one.from.entities.map((each) => each.name) : [],
    triples: same ? one.from.triples.map((each) => [each.subject, each.relation, each.object]) : [],
  };
}

function DraftLine({ draft, change }: { draft: Draft; change(next: Draft): void }) {
  return (
    <div class={`draft ${draft.keep ? "" : "draft-out"}`}>
      <input type="checkbox" aria-label="Keep this statement" checked={draft.keep} onChange={(event) => change({ ...draft, keep: event.currentTarget.checked })} />
      <div>
        <textarea rows={1} aria-label="The statement" value={draft.content} disabled={!draft.keep} onInput={(event) => change({ ...draft, content: event.currentTarget.value })} />
        <p class="about">
          <select aria-label="Its kind" value={draft.kind} disabled={!draft.keep} onChange={(event) => change({ ...draft, kind: event.currentTarget.value })}>
            {["semantic", "episode", "viewpoint"].map((one) => (
              <option key={one}>{one}</option>
            ))}
          </select>{" "}
          {draft.from.triples.map((one) => `${one.subject} ${relation(one.relation)} ${one.object}`).join(" · ")}
        </p>
      </div>
    </div>
  );
}

function Effects({ receipt }: { receipt: Receipt }) {
  const facts = receipt.edges.filter((one) => /^[A-Z]/.test(one.relation));
  return (
    <div class="effects">
      <Edges title="What would be so" edges={facts} done={!receipt.dry_run} />
      <Edges title="What would end" edges={receipt.closed} done={!receipt.dry_run} />
      {receipt.superseded.length > 0 && <p>{count(receipt.superseded.length, "memory is", "memories are")} replaced; the old words stay readable.</p>}
      {receipt.duplicates.length > 0 && <p>{count(receipt.duplicates.length, "statement was", "statements were")} known already.</p>}
      {receipt.conflicts.map((one) => (
        <p class="trouble" key={one.other_id}>
          It contradicts something that is remembered: {one.why}
        </p>
      ))}
      {receipt.possible_same.length > 0 && <p class="about">Some names may mean the same; they wait in Review.</p>}
      {receipt.skipped.map((one, place) => (
        <p class="about" key={place}>
          Left out: {one.why}
        </p>
      ))}
    </div>
  );
}

function Edges({ title, edges, done: past }: { title: string; edges: readonly EdgeTold[]; done: boolean }) {
  if (!edges.length) return null;
  return (
    <section>
      <h3>{past ? title.replace("would be", "is").replace("would end", "ended") : title}</h3>
      <ul class="plain">
        {edges.map((one) => (
          <li key={one.id}>
            {one.source} {relation(one.relation)} {one.target} <Held from={one.valid_from} until={one.valid_until} />
            {one.rule !== "stated" && <span class="about"> · rule “{one.rule}”</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
