"""How does a turn become statements without any model? By rules; see `extractor` for the way a text takes."""

from treering.ingest.extract.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
