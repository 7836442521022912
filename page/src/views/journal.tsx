// Journal: everything that was written, newest first, by whom and by which rule. It can be checked from the first entry to
// the last, taken back entry by entry, and carried away.
import { useState } from "preact/hooks";
import { go, usePlace } from "../address";
import { events, save, spacePath, useAnswer } from "../api";
import { say } from "../deeds";
import { Head, Thing, Waiting } from "../parts/small";
import type { JournalLine, JournalPage } from "../types";
import { count, day, readable, spoken } from "../words";
import { useMay } from "../who";

const PAGE = 40;
const FIRST = 3;

export function Journal() {
  const { params, space, knownAt } = usePlace();
  const may = useMay();
  const page = useAnswer<JournalPage>("journal", { before: params.before ? Number(params.before) : undefined, limit: PAGE, known_at: knownAt });
  return (
    <>
      <Head title="Journal" about="Every entry that was ever written: nothing is rewritten, everything can be checked.">
        <Verify />
        {may.admin && (
          <button type="button" onClick={() => void save(`${spacePath(space)}/export?format=journal`, `${space.replaceAll("/", ".")}.jsonl`).catch((error) => say(error.message, null, true))}>
            Export
          </button>
        )}
      </Head>
      <Waiting of={page} nothing={(value) => (value.lines.length ? null : "Nothing was written yet.")}>
        {(value) => (
          <>
            <ol class="entries">
              {value.lines.map((one) => (
                <Entry key={one.seq} line={one} />
              ))}
            </ol>
            <div class="buttons">
              {params.before && (
                <button type="button" onClick={() => go({ params: { before: "" } })}>
                  Newest
                </button>
              )}
              {value.before !== null && (
                <button type="button" onClick={() => go({ params: { before: String(value.before) } })}>
                  Older
                </button>
              )}
            </div>
          </>
        )}
      </Waiting>
    </>
  );
}

const QUIET = new Set(["entity_added", "source_added", "marked", "aliases_added"]);

function Entry({ line }: { line: JournalLine }) {
  const { sel } = usePlace();
  const told = line.changes.filter((one) => !QUIET.has(one.type) && one.rule !== "mentioned");
  const shown = (told.length ? told : line.changes).slice(0, FIRST);
  const rest = Object.values(line.kinds).reduce((all, one) => all + one, 0) - shown.length;
  return (
    <li class={`entry pressed ${sel === `entry:${line.seq}` ? "entry-open" : ""} ${line.undone_by === null ? "" : "undone"}`}>
      <span class="entry-seq">{line.seq}</span>
      <div>
        <p>
          <Thing kind="entry" id={String(line.seq)}>
            {spoken(line.op)}
          </Thing>{" "}
          {line.undone_by !== null && <span class="state state-undone">undone by entry {line.undone_by}</span>}{" "}
          <span class="about">
            {day(line.at, true)} by {line.actor} · {line.signature ? "signed" : "not signed"}
            {line.rules.filter((one) => one !== "mentioned").map((one) => ` · rule “${one}”`)}
          </span>
        </p>
        <ul class="plain entry-changes">
          {shown.map((one, place) => (
            <li key={place}>{readable(one.what)}</li>
          ))}
          {rest > 0 && <li class="about">and {count(rest, "other change")}</li>}
        </ul>
      </div>
    </li>
  );
}

interface Verified {
  ok: boolean;
  entries: number;
  /** None for who may not know how much there is. */
  rows: number | null;
  signatures: Record<string, number>;
  differences: { what?: string; space: string; seq?: number }[];
}

function Verify() {
  const { space } = usePlace();
  const [at, setAt] = useState<{ done: number; of: number } | null>(null);
  const [found, setFound] = useState<Verified | null>(null);

  async function check() {
    setFound(null);
    setAt({ done: 0, of: 1 });
    try {
      for await (const one of events(`${spacePath(space)}/verify`, new AbortController().signal)) {
        const told = JSON.parse(one.data);
        if (one.event === "progress") setAt({ done: told.done, of: told.of || told.done });
        if (one.event === "result") setFound(told);
        if (one.event === "error") say(told.message, null, true);
      }
    } catch (error) {
      say((error as Error).message, null, true);
    }
    setAt(null);
  }

  return (
    <div class="verify">
      <button type="button" disabled={at !== null} onClick={() => void check()}>
        {at ? "Checking …" : "Verify"}
      </button>
      {at && <progress aria-label="How far the check is" max={at.of} value={at.done} />}
      {found && (
        <p role="status" class={found.ok ? "fine" : "trouble"}>
          {found.ok
            ? `Whole: ${count(found.entries, "entry", "entries")}, ${found.rows === null ? "" : `${count(found.rows, "row")}, `}every hash holds`
            : `It does not hold: ${found.differences.map((one) => JSON.stringify(one)).join("; ")}`}
        </p>
      )}
    </div>
  );
}
