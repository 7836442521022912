"""What several of these tests stand on."""

from __future__ import annotations

from tests.contract.damage import bench, healthy

__all__ = ["bench", "healthy"]
