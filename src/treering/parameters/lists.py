"""What comes back in lists? Inside the door `list` is an operation."""

from __future__ import annotations

from treering.access.grants import Grant
from treering.access.keys import ApiKey
from treering.exchange.backups import BackupFound
from treering.exchange.webhooks.kept import DeadLetter, Webhook
from treering.graph.contradictions import Contradiction
from treering.graph.facts import Fact
from treering.graph.paths import Path as GraphPath
from treering.graph.relation_table import RelationRow
from treering.graph.support import Stale
from treering.language.when.window import Window
from treering.model.entity import Entity
from treering.model.job import Job
from treering.model.review import ReviewItem
from treering.model.space import SignerInfo, SpaceInfo
from treering.upkeep.beads import Issue
from treering.upkeep.hold import Hold
from treering.upkeep.use import Score

Facts = list[Fact]
EntityList = list[Entity]
RelationRows = list[RelationRow]
Keys = list[ApiKey]
Grants = list[Grant]
Holds = list[Hold]
Backups = list[BackupFound]
Webhooks = list[Webhook]
DeadLetters = list[DeadLetter]
StaleOnes = list[Stale]
Contradictions = list[Contradiction]
Jobs = list[Job]
Paths = list[GraphPath]
Scores = list[Score]
Spaces = list[SpaceInfo]
Signers = list[SignerInfo]
Names = list[str]
Windows = list[Window]
ReviewItems = list[ReviewItem]
Issues = list[Issue]
