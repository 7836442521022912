"""What does a net see of a talk? Turns and questions as rows of word pieces, and a vector of each."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from training.turnfinder.net import mean
from training.turnfinder.talks import CLOSING, COLON, OPENING, Batch, Talks

MOST = 160
"""Word pieces of a turn that are read with a question in training."""


class Reader:
    """Turns and questions as rows of word pieces, made on the device; names as drawn."""

    def __init__(self, talks: Talks, device: str) -> None:
        self.device, self.talks = device, talks
        self.turn_ids, self.asked_ids = (torch.from_numpy(x).to(device) for x in (talks.turn_ids, talks.asked_ids))

    def rows(self, kind: str, which: Any, row: Any, names: Any, lead: Any) -> Any:
        """Word pieces and their mask, and where the text begins in each row. `lead`: whether each begins with who
        speaks."""
        t = self.talks
        ids, start, length = (
            (self.turn_ids, t.turn_from[which], t.turn_len[which])
            if kind == "turn"
            else (self.asked_ids, t.asked_from[which], t.asked_len[which])
        )
        leads = t.turn_lead[which] * lead if kind == "turn" else np.zeros(len(which), np.int64)
        begin = 1 + 2 * (leads > 0)
        width = int(-(-(length + begin + 1).max() // 8) * 8)
        start, length, begin, leads, row = (self.there(x) for x in (start, length, begin, leads, row))
        at = torch.arange(width, device=self.device)[None]
        place = at - begin[:, None]
        inside = (place >= 0) & (place < length[:, None])
        found = ids[(start[:, None] + place).clamp(0, len(ids) - 1)].long() * inside
        found[:, 0] = OPENING
        has = begin > 1
        found[:, 1] = torch.where(has, leads, found[:, 1])
        found[:, 2] = torch.where(has, torch.full_like(leads, COLON), found[:, 2])
        end = begin + length
        found = torch.where(at == end[:, None], torch.full_like(found, CLOSING), found)
        named = self.there(names)[row][:, :, None].squeeze(-1)
        found = torch.where((found > 0) & (found < 10), named.gather(1, found.clamp(0, 9)), found)
        return found, (at <= end[:, None]).long(), begin

    def there(self, array: Any) -> Any:
        return torch.from_numpy(np.ascontiguousarray(array)).to(self.device, non_blocking=True)


def vectors(
    net: Any, reader: Reader, kind: str, which: Any, row: Any, names: Any, lead: Any, chunks: int, spans: Any = None
) -> tuple[Any, Any]:
    """One row each, in the order given, and one of the marked span where there is one; chunks hold like lengths."""
    t = reader.talks
    length = (t.turn_len if kind == "turn" else t.asked_len)[which]
    order = np.argsort(length, kind="stable")
    whole, part = [], []
    cuda = reader.device == "cuda"
    for some in np.array_split(order, min(chunks, len(order))):
        ids, mask, begin = reader.rows(kind, which[some], row[some], names, lead[some])
        with torch.autocast("cuda", torch.bfloat16, enabled=cuda):
            states = net.states(ids, mask)
        whole.append(mean(states, mask.float()))
        if spans is not None:
            at = torch.arange(ids.shape[1], device=ids.device)[None]
            first, last = (reader.there(spans[some, n]) + begin for n in (0, 1))
            # as the product pools a sentence: its pieces with those of the lead, neither opening nor closing
            inside = ((at >= first[:, None]) & (at < last[:, None])) | ((at >= 1) & (at < begin[:, None]))
            part.append(mean(states, inside.float()))
    back = reader.there(np.argsort(order, kind="stable"))
    return torch.cat(whole)[back], torch.cat(part)[back] if part else None


class Pairs:
    """Questions and turns of one batch, to be read in pairs."""

    def __init__(self, reader: Reader, batch: Batch) -> None:
        yes = np.ones(len(batch.asked), bool)
        lead = batch.lead[batch.turns_row]
        self.asked, asked_mask, _ = reader.rows("asked", batch.asked, batch.asked_row, batch.names, yes)
        turns, turns_mask, _ = reader.rows("turn", batch.turns, batch.turns_row, batch.names, lead)
        self.asked_len, turns_len = asked_mask.sum(1), turns_mask.sum(1)
        self.turns = turns[:, 1 : MOST + 1]
        self.turns_len = (turns_len - 1).clamp(max=self.turns.shape[1])
        self.turns.scatter_(1, self.turns_len[:, None] - 1, CLOSING)

    def read(self, judge: Any, asked: Any, turns: Any, chunks: int) -> Any:
        """A number for each pair."""
        first, second = self.asked_len[asked], self.turns_len[turns]
        order = torch.argsort(first + second)
        found = []
        for some in order.chunk(chunks):
            width = int((first[some] + second[some]).max())
            at = torch.arange(width, device=order.device)[None]
            one, both = first[some][:, None], (first[some] + second[some])[:, None]
            own = self.asked[asked[some]].gather(1, at.clamp(max=self.asked.shape[1] - 1).expand(len(some), -1))
            place = (at - one).clamp(0, self.turns.shape[1] - 1)
            ids = torch.where(at < one, own, self.turns[turns[some]].gather(1, place))
            mask = at < both
            with torch.autocast("cuda", torch.bfloat16, enabled=order.is_cuda):
                found.append(judge(ids * mask, mask.long(), ((at >= one) & mask).long()).float())
        return torch.cat(found)[torch.argsort(order)]
