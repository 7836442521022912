"""Trains what reads facts: layers of its own that go on from within the reader, and heads over stretches of words.

`python -m training.fact_net DATA OUT name=facts start=shipped minutes=4`

DATA holds what `fact_data` made (`rows.npz`, `relations.json`) and weights: `start` names those of the reader, whose
lower layers stay as they are, since they are run once for all that is read of a turn; `go_on` those of an earlier
training of this, or the layers of what is shipped (`training.restore`). `large=1` trains the larger net in its place;
`teacher` names its weights, and then its opinion counts beside the labels, and of what nobody has labelled; of
several the mean.
`share`: so much of the turns is shown, to see what more of them are worth. OUT gets the weights. `mean=one,two` trains
nothing: it takes the mean of the weights of several trainings that began alike.

With `export=MODEL_FOLDER` it asks what was held out with the shipped int8 layers below, and writes `facts_int8.onnx`
and `facts.npz`.
"""

from __future__ import annotations

import json
import math
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812
from torch import nn

from training import facts
from training.coding import UNKNOWN
from training.data import MOODS
from training.fact_data import UNLABELLED
from training.large import Large
from training.net import small
from training.train import packed_weights, save
from treering.mind.turnreader.facts import WIDEST
from treering.mind.turnreader.units import SHAPES

KNOBS: dict[str, Any] = {
    "name": "facts", "start": "shipped", "minutes": 4.0, "epochs": 6.0, "rate": 2.0e-4, "seed": 1, "batch": 128,
    "export": "", "go_on": "", "large": 0, "teacher": "", "trust": 1.0, "share": 1.0, "shapes": 1, "dropout": 0.1,
    "mean": "",
}  # fmt: skip
ALIKE, REPORT = 16, 400
"""So many batches are made of like lengths at once; after so many steps it says how it goes."""
LIKELY = 0.15
"""The weight of a stretch that is probably no value, since nobody has called it one."""
DEPTH = 2
"""So many layers stay as they are."""
INNER = 192
"""Width of what weighs a stretch."""
BARS = (0.2, 0.3, 0.4, 0.5, 0.6)
MIDDLE = f"/trunk/encoder/layer.{DEPTH - 1}/output/LayerNorm/LayerNormalization_output_0"


class Below(nn.Module):
    """The reader up to where facts go their own way. It is not trained."""

    def __init__(self, trunk: Any) -> None:
        super().__init__()
        self.embeddings, self.layers = trunk.embeddings, trunk.encoder.layer[:DEPTH]
        self.requires_grad_(False)

    def forward(self, ids: Any, types: Any, mask: Any) -> Any:
        states = self.embeddings(input_ids=ids, token_type_ids=types)
        return through(self.layers, states, mask)


def through(layers: Any, states: Any, mask: Any) -> Any:
    for layer in layers:
        told = layer(states, None if mask is None else mask[:, None, None, :].bool())
        states = told[0] if isinstance(told, tuple) else told
    return states


class Beginning(nn.Module):
    """Of the larger net nothing stays as it is."""

    def forward(self, ids: Any, types: Any, mask: Any) -> Any:
        return ids, types


class Heads(nn.Module):
    def __init__(self, width: int, relations: int) -> None:
        super().__init__()
        self.shape = nn.Embedding(SHAPES, width)
        nn.init.zeros_(self.shape.weight)
        self.value = nn.ModuleDict({
            "first": nn.Linear(width, INNER, bias=False), "last": nn.Linear(width, INNER, bias=False),
            "between": nn.Linear(width, INNER, bias=False), "words": nn.Embedding(WIDEST, INNER),
            "outer": nn.Linear(INNER, 1),
        })  # fmt: skip
        nn.init.constant_(self.value["outer"].bias, -3.0)
        self.mood = nn.Linear(2 * width, len(MOODS))
        self.relation = nn.Sequential(
            nn.Linear(3 * width, width), nn.GELU(approximate="tanh"), nn.Linear(width, relations)
        )
        self.query = nn.ModuleDict({name: nn.Linear(2 * width, width) for name in ("first", "last")})
        self.key = nn.ModuleDict({name: nn.Linear(width, width) for name in ("first", "last")})

    def of_stretches(self, states: Any, stand: Any) -> Any:
        """How likely each stretch is a value, as log odds: (rows, first word, further words). `stand`: first and last
        place of each word, (rows, words, 2)."""
        rows, words = stand.shape[:2]
        begin, end = stand.unbind(-1)
        further = torch.arange(words, device=stand.device)[:, None] + torch.arange(WIDEST, device=stand.device)[None]
        last = end[:, further.clamp(max=words - 1)]  # rows, words, WIDEST
        row = torch.arange(rows, device=stand.device)[:, None]
        summed = torch.cat([torch.zeros_like(states[:, :1]), states.cumsum(1)], 1)
        # Weighed before they are cut out: fewer numbers by half
        sums = self.value["between"](summed)
        many = (last + 1 - begin[..., None]).clamp(min=1).unsqueeze(-1)
        between = (sums[row[..., None], last + 1] - sums[row, begin][:, :, None]) / many
        inner = (
            self.value["first"](states)[row, begin][:, :, None]
            + self.value["last"](states)[row[..., None], last]
            + between
            + self.value["words"].weight[None, None]
        )
        return self.value["outer"](F.gelu(inner, approximate="tanh")).squeeze(-1)

    def of_values(self, states: Any, mask: Any, row: Any, first: Any, last: Any) -> dict[str, Any]:
        """`row`, `first`, `last`: where each value stands."""
        summed = torch.cat([torch.zeros_like(states[:, :1]), states.cumsum(1)], 1)
        mean = (summed[row, last + 1] - summed[row, first]) / (last + 1 - first).unsqueeze(1)
        value = torch.cat([mean, states[row, 0]], 1)
        told = {"mood": self.mood(value)}
        for name in ("first", "last"):
            near = torch.einsum("vd,vtd->vt", self.query[name](value), self.key[name](states)[row])
            told[name] = (near / math.sqrt(states.shape[-1])).masked_fill(~mask[row].bool(), -1e4)
        subject = torch.einsum("vt,vtd->vd", told["first"].softmax(1), states[row])
        told["relation"] = self.relation(torch.cat([value, subject], 1))
        return told


class Top(Heads):
    """`layers`: those of the reader above where it goes its own way, to begin with."""

    def __init__(self, layers: Any, width: int, relations: int) -> None:
        super().__init__(width, relations)
        self.layers = layers

    def states(self, middle: Any, shapes: Any, mask: Any = None) -> Any:
        return through(self.layers, middle + self.shape(shapes), mask)


class Larger(Heads):
    def __init__(self, folder: Path, relations: int, dropout: float) -> None:
        given = json.loads((folder / "large.json").read_text())
        super().__init__(given["hidden_size"], relations)
        self.layers = Large(given, dropout)
        self.layers.start_from(folder / "large.npz")
        self.layers.words.requires_grad_(False)

    def states(self, middle: Any, shapes: Any, mask: Any = None) -> Any:
        ids, types = middle
        return self.layers(ids, torch.ones_like(ids) if mask is None else mask, types, self.shape(shapes))[0]


class Rows:
    """What `fact_data` has coded, laid out in rows of one length on the device."""

    def __init__(self, path: Path, device: str) -> None:
        given = np.load(path)
        self.pieces, self.held = given["pieces"].astype(np.int64), int(given["held"])
        self.words, values = given["words"].astype(np.int64), given["values"].astype(np.int64)
        subject = _laid(given["subject"], given["subjects"].astype(np.int64), 255)
        everything = {
            "ids": _laid(given["ids"].astype(np.int32), self.pieces), "types": _laid(given["types"], self.pieces),
            "shapes": _laid(given["shapes"], self.pieces), "stand": _laid(given["stand"].reshape(-1, 2), self.words),
            "value": _laid(given["value"], values, -1), "subject": _laid(subject, values, 255), "whole": given["whole"],
        }  # fmt: skip
        self.on = {name: torch.from_numpy(rows).to(device) for name, rows in everything.items()}
        self.long = torch.from_numpy(self.pieces).to(device)
        self.many = torch.from_numpy(self.words).to(device)

    def __len__(self) -> int:
        return len(self.pieces)

    def learned(self, taught: bool) -> Any:
        """All but what is held out; what nobody has labelled only where a larger net teaches."""
        whole = self.on["whole"].cpu().numpy()[: len(self) - self.held]
        return np.flatnonzero((whole != UNLABELLED) | taught)

    def batch(self, some: Any) -> dict[str, Any]:
        at = torch.from_numpy(some).to(self.long.device)
        longest, most = int(self.pieces[some].max()), int(self.words[some].max())
        found = {name: rows[at] for name, rows in self.on.items()}
        for name in ("ids", "types", "shapes"):
            found[name] = found[name][:, :longest].long()
        found["stand"] = found["stand"][:, :most].long()
        found["mask"] = (torch.arange(longest, device=at.device)[None] < self.long[at, None]).long()
        found["words"] = self.many[at]
        return found

    def batches(self, some: Any, size: int, draw: np.random.Generator) -> Iterator[Any]:
        """Rows of like length stand together."""
        some = draw.permutation(some)
        groups = []
        for start in range(0, len(some), size * ALIKE):
            alike = some[start : start + size * ALIKE]
            alike = alike[np.argsort(self.pieces[alike], kind="stable")]
            groups += [alike[place : place + size] for place in range(0, len(alike), size)]
        for place in draw.permutation(len(groups)):
            yield groups[place]


def _laid(flat: Any, counts: Any, fill: int = 0) -> Any:
    out = np.full((len(counts), max(1, int(counts.max())), *flat.shape[1:]), fill, flat.dtype)
    out[np.arange(out.shape[1])[None] < counts[:, None]] = flat
    return out


def losses(
    net: Any, below: Any, some: dict[str, Any], teachers: Sequence[Any] = (), trust: float = 0.0
) -> dict[str, Any]:
    mask = some["mask"]

    def states_of(one: Any, beneath: Any) -> Any:
        with torch.autocast("cuda", torch.bfloat16, enabled=mask.is_cuda):
            with torch.no_grad():
                middle = beneath(some["ids"], some["types"], mask)
            return one.states(middle, some["shapes"], mask).float()

    states = states_of(net, below)
    odds, wanted, weight = net.of_stretches(states, some["stand"]), *_wanted(some)
    count = wanted.sum() + len(wanted)
    said = weight * (weight == 1) if teachers else weight  # of the rest the teacher has an opinion
    lost = F.binary_cross_entropy_with_logits(odds, wanted, reduction="none")
    found = {"value": (lost * said).sum() / count}
    row, number = torch.nonzero(some["value"][..., 0] >= 0, as_tuple=True)
    if len(row):
        first, last, mood, relation = some["value"][row, number].long().unbind(1)
        first, last = some["stand"][row, first, 0], some["stand"][row, last, 1]
        told = net.of_values(states, mask, row, first, last)
        found["mood"] = F.cross_entropy(told["mood"], mood, label_smoothing=0.05)
        if bool((relation != UNKNOWN).any()):
            found["relation"] = F.cross_entropy(told["relation"], relation, ignore_index=UNKNOWN, label_smoothing=0.05)
        for place, (name, share) in enumerate((("first", 0.7), ("last", 0.5))):
            found[name] = share * _any_of(told[name], some["subject"][row, number, :, place].long())
    if teachers:
        with torch.no_grad():
            its = [states_of(one, Beginning()) for one in teachers]
            theirs = [one.of_stretches(seen, some["stand"]) for one, seen in zip(teachers, its, strict=True)]
        sure = torch.stack([torch.sigmoid(one) for one in theirs]).mean(0)
        taught = F.binary_cross_entropy_with_logits(odds, sure, reduction="none")
        taught = taught + torch.special.xlogy(sure, sure) + torch.special.xlogy(1 - sure, 1 - sure)  # 0 if they agree
        found["taught value"] = trust * (taught * (weight > 0)).sum() / count
        stands = torch.nonzero((sure >= 0.3) & (weight > 0) | (wanted > 0), as_tuple=True)
        if len(stands[0]):
            row, begin, further = stands
            first, last = some["stand"][row, begin, 0], some["stand"][row, begin + further, 1]
            mine = net.of_values(states, mask, row, first, last)
            with torch.no_grad():
                says = [one.of_values(seen, mask, row, first, last) for one, seen in zip(teachers, its, strict=True)]
            for name, share in (("mood", 1.0), ("relation", 1.0), ("first", 0.7), ("last", 0.5)):
                found[f"taught {name}"] = share * trust * _far(mine[name], [one[name] for one in says])
    return found


def _wanted(some: dict[str, Any]) -> tuple[Any, Any]:
    """For each stretch whether it is a value, and how sure that is: 0 where it is none at all."""
    rows, words = some["stand"].shape[:2]
    device = some["stand"].device
    first = torch.arange(words, device=device)[None, :, None]
    last = first + torch.arange(WIDEST, device=device)[None, None]
    there = last < some["words"][:, None, None]
    wanted = torch.zeros(rows, words, WIDEST, device=device)
    over = torch.zeros_like(wanted, dtype=torch.bool)
    row, number = torch.nonzero(some["value"][..., 0] >= 0, as_tuple=True)
    begin, end = some["value"][row, number, 0].long(), some["value"][row, number, 1].long()
    wanted[row, begin, end - begin] = 1.0
    for place in range(int(some["value"].shape[1])):
        a, b = (some["value"][:, place, side].long()[:, None, None] for side in (0, 1))
        over |= (a >= 0) & (first <= b) & (last >= a)
    sure = over | (some["whole"][:, None, None] == 1)
    return wanted, torch.where(there, torch.where(sure, 1.0, LIKELY), 0.0)


def _far(mine: Any, theirs: Sequence[Any]) -> Any:
    mean = torch.stack([F.softmax(one, -1) for one in theirs]).mean(0).clamp(min=1e-9)
    return F.kl_div(F.log_softmax(mine, -1), mean.log(), reduction="batchmean", log_target=True)


def _any_of(told: Any, right: Any) -> Any:
    """Wherever a subject is named is right. `right`: places, 255 where there are no more."""
    allowed = torch.full((len(told), told.shape[1] + 1), -1e4, device=told.device)
    allowed.scatter_(1, right.clamp(max=told.shape[1]), 0.0)
    return -torch.logsumexp(F.log_softmax(told, 1) + allowed[:, :-1], 1).mean()


def train(net: Any, below: Any, rows: Rows, knobs: dict[str, Any], teachers: Sequence[Any] = ()) -> None:
    draw = np.random.default_rng(knobs["seed"])
    learn = draw.permutation(rows.learned(bool(teachers)))
    learn = learn[: round(knobs["share"] * len(learn))]
    steps = int(knobs["epochs"] * len(learn) / knobs["batch"])
    own = [p for n, p in net.named_parameters() if not n.startswith("layers")]
    slow = [p for n, p in net.named_parameters() if n.startswith("layers")]
    optimizer = torch.optim.AdamW([{"params": slow, "times": 1.0}, {"params": own, "times": 4.0}], weight_decay=0.01)
    done, since = 0, time.monotonic()
    net.train()
    net.shape.weight.requires_grad_(bool(knobs["shapes"]))
    while done < steps:
        for group in rows.batches(learn, knobs["batch"], draw):
            gone = max(done / steps, (time.monotonic() - since) / (60 * knobs["minutes"] or 1e-9))
            if gone >= 1:
                break
            for one in optimizer.param_groups:
                one["lr"] = knobs["rate"] * one["times"] * min(1, (done + 1) / 200) * (1 - gone)
            lost = losses(net, below, rows.batch(group), teachers, knobs["trust"])
            optimizer.zero_grad()
            sum(lost.values()).backward()
            nn.utils.clip_grad_norm_(net.parameters(), 1.0)
            optimizer.step()
            done += 1
            if done % REPORT == 0:
                told = {name: round(float(one.detach()), 3) for name, one in lost.items()}
                print(knobs["name"], done, steps, round(time.monotonic() - since), told, flush=True)
        if gone >= 1:
            break
    print(knobs["name"], "ended after", done, "steps,", round(time.monotonic() - since), "s", flush=True)


def report(net: Any, middle_of: Any, rows: Rows, name: str) -> dict[str, Any]:
    """Of what was held out: values found, and of the right values mood, relation and subject; and whole facts, from
    each bar on. `middle_of`: the states of a batch, from below."""
    net.eval()
    counted = dict.fromkeys(("values", "mood", "relation", "subject", "all"), 0)
    by_bar = {bar: [0, 0, 0] for bar in BARS}
    for place in range(len(rows) - rows.held, len(rows)):
        some = rows.batch(np.array([place]))
        with torch.no_grad():
            states = net.states(middle_of(some), some["shapes"]).float()
            sure = torch.sigmoid(net.of_stretches(states, some["stand"]))[0]
        values = [value for value in some["value"][0].tolist() if value[0] >= 0]
        right = {(value[0], value[1]) for value in values}
        whole = _right(net, states, some, values, counted)
        for bar in BARS:
            mine = stand_apart(sure, bar)
            for slot, some_right in enumerate((len(mine), len(mine & right), len(mine & whole))):
                by_bar[bar][slot] += some_right
    count = counted["values"]
    told = {key: round(counted[key] / count, 3) for key in ("mood", "relation", "subject", "all")}
    told |= {
        str(bar): {"found": round(found / count, 3), "of those told": round(found / max(1, mine), 3),
                   "facts F1": round(2 * whole / max(1, mine + count), 3)}
        for bar, (mine, found, whole) in by_bar.items()
    }  # fmt: skip
    print(name, json.dumps(told), "values", count, flush=True)
    return told


def _right(net: Any, states: Any, some: dict[str, Any], values: list[Any], counted: dict[str, int]) -> set[Any]:
    """Of the values that there are, those whose relation and subject are seen."""
    counted["values"] += len(values)
    if not values:
        return set()
    first, last, mood, relation = torch.tensor(values, device=states.device).unbind(1)
    mask = torch.ones(states.shape[:2], device=states.device)
    stand = some["stand"][0]
    with torch.no_grad():
        told = net.of_values(states, mask, torch.zeros_like(first), stand[first, 0], stand[last, 1])
    is_mood, is_relation = told["mood"].argmax(1) == mood, told["relation"].argmax(1) == relation
    pointed = told["first"].argmax(1).tolist()
    places = some["subject"][0, : len(values), :, 0].tolist()
    is_subject = [place in right for place, right in zip(pointed, places, strict=True)]
    counted["mood"] += int(is_mood.sum())
    counted["relation"] += int(is_relation.sum())
    counted["subject"] += sum(is_subject)
    whole = [bool(a) and b for a, b in zip(is_relation, is_subject, strict=True)]
    counted["all"] += sum(whole)
    return {(value[0], value[1]) for value, fits in zip(values, whole, strict=True) if fits}


def stand_apart(sure: Any, bar: float) -> set[tuple[int, int]]:
    """The likeliest of what lies over one another."""
    first, further = torch.nonzero(sure >= bar, as_tuple=True)
    count, kept = len(sure), set[tuple[int, int]]()
    for place in torch.argsort(-sure[first, further]).tolist():
        a, b = int(first[place]), int(first[place] + further[place])
        if b < count and all(b < start or a > stop for start, stop in kept):
            kept.add((a, b))
    return kept


def export(net: Top, relations: Sequence[str], out: Path) -> None:
    import tempfile

    from onnxruntime.quantization import QuantType, quantize_dynamic

    class States(nn.Module):
        def forward(self, middle: Any) -> Any:
            return through(self.layers, middle, None)

    net.eval()
    for layer in net.layers:
        layer.attention.self.config._attn_implementation = "eager"
    with tempfile.TemporaryDirectory() as scratch:
        plain = Path(scratch) / "plain.onnx"
        wrapped = States()
        wrapped.layers = net.layers
        torch.onnx.export(
            wrapped, (torch.zeros(1, 7, net.shape.embedding_dim),), str(plain), opset_version=17, dynamo=False,
            input_names=["middle"], output_names=["states"],
            dynamic_axes={name: {1: "places"} for name in ("middle", "states")},
        )  # fmt: skip
        quantize_dynamic(plain, out / "facts_int8.onnx", weight_type=QuantType.QInt8, per_channel=True,
                         reduce_range=True, op_types_to_quantize=["MatMul"])  # fmt: skip
    laid = {
        "shape": net.shape, "mood": net.mood, "relation.inner": net.relation[0], "relation.outer": net.relation[2],
        "first_query": net.query["first"], "last_query": net.query["last"], "first_key": net.key["first"],
        "last_key": net.key["last"], **{f"value.{name}": one for name, one in net.value.items()},
    }  # fmt: skip
    arrays = {
        f"{name}.{part}": getattr(one, part).detach().numpy().astype(np.float16)
        for name, one in laid.items()
        for part in ("weight", "bias")
        if getattr(one, part, None) is not None
    }
    relations, fold = np.unique([facts.folded(name) for name in relations], return_inverse=True)
    np.savez(out / "facts.npz", **arrays, relations=relations, fold=fold)


def reader(folder: Path, start: str) -> Any:
    """The reader's trunk."""
    given = json.loads((folder / "config.json").read_text())
    trunk, weights = small(given, 6, 0.1), dict[str, Any]()
    for name in start.split(","):
        weights |= packed_weights(folder, name)
    own = {name.removeprefix("trunk."): value for name, value in weights.items() if name.startswith("trunk.")}
    missing = trunk.load_state_dict(own, strict=False).missing_keys
    assert not [name for name in missing if "position_ids" not in name], missing
    return trunk


def as_shipped(model: Path) -> Any:
    """The states of a turn as they will be at run time, each by itself."""
    import onnxruntime

    from treering.mind.inner_output import with_output

    session = onnxruntime.InferenceSession(with_output((model / "model_int8.onnx").read_bytes(), MIDDLE))

    def middle_of(some: dict[str, Any]) -> Any:
        ids = some["ids"].numpy()
        given = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": some["types"].numpy()}
        return torch.from_numpy(session.run([MIDDLE], given)[0])

    return middle_of


def main() -> None:
    folder, out = (Path(one) for one in sys.argv[1:3])
    knobs = {**KNOBS, **{k: type(KNOBS[k])(v) for k, v in (one.split("=") for one in sys.argv[3:])}}
    relations = json.loads((folder / "relations.json").read_text())
    device = "cuda" if torch.cuda.is_available() else "cpu"
    rows = Rows(folder / "rows.npz", device)
    torch.manual_seed(1)  # heads begin alike in every training, so that weights can be averaged
    net, below = begun(folder, knobs, len(relations))
    torch.manual_seed(knobs["seed"])
    if knobs["export"]:
        net.load_state_dict(packed_weights(out, knobs["name"]))
        report(net, as_shipped(Path(knobs["export"])), rows, knobs["name"])
        export(net, relations, Path(knobs["export"]))
        return
    net, below = net.to(device), below.to(device).eval()
    if knobs["go_on"]:
        told = net.load_state_dict(packed_weights(folder, knobs["go_on"]), strict=False)
        print(knobs["name"], "begins afresh:", told.missing_keys, flush=True)
    if knobs["mean"]:
        some = [packed_weights(out, name) for name in knobs["mean"].split(",")]
        net.load_state_dict({key: sum(one[key] for one in some) / len(some) for key in some[0]})
        knobs["minutes"] = 0.0
    teachers = [_teacher(folder, one, len(relations)).to(device) for one in knobs["teacher"].split(",") if one]
    train(net, below, rows, knobs, teachers)
    report(net, lambda some: below(some["ids"], some["types"], None), rows, knobs["name"])
    if knobs["large"]:
        net.layers.words = None  # as they were
    save(net, out, knobs["name"])


def _teacher(folder: Path, name: str, relations: int) -> Larger:
    net = Larger(folder, relations, 0.1).eval().requires_grad_(False)
    left = net.load_state_dict(packed_weights(folder, name), strict=False).missing_keys
    assert set(left) <= {"layers.words.weight"}, left
    return net


def begun(folder: Path, knobs: dict[str, Any], relations: int) -> tuple[Any, Any]:
    if knobs["large"]:
        return Larger(folder, relations, knobs["dropout"]), Beginning()
    trunk = reader(folder, knobs["start"])
    return Top(trunk.encoder.layer[DEPTH:], trunk.config.hidden_size, relations), Below(trunk)


if __name__ == "__main__":
    main()
