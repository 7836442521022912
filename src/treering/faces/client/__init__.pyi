"""The client of a server, as type checkers see it. Made from the door by `make docs`; do not edit."""

# ruff: noqa: A002

from types import TracebackType
from typing import Any, Self

import httpx

from treering import parameters as p
from treering.access.audit import AuditExport, AuditPage, AuditVerification
from treering.access.grants import Grant
from treering.access.keys import ApiKey, IssuedKey
from treering.door.housing import Described, Diagnosis, Status
from treering.door.notes import NotesFound
from treering.door.rehearsing import Rehearsal
from treering.door.syncing import Synced
from treering.door.tending import Compared, RelatedAgain
from treering.exchange.backups import BackupMade, BackupRun
from treering.exchange.journal import Exported, Imported
from treering.exchange.vault.importing import VaultImported
from treering.exchange.vault.index import Indexed
from treering.exchange.vault.unified import Unified
from treering.exchange.webhooks.kept import AddedWebhook, Webhook
from treering.graph.attest import Vouched
from treering.graph.beliefs import Beliefs
from treering.graph.diff import Diff
from treering.graph.entities import Merge, Registration
from treering.graph.facts import Asserted
from treering.graph.gather import Gathered
from treering.graph.happened import Happenings
from treering.graph.history import History
from treering.graph.journal_lines import JournalPage
from treering.graph.lineage import Lineage
from treering.graph.links import Linked, Unlinked, WindowMoved
from treering.graph.moments import Moments
from treering.graph.overview import Overview
from treering.graph.profile import Profile
from treering.graph.relation_table import RelationRow
from treering.graph.taxonomy import Branch
from treering.graph.timeline import Timeline
from treering.graph.walk import Walked
from treering.ingest.advise.advice import RecallAdvice, SaveAdvice
from treering.ingest.jobs import WorkedOff
from treering.ingest.receipt import Receipt
from treering.ingest.undo import Undone
from treering.model.entity import Entity
from treering.model.job import Job
from treering.model.memory import Memory
from treering.model.moved import MovedIn
from treering.model.review import ReviewItem
from treering.recall.answer import Answer, Context, WhyNot
from treering.recall.listing import Facets, Page
from treering.recall.source_text import SourceText
from treering.store.verify import Verification
from treering.timings import Timed
from treering.upkeep import beads
from treering.upkeep.agents.contract import AgentRun
from treering.upkeep.auto_recall import AutoRecalled
from treering.upkeep.cluster import Clustering
from treering.upkeep.consolidate import Consolidation
from treering.upkeep.expire import Expired
from treering.upkeep.forget import Archived, Forgetting, Hidden
from treering.upkeep.gc import Collected
from treering.upkeep.health import Health
from treering.upkeep.hold import HoldChange
from treering.upkeep.profile import WrittenProfile
from treering.upkeep.promote import Promoted
from treering.upkeep.purge import PurgeReport
from treering.upkeep.reembed import Reembedded
from treering.upkeep.retention import Retained
from treering.upkeep.review import Reviewed
from treering.upkeep.scheduler import PipelineRun, Scheduled, UpkeepStatus
from treering.upkeep.survey import Surveyed
from treering.upkeep.use import Observation, Touched

class Client:
    """A door whose store is at a server."""

    def __init__(
        self,
        url: str = "http://127.0.0.1:8321",
        *,
        key: str | None = None,
        actor: str | None = None,
        space: str = ...,
        timeout_seconds: float = 60.0,
        transport: httpx.BaseTransport | None = None,
    ) -> None: ...
    def space(self, name: str) -> Self:
        """The same client, bound to a space."""

    def remember(
        self,
        content: p.Telling = None,
        *,
        messages: p.Messages = None,
        drafts: p.Drafts = None,
        space: p.Space = None,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        tags: p.Tags = ...,
        meta: p.Meta = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = ...,
        visible_to: p.VisibleTo = ...,
        extractor: p.ExtractorName = None,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember what was said: keep it word for word, read it for statements and facts, relate it to the known."""

    def resume(
        self,
        *,
        space: p.Space = None,
        extractor: p.ExtractorName = None,
    ) -> Receipt:
        """Read what was kept and not yet read, such as after a crash."""

    def undo(
        self,
        what: p.Undoable,
        *,
        space: p.Space = None,
        why: p.Why = None,
        dry_run: p.DryRun = False,
    ) -> Undone:
        """Take back a write by its receipt's seq, or a closing or link by its edge's id. Nothing is removed."""

    def add(
        self,
        content: p.Content,
        *,
        space: p.Space = None,
        kind: p.Kind = ...,
        title: p.Title = None,
        context: p.Context = None,
        tags: p.Tags = ...,
        meta: p.Meta = None,
        importance: p.Importance = 0.6,
        confidence: p.Confidence = 1.0,
        strength: p.Strength = None,
        tier: p.Tier = ...,
        event_time: p.EventTime = None,
        event_end: p.EventEnd = None,
        expires_at: p.ExpiresAt = None,
        entities: p.Entities = ...,
        triples: p.Triples = ...,
        derived_from: p.Origins = ...,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = ...,
        visible_to: p.VisibleTo = ...,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember one statement as it stands: never split, never sent to a language model."""

    def add_many(
        self,
        items: p.Items,
        *,
        space: p.Space = None,
        embed_later: p.EmbedLater = False,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember many statements at once, all or none, in one journal entry."""

    def add_file(
        self,
        file: p.FileOrBytes,
        *,
        space: p.Space = None,
        name: p.FileName = None,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        tags: p.Tags = ...,
        meta: p.Meta = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = ...,
        visible_to: p.VisibleTo = ...,
        embed_later: p.EmbedLater = False,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Remember a file, section by section; of an exported chat, message by message."""

    def revise(
        self,
        id: p.MemoryId,
        content: p.Content,
        *,
        space: p.Space = None,
        kind: p.OtherKind = None,
        title: p.Title = None,
        tags: p.OtherTags = None,
        meta: p.Meta = None,
        tier: p.OtherTier = None,
        importance: p.OtherImportance = None,
        confidence: p.OtherConfidence = None,
        event_time: p.EventTime = None,
        expires_at: p.ExpiresAt = None,
        entities: p.Entities = ...,
        triples: p.Triples = ...,
        at: p.SaidAt = None,
        key: p.Key = None,
        why: p.Why = None,
        extractor: p.Rereader = None,
        dry_run: p.DryRun = False,
    ) -> Receipt:
        """Correct a memory: a new one takes its place from when it holds, and the old one stays readable."""

    def get(
        self,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Memory:
        """One memory by its id, in whatever state it is at the moment."""

    def list(
        self,
        *,
        space: p.Space = None,
        view: p.View = ...,
        kinds: p.Kinds = None,
        tags: p.WithTags = ...,
        entities: p.Mentioning = ...,
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        states: p.InStates = None,
        tiers: p.InTiers = None,
        words: p.WithWords = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        order: p.Order = "oldest",
        limit: p.Limit = 50,
        cursor: p.Cursor = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Page:
        """Memories by filter, page by page, in the order they were learned."""

    def recall(
        self,
        query: p.Query,
        *,
        space: p.Space = None,
        limit: p.Hits = 10,
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = ...,
        entities: p.Mentioning = ...,
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        min_score: p.MinScore = None,
        recency_bias: p.RecencyBias = None,
        diversify: p.Diversify = 0.0,
        include_source: p.IncludeSource = True,
        explain: p.Explain = False,
        budget_tokens: p.BudgetTokens = None,
        neighbours: p.Neighbours = 0,
        review: p.ReviewToo = False,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> Answer:
        """Find what is known about a question, by meaning, words, graph and time together. Changes nothing."""

    def context(
        self,
        query: p.Query,
        *,
        space: p.Space = None,
        budget_tokens: p.Budget = 2000,
        format: p.Format = "markdown",
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = ...,
        entities: p.Mentioning = ...,
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> Context:
        """What is known about a question as a block of text for a prompt: dated, cited, and quoted as data."""

    def why_not(
        self,
        query: p.Query,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        limit: p.Hits = 10,
        view: p.Looking = "auto",
        kinds: p.Kinds = None,
        tags: p.WithTags = ...,
        entities: p.Mentioning = ...,
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        min_score: p.MinScore = None,
        principal: p.Principal = None,
    ) -> WhyNot:
        """What keeps a memory out of what `recall` answers to the same question and wishes."""

    def history(
        self,
        id: p.AnyId,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> History:
        """Everything that ever happened to a memory, entity or edge: when, by whom, by which rule and why."""

    def touch(
        self,
        id: p.MemoryId,
        boost: p.Boost = False,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> Touched:
        """Record that a memory was used: it counts once more and fades anew from now. Answers old and new score."""

    def observe(
        self,
        ids: p.UsedIds,
        context_tags: p.ContextTags = ...,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> Observation:
        """Record which memories were really used in an answer, so that what proves useful stays."""

    def scores(
        self,
        ids: p.MemoryIds,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Scores:
        """How much is left of memories: decay score and band, uses, strength, and when each will have faded."""

    def survey(
        self,
        which: p.WhichStanding = ...,
        *,
        offset: p.Offset = 0,
        limit: p.Limit = 50,
        most: p.MostSurveyed = None,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Surveyed:
        """Memories of one standing, a page of them with scores, names and links, and averages over all of them."""

    def forget(
        self,
        id: p.IdOrQuery = None,
        *,
        query: p.ForgetQuery = None,
        confirm: p.Confirm = None,
        limit: p.Hits = 10,
        space: p.Space = None,
        why: p.Why = None,
        dry_run: p.DryRun = False,
    ) -> Hidden | Forgetting:
        """Hide a memory, its edges and what was told in parts of its words from every reading; nothing is removed."""

    def archive(
        self,
        id: p.MemoryId,
        *,
        space: p.Space = None,
        why: p.Why = None,
        dry_run: p.DryRun = False,
    ) -> Archived:
        """Put a memory away, out of lists and answers about what holds. Its id still finds it; `restore` undoes it."""

    def restore(
        self,
        id: p.Id,
        *,
        space: p.Space = None,
        why: p.Why = None,
        dry_run: p.DryRun = False,
    ) -> Hidden:
        """Bring back what was forgotten or archived, exactly as it was."""

    def gc(
        self,
        *,
        dry_run: p.Preview = True,
        archive: p.Archive = True,
        limit: p.MostCollected = None,
        space: p.Space = None,
    ) -> Collected:
        """Put away what has faded below the threshold, the weakest first. Only shows it, unless dry_run is false."""

    def promote(
        self,
        id: p.PromoteId = None,
        *,
        auto: p.Auto = False,
        dry_run: p.DryRun = False,
        target: p.PromotionTarget = None,
        force: p.Force = False,
        limit: p.MostCollected = None,
        vault: p.VaultFolder = None,
        space: p.Space = None,
    ) -> Promoted:
        """Make what has proved itself long-term: a high score, or many uses of late, and older than a day."""

    def expire(
        self,
        *,
        dry_run: p.DryRun = False,
        limit: p.MostCollected = None,
        space: p.Space = None,
    ) -> Expired:
        """Put away what outlived its tier, if the space has lifetimes for tiers, and say what is past its own time."""

    def health(
        self,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Health:
        """How a space is doing: what there is, what fades, what is in doubt, and when it was last looked after."""

    def purge(
        self,
        id: p.PurgedId,
        why: p.Reason,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> PurgeReport:
        """Remove a memory's bytes everywhere, with all that quotes it. This alone cannot be undone."""

    def profile(
        self,
        entity: p.ProfileOf = None,
        *,
        space: p.Space = None,
        budget_tokens: p.Budget = 1000,
        limit: p.ProfileLimit = 80,
        smooth: p.Smooth = "auto",
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> WrittenProfile:
        """What holds of a space or an entity in a few cited sentences: facts and preferences, what matters first."""

    def analyze_message(
        self,
        text: p.Message,
    ) -> SaveAdvice:
        """Whether a message is worth remembering: above 0.7 save it, from 0.4 on ask. Changes nothing."""

    def auto_recall(
        self,
        text: p.Message,
        *,
        context_tags: p.ContextTags = ...,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> AutoRecalled:
        """Keep alive what a message speaks of: the nearest memories count as used, each once in five minutes."""

    def timings(
        self,
        reset: p.ResetTimings = False,
    ) -> Timed:
        """How long operations take in this process, each by name; they can be set back after being told."""

    def analyze_for_recall(
        self,
        text: p.Message,
    ) -> RecallAdvice:
        """Whether a message wants something remembered, and what to look for. Changes nothing."""

    def cluster(
        self,
        strategy: p.Strategy = "similarity",
        threshold: p.ClusterThreshold = 0.83,
        max_size: p.MaxSize = 12,
        find_duplicates: p.FindDuplicates = False,
        duplicate_threshold: p.DuplicateThreshold = 0.88,
        *,
        min_size: p.MinSize = 2,
        space: p.Space = None,
    ) -> Clustering:
        """Find memories that belong together, or pairs that say the same. No memory changes."""

    def consolidate(
        self,
        cluster_id: p.ClusterId = None,
        auto: p.AutoClusters = False,
        mode: p.ConsolidationMode = "preview",
        cohesion_threshold: p.CohesionThreshold = 0.75,
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Consolidation:
        """Make one memory of a cluster, or of every coherent one: all that its members say, with all their tags."""

    def run_pipeline(
        self,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
        rate_limit: p.RateLimit = 600,
    ) -> PipelineRun:
        """Let the five agents keep the space, in order: decay, cluster, merge, promote, relations."""

    def run_agent(
        self,
        agent: p.AgentWord,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
        rate_limit: p.RateLimit = 600,
    ) -> AgentRun:
        """Let one agent keep the space: decay, cluster, merge, promote or relations."""

    def run_scheduled(
        self,
        force: p.ForceRun = False,
        *,
        space: p.Space = None,
        interval_seconds: p.Interval = 3600.0,
        rate_limit: p.RateLimit = 600,
    ) -> Scheduled:
        """Keep the space if it is time again, an hour after the last run began, and nobody else is at it."""

    def relate_again(
        self,
        *,
        space: p.Space = None,
        since: p.WrittenSince = None,
        limit: p.Things = None,
        dry_run: p.DryRun = False,
    ) -> RelatedAgain:
        """Judge memories that were written before: what replaces or ends an older one, as `remember` would now."""

    def compare(
        self,
        a: p.OneOfTwo,
        b: p.OtherOfTwo,
        *,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> Compared:
        """What the later of two memories does to the earlier: replaces it, ends it, contradicts it, or lets it be."""

    def upkeep_status(
        self,
        *,
        space: p.Space = None,
        interval_seconds: p.Interval = 3600.0,
        principal: p.Principal = None,
    ) -> UpkeepStatus:
        """Who keeps the space, how far the run is, when the next is due, and how much waits for a decision."""

    def review_list(
        self,
        kind: p.OneReviewWord = None,
        *,
        status: p.ReviewState = None,
        urgency: p.OneUrgency = None,
        limit: p.Limit = 50,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> p.ReviewItems:
        """What waits for somebody to decide, the most urgent first; or, by status, what was decided."""

    def review_get(
        self,
        id: p.ReviewId,
        *,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> ReviewItem:
        """One review item: the memories it is about, why, and what applying it would do."""

    def review_create(
        self,
        kind: p.ReviewWord,
        action: p.Action,
        *,
        memory_ids: p.About = ...,
        entity_ids: p.AboutEntities = ...,
        urgency: p.ReviewUrgency = "medium",
        proposal: p.Proposal = None,
        reason: p.ReviewReason = "",
        space: p.Space = None,
    ) -> ReviewItem:
        """Put something before whoever decides. The same again is answered, not doubled."""

    def review_claim(
        self,
        id: p.ReviewId,
        *,
        lease_seconds: p.ClaimSeconds = 900.0,
        space: p.Space = None,
    ) -> ReviewItem:
        """Take an item: nobody else can decide it until your time has run out."""

    def review_apply(
        self,
        id: p.ReviewId,
        *,
        note: p.Note = None,
        space: p.Space = None,
    ) -> Reviewed:
        """Do what an item proposes, in one write, and close it. `undo` with its seq takes it back."""

    def review_dismiss(
        self,
        id: p.ReviewId,
        *,
        note: p.Note = None,
        space: p.Space = None,
    ) -> ReviewItem:
        """Decide against an item: nothing changes, and the same is not asked again."""

    def review_close(
        self,
        id: p.ReviewId,
        *,
        note: p.Note = None,
        space: p.Space = None,
    ) -> ReviewItem:
        """Close an item that was dealt with in some other way."""

    def review_reopen(
        self,
        id: p.ReviewId,
        *,
        space: p.Space = None,
    ) -> ReviewItem:
        """Have a decision made once more: the item waits again. `undo` takes back what was applied."""

    def create_consolidation_issue(
        self,
        agent: p.AgentWord,
        memory_ids: p.About,
        action: p.Action,
        urgency: p.ReviewUrgency = "medium",
        *,
        space: p.Space = None,
    ) -> beads.Issue:
        """Make an issue labelled consolidation:<agent>, in the tracker beads if it is installed, else a review item."""

    def query_consolidation_issues(
        self,
        agent: p.OneAgent = None,
        status: p.IssueStatus = "open",
        *,
        limit: p.Limit = 50,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> p.Issues:
        """Issues of the agents, in the tracker beads if it is installed, and in the review queue."""

    def claim_issue(
        self,
        id: p.IssueId,
        *,
        space: p.Space = None,
    ) -> bool:
        """Take an issue; false if somebody else has it or it is closed."""

    def close_issue(
        self,
        id: p.IssueId,
        reason: p.IssueReason,
        *,
        space: p.Space = None,
    ) -> beads.Issue:
        """Close an issue, with how it was dealt with."""

    def search_unified(
        self,
        query: p.AnyQuery = None,
        *,
        tags: p.WithTags = ...,
        limit: p.Hits = 10,
        stm_weight: p.MemoryWeight = 1.0,
        ltm_weight: p.NoteWeight = 0.7,
        window_days: p.WindowDays = None,
        min_score: p.LeastDecay = None,
        verbose: p.Verbose = False,
        vault: p.VaultFolder = None,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Unified:
        """Search memories and the notes of the vault together, in one ranking; each result says which it is."""

    def index_vault(
        self,
        vault: p.VaultFolder = None,
        *,
        embed: p.EmbedNotes = False,
        space: p.Space = None,
    ) -> Indexed:
        """Bring the index of a vault up to date, as every search does; it lies beside the store and changes nothing."""

    def notes_of(
        self,
        ids: p.MemoryIds,
        *,
        space: p.Space = None,
    ) -> NotesFound:
        """Where in the vault the notes of memories lie, by id; those that have none are left out."""

    def import_vault(
        self,
        vault: p.VaultFolder = None,
        *,
        space: p.Space = None,
        tags: p.Tags = ...,
        meta: p.Meta = None,
        visibility: p.Visibility = ...,
        embed_later: p.EmbedLater = False,
        dry_run: p.DryRun = False,
    ) -> VaultImported:
        """Remember the notes of a vault: each a source with a memory a section, tags and links with them."""

    def enqueue(
        self,
        content: p.Telling = None,
        *,
        messages: p.Messages = None,
        drafts: p.Drafts = None,
        space: p.Space = None,
        at: p.SaidAt = None,
        speaker: p.Speaker = None,
        session: p.Session = None,
        key: p.Key = None,
        tags: p.Tags = ...,
        meta: p.Meta = None,
        observed_by: p.ObservedBy = None,
        visibility: p.Visibility = ...,
        visible_to: p.VisibleTo = ...,
        extractor: p.ExtractorName = None,
    ) -> Job:
        """Accept something to be remembered later, as `remember` would: it is on disk when this answers."""

    def job(
        self,
        id: p.JobId,
        *,
        space: p.Space = None,
        principal: p.Principal = None,
    ) -> Job:
        """One of your jobs: where it stands, how far it came, and what came of it."""

    def jobs(
        self,
        *,
        space: p.Space = None,
        status: p.OfStatus = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
    ) -> p.Jobs:
        """Your jobs, the newest first."""

    def cancel_job(
        self,
        id: p.JobId,
        *,
        space: p.Space = None,
    ) -> Job:
        """Drop a job. If a worker is at it, it stops after the source it is at; what was remembered by then stays."""

    def retry_job(
        self,
        id: p.JobId,
        *,
        space: p.Space = None,
    ) -> Job:
        """Try a job again that failed before its words were stored."""

    def run_jobs(
        self,
        *,
        limit: p.MostJobs = None,
    ) -> WorkedOff:
        """Do the jobs that are ready, of all spaces, each on behalf of who asked for it."""

    def link(
        self,
        source: p.Newer,
        target: p.Older,
        relation: p.LinkRelation = "related_to",
        *,
        space: p.Space = None,
        strength: p.TieStrength = 1.0,
        meta: p.Meta = None,
        valid_from: p.LinkedFrom = None,
        valid_until: p.ValidUntil = None,
        observed_by: p.ObservedBy = None,
        why: p.Why = None,
    ) -> Linked:
        """Link two memories. A link that stands already is answered, not doubled; one that was ended begins anew."""

    def unlink(
        self,
        source: p.Newer,
        target: p.Older,
        relation: p.LinkRelation = "related_to",
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Unlinked:
        """Forget a link between two memories; `restore` with the edge's id brings it back."""

    def invalidate(
        self,
        source: p.Node,
        target: p.Node,
        relation: p.Relation,
        *,
        at: p.ClosedAt = None,
        space: p.Space = None,
        why: p.Why = None,
    ) -> WindowMoved:
        """Close an edge's window: it was true before that time and is not from then on. Repeating changes nothing."""

    def reopen(
        self,
        source: p.Node,
        target: p.Node,
        relation: p.Relation,
        *,
        space: p.Space = None,
    ) -> WindowMoved:
        """Undo the latest closing of an edge: its window ends again where it did before."""

    def assert_fact(
        self,
        subject: p.EntityRef,
        relation: p.Relation,
        object: p.EntityRef,
        *,
        space: p.Space = None,
        valid_from: p.ValidFrom = None,
        valid_until: p.ValidUntil = None,
        confidence: p.Confidence = 1.0,
        memory_id: p.Evidence = None,
        supersede: p.Supersede = False,
    ) -> Asserted:
        """State a fact between two entities; entities are made as needed."""

    def assert_facts(
        self,
        facts: p.Statements,
        *,
        space: p.Space = None,
        supersede: p.Supersede = False,
    ) -> Asserted:
        """State many facts at once, all or none."""

    def facts(
        self,
        *,
        space: p.Space = None,
        subject: p.OfSubject = None,
        relation: p.OneRelation = None,
        object: p.AboutObject = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        include_closed: p.IncludeClosed = False,
        limit: p.FactLimit = None,
        min_confidence: p.MinConfidence = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Facts:
        """Facts between entities that hold at the moment, with their windows and evidence."""

    def graph(
        self,
        start: p.Start,
        relations: p.Relations = None,
        depth: p.Depth = 3,
        direction: p.Direction = "both",
        *,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        space: p.Space = None,
        children: p.Children = False,
        limit: p.MostEdges = 1000,
        include_closed: p.AlsoClosed = False,
        principal: p.Principal = None,
    ) -> Walked:
        """What can be reached from a memory or entity, either way over edges that hold at the moment on every hop."""

    def paths(
        self,
        a: p.Start,
        b: p.Goal,
        max_depth: p.PathDepth = 4,
        limit: p.MostPaths = 10,
        *,
        relations: p.Relations = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        space: p.Space = None,
        children: p.Children = False,
        principal: p.Principal = None,
    ) -> p.Paths:
        """How two memories or entities are connected: the shortest paths over edges that hold at the moment."""

    def attest(
        self,
        id: p.EdgeId,
        *,
        space: p.Space = None,
    ) -> Vouched:
        """Vouch for an edge: put the actor's own signature under what was observed. Repeating changes nothing."""

    def entity_register(
        self,
        name: p.CanonicalName,
        *,
        space: p.Space = None,
        aliases: p.Aliases = ...,
        kind: p.EntityKind = None,
    ) -> Registration:
        """Make an entity known by name and aliases. One of that name is reused, and new aliases are added to it."""

    def entity_get(
        self,
        alias: p.EntityRef,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Entity:
        """The entity that answers to a name, alias or id, with all its names; the newest if several do."""

    def entities(
        self,
        *,
        space: p.Space = None,
        kind: p.EntityKind = None,
        named: p.NamedLike = None,
        limit: p.Limit = 50,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.EntityList:
        """The entities of a space with all their names, the newest first."""

    def entity_gather(
        self,
        entity: p.GatheredFor = None,
        *,
        ids: p.GatheredIds = None,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> Gathered:
        """Tie memories to the entities that they name: all that name one entity, or whatever these memories name."""

    def entity_merge(
        self,
        entity: p.EntityRef,
        into: p.EntityRef,
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Merge:
        """Join two entities that are one: names and edges of the first follow into the second. A split undoes it."""

    def entity_split(
        self,
        entity_id: p.MergedId,
        *,
        space: p.Space = None,
        why: p.Why = None,
    ) -> Merge:
        """Undo a merge: the entity stands for itself again, with its own names and edges."""

    def timeline(
        self,
        node: p.Node,
        since: p.EventsSince = None,
        until: p.EventsUntil = None,
        relations: p.OfRelations = None,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        limit: p.Events = 1000,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Timeline:
        """What happened to a memory or an entity, in the order of valid time, each event with its reason."""

    def entity(
        self,
        id: p.EntityRef,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.OfEach = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Profile:
        """What is known of an entity: names, facts now and before, the memories that mention it, and its timeline."""

    def diff(
        self,
        *,
        space: p.Space = None,
        from_: p.From,
        to: p.To = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Diff:
        """What changed between two moments of valid time: facts opened, closed, superseded, learned late."""

    def contradictions(
        self,
        *,
        space: p.Space = None,
        topic: p.Topic = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.Contradictions:
        """Conflicts that are open, with both sides, where each was said, when each holds, and the rule that saw it."""

    def lineage(
        self,
        memory: p.OneMemory,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        depth: p.Steps = 8,
        limit: p.Relatives = 100,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Lineage:
        """Where a memory comes from, down to the words that were said, and what depends on it."""

    def stale(
        self,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.Limit = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> p.StaleOnes:
        """Current memories derived from something that was superseded, invalidated, expired or forgotten, and what."""

    def taxonomy(
        self,
        prefix: p.Prefix = None,
        depth: p.Levels = 8,
        limit: p.Branches = 1000,
        *,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> Branch:
        """Spaces as a tree, each with how many memories hold in it and in all below it, also where the tree is cut."""

    def relations(
        self,
        *,
        own_only: p.OwnOnly = False,
        space: p.Space = None,
        known_at: p.KnownAt = None,
    ) -> p.RelationRows:
        """The table of relations: what each says, and whether a newer value closes the older one in this space."""

    def relation_set(
        self,
        name: p.Relation,
        *,
        gloss: p.Gloss = None,
        cardinality: p.RelationCardinality = None,
        sentence: p.RelationSentence = None,
        family: p.RelationFamily = None,
        asked: p.AskedWords = None,
        also: p.OtherNames = None,
        space: p.Space = None,
    ) -> RelationRow:
        """Give a space a relation of its own, or change what one means there. What is left out stays as it is."""

    def relation_remove(
        self,
        name: p.Relation,
        *,
        space: p.Space = None,
    ) -> RelationRow:
        """Take a space's own row away and answer it: the table holds again, and the facts in that relation stay."""

    def when(
        self,
        text: p.TimeWords,
        *,
        reference: p.Reference = None,
    ) -> p.Windows:
        """Which stretches of time a text speaks of, seen from a moment: "last May", "two weeks ago"."""

    def moments(
        self,
        *,
        clock: p.WhichClock = "valid",
        after: p.TicksAfter = None,
        before: p.TicksBefore = None,
        limit: p.Ticks = 200,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Moments:
        """The times at which something changed, on one of the two clocks, in order."""

    def beliefs(
        self,
        node: p.AnyNode = None,
        *,
        relation: p.OneRelation = None,
        limit: p.Limit = 500,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> Beliefs:
        """What was ever believed about an entity, a memory or a relation: for which time, and when."""

    def overview(
        self,
        *,
        relations: p.Relations = None,
        kind: p.EndKind = None,
        confidence: p.LeastConfidence = 0.0,
        nodes: p.SeenNodes = 1000,
        edges: p.SeenEdges = 10000,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Overview:
        """A space from afar: its most connected entities, the facts between them, and counts of all there is."""

    def journal(
        self,
        *,
        before: p.BeforeSeq = None,
        limit: p.JournalLines = 50,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> JournalPage:
        """What was written in a space, the newest entry first: by whom, by which rule, signed or not."""

    def source(
        self,
        id: p.SourceId,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> SourceText:
        """What was said, word for word, and which memories rest on which words of it."""

    def facets(
        self,
        *,
        space: p.Space = None,
        view: p.View = ...,
        kinds: p.Kinds = None,
        states: p.InStates = None,
        tiers: p.InTiers = None,
        tags: p.WithTags = ...,
        words: p.WithWords = None,
        session: p.InSession = None,
        speaker: p.BySpeaker = None,
        since: p.Since = None,
        until: p.Until = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        limit: p.FacetValues = 50,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Facets:
        """How many memories there are of each kind, state, tier, tag, speaker and session."""

    def import_memories(
        self,
        path: p.OtherMemory = None,
        *,
        records: p.OtherRecords = None,
        system: p.OtherSystem = None,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> MovedIn:
        """Take another memory over with its state: ids, times, uses, what was archived or promoted, and links."""

    def spaces(
        self,
        *,
        prefix: p.Prefix = None,
    ) -> p.Spaces:
        """The spaces of the store, with how far each journal has come."""

    def status(
        self,
        *,
        space: p.Space = None,
        as_of: p.AsOf = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
        children: p.Children = False,
    ) -> Status:
        """Counts by state, the journal's head, and what the store is."""

    def signers(
        self,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        children: p.Children = False,
    ) -> p.Signers:
        """Which actors sign what they write in a space, and with which key."""

    def describe(
        self,
        *,
        description: p.Description = None,
        metadata: p.Meta = None,
        space: p.Space = None,
    ) -> Described:
        """Say what a space is for; made so, it is there before anything is remembered in it."""

    def about(
        self,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
    ) -> Described:
        """What a space is for, in its owner's words."""

    def settings(
        self,
        changes: p.SettingChanges = ...,
        *,
        space: p.Space = None,
    ) -> dict[str, Any]:
        """What a space decides for itself: changes what is given, answers all."""

    def setting(
        self,
        name: p.SettingName,
        *,
        space: p.Space = None,
    ) -> dict[str, Any]:
        """One thing that a space decides for itself, such as decay or consolidation, by its name."""

    def verify(
        self,
        *,
        space: p.OneSpace = None,
    ) -> Verification:
        """Recompute the hash chain, check every signature, replay the journal and compare every row."""

    def doctor(
        self,
        *,
        repair: p.Repair = False,
        space: p.OneSpace = None,
    ) -> Diagnosis:
        """Verify, and if asked mend: tables that differ from the journal are made again from it."""

    def reembed(
        self,
        embedder: p.EmbedderName = None,
        *,
        space: p.Space = None,
        limit: p.Things = None,
    ) -> Reembedded:
        """Let an embedder read what it has not read yet."""

    def export(
        self,
        path: p.NewFile,
        *,
        space: p.OneSpace = None,
        format: p.ExportFormat = None,
    ) -> Exported:
        """Write the journal as JSON Lines: lossless, and importable anywhere; or what is known in another form."""

    def import_journal(
        self,
        path: p.JournalFile,
        *,
        space: p.NewName = None,
    ) -> Imported:
        """Take in an exported journal by replay, all or nothing; what is here already is passed over."""

    def backup(
        self,
        path: p.NewFile,
        *,
        passphrase: p.Passphrase = None,
        verify: p.VerifyCopy = True,
    ) -> BackupMade:
        """Copy the whole store to another file while others go on using it, and verify the copy."""

    def backup_run(
        self,
        force: p.ForceBackup = False,
    ) -> BackupRun:
        """Make the next backup in the folder that is set up, if it is time; the oldest go once it is verified."""

    def backup_list(
        self,
    ) -> p.Backups:
        """The backups of the folder that is set up, the newest first."""

    def backup_rehearse(
        self,
        path: p.BackupFile = None,
        *,
        passphrase: p.Passphrase = None,
        questions: p.Questions = 20,
    ) -> Rehearsal:
        """Restore a backup into a throw-away store, verify it there, and compare its answers with this store's."""

    def hold(
        self,
        why: p.Reason,
        id: p.HeldId = None,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> HoldChange:
        """Put a memory, or a whole space, on hold: nothing can purge it until it is released."""

    def release(
        self,
        why: p.Reason,
        id: p.HeldId = None,
        *,
        space: p.Space = None,
        dry_run: p.DryRun = False,
    ) -> HoldChange:
        """Lift the hold on a memory, or that on the whole space."""

    def holds(
        self,
        *,
        space: p.Space = None,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> p.Holds:
        """What is on hold in a space, since when, by whom and why."""

    def retain(
        self,
        *,
        dry_run: p.Preview = True,
        limit: p.MostCollected = None,
        space: p.Space = None,
    ) -> Retained:
        """Purge what a space no longer keeps (its setting `purging`). Only counts it, unless dry_run is false."""

    def sync(
        self,
        place: p.MeetingPlace,
        *,
        key: p.PlaceKey = None,
        space: p.Space = None,
    ) -> Synced:
        """Exchange what was written with other stores of a space, both ways, through a folder or a server."""

    def receive_journal(
        self,
        path: p.JournalFile,
        *,
        space: p.Space = None,
    ) -> Synced:
        """Take over what another store of the same space wrote, from its journal; what is known is passed over."""

    def events(
        self,
        *,
        space: p.Space = None,
        after: p.AfterSeq = 0,
        limit: p.Limit = 50,
        known_at: p.KnownAt = None,
        principal: p.Principal = None,
    ) -> Happenings:
        """What happened in a space, in order: which kind of change, about which ids, by whom and when."""

    def key_create(
        self,
        name: p.KeyName,
        *,
        spaces: p.Opened,
        role: p.KeyRole = ...,
        requests_a_minute: p.RequestsAMinute = None,
        requests_a_day: p.RequestsADay = None,
        reports_for_others: p.ReportsForOthers = False,
        expires_at: p.KeyExpiresAt = None,
    ) -> IssuedKey:
        """Make a key for the server. It is shown this once: what is kept does not tell it."""

    def key_rotate(
        self,
        id: p.KeyId,
        *,
        overlap_seconds: p.OverlapSeconds = 86400,
        expires_at: p.NewExpiry = None,
    ) -> IssuedKey:
        """A new key with the rights of this one, which still holds for a while: a day, if not said otherwise."""

    def key_list(
        self,
    ) -> p.Keys:
        """The keys there are, the oldest first, with when each was used last and expires; never what they read."""

    def key_revoke(
        self,
        id: p.KeyId,
    ) -> ApiKey:
        """From now on this key opens nothing. Repeating changes nothing."""

    def grant_add(
        self,
        group: p.Group,
        on: p.GrantPath,
        *,
        role: p.KeyRole = ...,
    ) -> Grant:
        """Grant a group of the identity provider a role on a path and all below it, in place of what it had there."""

    def grant_list(
        self,
    ) -> p.Grants:
        """What groups may do, by path: what was granted here, and what stands in the server's settings."""

    def grant_remove(
        self,
        group: p.Group,
        on: p.GrantPath,
    ) -> Grant:
        """Take back what a group was granted on a path."""

    def webhook_add(
        self,
        address: p.HookUrl,
        *,
        spaces: p.Opened = ...,
        events: p.HookEvents = ...,
        from_start: p.FromStart = False,
    ) -> AddedWebhook:
        """Have an address told of what happens: entry by entry, in order, signed, and again if it does not answer."""

    def webhook_list(
        self,
    ) -> p.Webhooks:
        """The webhooks there are: how far each has been told, and what fails."""

    def webhook_remove(
        self,
        id: p.HookId,
    ) -> Webhook:
        """Tell this address nothing more."""

    def webhook_letters(
        self,
        *,
        webhook: p.OfHook = None,
    ) -> p.DeadLetters:
        """What could not be delivered after every try."""

    def webhook_resend(
        self,
        *,
        webhook: p.OfHook = None,
    ) -> p.DeadLetters:
        """Deliver once more what could not be delivered; answers what still cannot."""

    def audit_search(
        self,
        *,
        space: p.OneSpace = None,
        children: p.Children = False,
        kinds: p.AuditKinds = ...,
        caller: p.OfCaller = None,
        key: p.OfKey = None,
        request: p.OfRequest = None,
        operation: p.OfOperation = None,
        outcome: p.Outcome = None,
        since: p.AuditSince = None,
        until: p.AuditUntil = None,
        after: p.AfterRecord = 0,
        order: p.AuditOrder = "newest",
        limit: p.Limit = 50,
    ) -> AuditPage:
        """Who read what, signed in, was refused or took something out: the server's records, by whatever is known."""

    def audit_export(
        self,
        path: p.NewFile,
        *,
        since: p.AuditSince = None,
        until: p.AuditUntil = None,
    ) -> AuditExport:
        """Write the audit trail as JSON Lines, each record with its hash: the chain can be checked without a store."""

    def audit_verify(
        self,
        *,
        seen: p.SeenHead = None,
    ) -> AuditVerification:
        """Recompute the hash chain of the audit trail."""

    def close(self) -> None: ...
    def __enter__(self) -> Self: ...
    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...
