// What does the server answer with? The shapes of the public routes, as far as the page shows them.

export interface Me {
  name: string;
  role: "read" | "write" | "admin";
  spaces: string[];
  by_key: boolean;
  version: string;
}
export interface SpaceInfo {
  name: string;
  seq: number;
  created_at: string;
  changed_at: string;
}
export interface Memory {
  id: string;
  space: string;
  content: string;
  kind: string;
  title: string | null;
  tags: string[];
  importance: number;
  confidence: number;
  tier: string;
  event_time: string | null;
  said_at: string;
  recorded_at: string;
  expires_at: string | null;
  source_id: string;
  span: [number, number];
  observed_by: string | null;
  visibility: string;
  state: string;
  valid_from: string;
  valid_until: string | null;
  superseded_by: string | null;
  use_count: number;
}
export interface SourceRef {
  id: string;
  speaker: string | null;
  session: string | null;
  occurred_at: string;
  span: [number, number];
  text: string | null;
}
export interface Window {
  start: string | null;
  end: string | null;
  text: string;
}
export interface Signal {
  rank: number;
  score: number;
  parts: Record<string, number>;
}
export interface Explanation {
  signals: Record<string, Signal>;
  modifiers: Record<string, number>;
  seeds: string[];
  path: string[];
  window: Window | null;
  days_outside: number | null;
  total: number;
}
export interface Hit {
  memory: Memory;
  score: number;
  why: string;
  sources: SourceRef[];
  superseded_by: string | null;
  supersedes: string[];
  conflicts: { memory_id: string; content: string; why: string | null; state: string }[];
  outdates: { memory_id: string; content: string; why: string }[];
  supporters: number;
  /** What holds in its place, as a judge reads the two. */
  outdated_by: string | null;
  /** It fades, and was put here to be seen again. */
  review: boolean;
  explanation: Explanation | null;
}
export interface Answer {
  query: string;
  hits: Hit[];
  view: string;
  windows: Window[];
  signals: string[];
  below_floor: number;
  in_doubt: boolean;
  trouble: string | null;
  milliseconds: Record<string, number>;
}
export interface WhyNot {
  found: boolean;
  reasons: string[];
  rank: number | null;
  score: number | null;
  needed: number | null;
}
export interface SourceText {
  id: string;
  content: string;
  kind: string;
  speaker: string | null;
  session: string | null;
  occurred_at: string;
  recorded_at: string;
  memories: { memory_id: string; start: number; end: number }[];
}
export interface Fact {
  id: string;
  subject: string;
  relation: string;
  object: string;
  /** None: nobody knows since when. */
  valid_from: string | null;
  valid_until: string | null;
  confidence: number;
  subject_id: string;
  object_id: string;
  memory_id: string | null;
  recorded_at: string;
  closed_by: string | null;
  attestation: string;
}
export interface Entity {
  id: string;
  name: string;
  kind: string | null;
  aliases: string[];
  recorded_at: string;
}
export interface Profile extends Entity {
  facts_now: Fact[];
  facts_before: Fact[];
  memories: Memory[];
  timeline: TimelineEvent[];
}
export interface GraphNode {
  id: string;
  thing: string;
  kind: string | null;
  name: string | null;
  content: string | null;
  state: string | null;
  depth: number;
}
export interface GraphEdge {
  id: string;
  source_id: string;
  target_id: string;
  relation: string;
  /** None: nobody knows since when. */
  valid_from: string | null;
  valid_until: string | null;
  confidence: number;
}
export interface Walked {
  nodes: GraphNode[];
  edges: GraphEdge[];
  truncated: boolean;
}
export interface GraphPath {
  nodes: GraphNode[];
  edges: GraphEdge[];
}
export interface Overview {
  nodes: { id: string; name: string; kind: string; facts: number }[];
  edges: GraphEdge[];
  entities: number;
  facts: number;
  relations: Record<string, number>;
  kinds: Record<string, number>;
  truncated: boolean;
}
export interface Tick {
  at: string;
  until: string;
  changes: number;
  memories: number;
}
export interface Moments {
  clock: string;
  ticks: Tick[];
  changes: number;
  memories: number;
}
export interface Belief {
  id: string;
  thing: string;
  what: string;
  relation: string | null;
  subject: string | null;
  object: string | null;
  memory_id: string | null;
  confidence: number;
  valid_from: string;
  valid_until: string | null;
  known_from: string;
  known_until: string | null;
  seq: number | null;
  ended_by: number | null;
  actor: string | null;
  op: string | null;
  rule: string | null;
  why: string | null;
}
export interface Beliefs {
  id: string | null;
  name: string;
  beliefs: Belief[];
  truncated: boolean;
}
export interface HistoryEvent {
  at: string;
  seq: number;
  actor: string;
  op: string;
  type: string;
  what: string;
  rule: string | null;
  evidence: string | null;
  why: string | null;
  about: string[];
  undone_by: number | null;
}
/** What an undo took back, or would. */
export interface Undone {
  changed: boolean;
  forgotten: string[];
  reopened: string[];
  restored: string[];
  /** Memories that were said again, and stay. */
  kept: string[];
}
export interface History {
  id: string;
  thing: string;
  state: string | null;
  events: HistoryEvent[];
  supersedes: string[];
  superseded_by: string[];
}
export interface TimelineEvent {
  at: string;
  type: string;
  what: string;
  relation: string | null;
  source_id: string | null;
  target_id: string | null;
  why: string | null;
  rule: string | null;
  evidence: string | null;
  edge_id: string | null;
  recorded_at: string;
  seq: number | null;
}
export interface Timeline {
  id: string;
  thing: string;
  name: string;
  events: TimelineEvent[];
  truncated: boolean;
}
export interface JournalLine {
  seq: number;
  at: string;
  actor: string;
  op: string;
  hash: string;
  signature: string | null;
  rules: string[];
  kinds: Record<string, number>;
  changes: HistoryEvent[];
  more: number;
  undone_by: number | null;
}
export interface JournalPage {
  lines: JournalLine[];
  head: number;
  before: number | null;
}
export interface Page {
  memories: Memory[];
  next: string | null;
}
export type Facets = { memories: number } & Record<
  "kind" | "state" | "tier" | "tag" | "speaker" | "session",
  Record<string, number>
>;
export interface ReviewItem {
  id: string;
  kind: string;
  urgency: string;
  memory_ids: string[];
  entity_ids: string[];
  action: string;
  proposal: Record<string, unknown>;
  reason: string;
  status: string;
  made_by: string;
  created_at: string;
  updated_at: string;
  note: string | null;
  seq: number | null;
}
export interface EdgeTold {
  id: string;
  source: string;
  relation: string;
  target: string;
  valid_from: string;
  valid_until: string | null;
  rule: string;
  why: string | null;
}
export interface Remembered {
  id: string;
  content: string;
  kind: string;
  importance: number;
  confidence: number;
  event_time: string | null;
  valid_from: string;
  entities: { id: string; name: string; kind: string | null }[];
  triples: { subject: string; relation: string; object: string; valid_from?: string; valid_until?: string | null }[];
}
export interface Receipt {
  seq: number;
  memories: Remembered[];
  superseded: string[];
  entries: number[];
  edges: EdgeTold[];
  closed: EdgeTold[];
  duplicates: { memory_id: string; score: number }[];
  conflicts: { memory_id: string; other_id: string; why: string }[];
  possible_same: { entity_id: string; other_id: string; why: string }[];
  skipped: { why: string; span: [number, number] }[];
  trouble: string | null;
  dry_run: boolean;
}
export interface Health {
  memories: number;
  states: Record<string, number>;
  tiers: Record<string, number>;
  bands: Record<string, number>;
  mean_score: number;
  in_danger: number;
  stale: number;
  conflicts: number;
  duplicates: number;
  orphans: number;
  review_backlog: number;
  growth: Record<string, number>;
  entities: number;
  edges: number;
  last_upkeep: string | null;
}
