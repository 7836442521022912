// Health: how the space is doing; what grew, what fades, what is in doubt; and upkeep, with what it did.
import { useState } from "preact/hooks";
import { link, usePlace } from "../address";
import { ask, askStore, useAnswer } from "../api";
import { done } from "../deeds";
import { Growth } from "../parts/growth";
import { Bar, Head, Thing, Waiting } from "../parts/small";
import type { Health as Told, Moments } from "../types";
import { bytes, count, day, spoken } from "../words";
import { useMay } from "../who";

export function Health() {
  const { knownAt } = usePlace();
  const may = useMay();
  const health = useAnswer<Told>("health", { known_at: knownAt });
  const grown = useAnswer<Moments>("moments", { clock: "known", known_at: knownAt, limit: 200 });
  const status = useAnswer<{ store: { engine?: string; bytes?: number; url?: string }; seq: number }>("status", {});
  return (
    <>
      <Head title="Health" about="How this space is doing.">
        {may.write && <Upkeep />}
      </Head>
      <Waiting of={health}>
        {(one) => (
          <>
            <div class="figures">
              <Figure number={one.memories} says="memories that hold" />
              <Figure number={one.entities} says="entities" />
              <Figure number={one.edges} says="facts and links" />
              <Figure number={one.review_backlog} says="wait for a decision" href={link({ view: "review" })} />
              <Figure number={one.conflicts} says="contradictions" href={link({ view: "review", params: { kind: "contradiction" } })} />
              <Figure number={one.duplicates} says="said twice" />
              <Figure number={one.stale} says="rest on what no longer holds" />
              <Figure number={one.orphans} says="tied to nothing" />
            </div>
            <div class="cards">
              <section class="card">
                <h2>Growth</h2>
                {grown.value && <Growth moments={grown.value} />}
                <p class="about">
                  {one.growth.day ?? 0} today, {one.growth.week ?? 0} this week, {one.growth.month ?? 0} this month
                </p>
              </section>
              <Shares title="States" counts={one.states} />
              <Shares title="What is left of them" counts={one.bands} about={`${one.in_danger} are about to fade.`} />
              <Shares title="Meant to last" counts={one.tiers} />
              <section class="card">
                <h2>The store</h2>
                <dl class="properties">
                  <dt>Engine</dt>
                  <dd>{status.value?.store.engine ?? "…"}</dd>
                  {status.value?.store.bytes !== undefined && (
                    <>
                      <dt>On disk</dt>
                      <dd>{bytes(status.value.store.bytes)}</dd>
                    </>
                  )}
                  <dt>Journal</dt>
                  <dd>{status.value && count(status.value.seq, "entry", "entries")}</dd>
                  <dt>Last upkeep</dt>
                  <dd>{one.last_upkeep ? day(one.last_upkeep, true) : "never"}</dd>
                </dl>
              </section>
              <StaleOnes />
              <Jobs />
              {may.admin && may.all && <Hooks />}
            </div>
          </>
        )}
      </Waiting>
    </>
  );
}

function Figure({ number, says, href }: { number: number; says: string; href?: string }) {
  const inside = (
    <>
      <b>{number.toLocaleString("en")}</b>
      <span>{says}</span>
    </>
  );
  return href && number ? (
    <a class="figure" href={href}>
      {inside}
    </a>
  ) : (
    <div class="figure">{inside}</div>
  );
}

function Shares({ title, counts, about }: { title: string; counts: Record<string, number>; about?: string }) {
  const all = Math.max(1, ...Object.values(counts));
  return (
    <section class="card">
      <h2>{title}</h2>
      <div class="bars">
        {Object.entries(counts).map(([name, number]) => (
          <Bar key={name} label={spoken(name)} part={number / all} told={number.toLocaleString("en")} />
        ))}
      </div>
      {about && <p class="about">{about}</p>}
    </section>
  );
}

interface StaleOne {
  memory: { id: string; content: string };
}

function StaleOnes() {
  const { knownAt } = usePlace();
  const stale = useAnswer<StaleOne[]>("stale", { limit: 5, known_at: knownAt });
  if (!stale.value?.length) return null;
  return (
    <section class="card">
      <h2>Rest on what no longer holds</h2>
      <ul class="plain">
        {stale.value.map((one) => (
          <li key={one.memory.id}>
            <Thing kind="memory" id={one.memory.id}>
              {one.memory.content}
            </Thing>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface Job {
  id: string;
  status: string;
  created_at: string;
  error?: string | null;
}

function Jobs() {
  const jobs = useAnswer<Job[]>("jobs", { limit: 100 });
  const counts: Record<string, number> = {};
  for (const one of jobs.value ?? []) counts[one.status] = (counts[one.status] ?? 0) + 1;
  return (
    <section class="card">
      <h2>Jobs</h2>
      {Object.keys(counts).length ? (
        <div class="bars">
          {Object.entries(counts).map(([name, number]) => (
            <Bar key={name} label={spoken(name)} part={number / (jobs.value?.length || 1)} told={String(number)} />
          ))}
        </div>
      ) : (
        <p class="about">None are waiting.</p>
      )}
    </section>
  );
}

interface Hook {
  id: string;
  url: string;
  failing: string | null;
  tries: number;
}

function Hooks() {
  const hooks = useAnswer<Hook[]>("webhook_list", {}, askStore);
  return (
    <section class="card">
      <h2>Webhooks</h2>
      {hooks.value?.length ? (
        <ul class="plain">
          {hooks.value.map((one) => (
            <li key={one.id}>
              {one.url} <span class={one.failing ? "trouble" : "about"}>{one.failing ?? "delivers"}</span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="about">Nobody is told.</p>
      )}
    </section>
  );
}

interface AgentRun {
  agent: string;
  found: number;
  changed: number;
  message: string;
}

function Upkeep() {
  const [runs, setRuns] = useState<AgentRun[] | null>(null);
  const [working, setWorking] = useState(false);
  async function run() {
    setWorking(true);
    const told = await done<unknown>("Upkeep is done", () => ask("run_pipeline", { dry_run: false }));
    setRuns(told === null ? null : runsIn(told));
    setWorking(false);
  }
  return (
    <div class="verify">
      <button type="button" disabled={working} onClick={() => void run()}>
        {working ? "Keeping house …" : "Run upkeep"}
      </button>
      {runs && (
        <ul class="plain upkeep-told" role="status">
          {runs.map((one) => (
            <li key={one.agent}>
              <strong>{spoken(one.agent)}</strong> <span class="about">{one.message || `found ${one.found}, changed ${one.changed}`}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** The runs of the agents, wherever they stand in the answer. */
function runsIn(told: unknown): AgentRun[] {
  if (Array.isArray(told)) return told.filter((one) => one?.agent);
  return Object.values(told as Record<string, unknown>).flatMap((one) => (Array.isArray(one) ? one.filter((each) => each?.agent) : []));
}
