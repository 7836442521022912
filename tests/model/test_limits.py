"""Every named limit at both sides: what is exactly at it is kept, one more is refused and says which field."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import HandClock
from tests.ingest.file_samples import docx, paragraph

import treering
from treering.door import OPERATIONS, Treering
from treering.errors import CallerError, InvalidRequest, LimitExceeded
from treering.ingest.draft import Draft
from treering.ingest.files.read import read_file
from treering.ingest.hear import Utterance, in_parts
from treering.model import limits
from treering.operation import Operation

Try = Callable[[Treering, Any], Any]


@pytest.fixture
def door(clock: HandClock) -> Treering:
    return treering.open(":memory:", clock=clock, actor="ann", space="lab")


def names(n: int) -> list[str]:
    return [f"n{one}" for one in range(n)]


def nested(deep: int) -> dict[str, Any]:
    inner: Any = "x"
    for _ in range(deep):
        inner = {"a": inner}
    return {**inner}


def unpacking_to(size: int) -> bytes:
    """A DOCX whose parts have so many bytes together."""
    small = docx(paragraph("A"))
    with zipfile.ZipFile(io.BytesIO(small)) as packed:
        more = size - sum(one.file_size for one in packed.infolist())
    return docx(paragraph("A"), more={"word/media/picture": bytes(more)})


# limit: (what calls with a size, the field the refusal names, the limit)
SIZES: dict[str, tuple[Try, str]] = {
    "SPACE_CHARS": (lambda mem, n: mem.add("x", space="a" * n), "space"),
    "SPACE_SEGMENTS": (lambda mem, n: mem.add("x", space="/".join("a" * n)), "space"),
    "KEY_CHARS": (lambda mem, n: mem.add("x", key="k" * n), "key"),
    "CONTENT_CHARS": (lambda mem, n: mem.add("é" * n), "content"),
    "TITLE_CHARS": (lambda mem, n: mem.add("x", title="t" * n), "title"),
    "CONTEXT_CHARS": (lambda mem, n: mem.add("x", context="c" * n), "context"),
    "TAGS": (lambda mem, n: mem.add("x", tags=names(n)), "tags"),
    "TAG_CHARS": (lambda mem, n: mem.add("x", tags=["t" * n]), "tags"),
    "DEPTH": (lambda mem, n: mem.add("x", meta=nested(n)), "meta"),
    "META_BYTES": (lambda mem, n: mem.add("x", meta={"é": "m" * (n - len('{"é": ""}'.encode()))}), "meta"),
    "NAME_CHARS": (lambda mem, n: mem.entity_register("e" * n), "name"),
    "NAME_CHARS of a speaker": (lambda mem, n: mem.add("x", speaker="s" * n), "speaker"),
    "NAME_CHARS of a session": (lambda mem, n: mem.add("x", session="s" * n), "session"),
    "NAME_CHARS of an observer": (lambda mem, n: mem.add("x", observed_by="o" * n), "observed_by"),
    "NAME_CHARS of an entity": (lambda mem, n: mem.add("x", entities=["e" * n]), "entities"),
    "NAME_CHARS of a subject": (lambda mem, n: mem.assert_fact("s" * n, "KNOWS", "Bo"), "subject"),
    "NAME_CHARS of an object": (lambda mem, n: mem.assert_facts([["Bo", "KNOWS", "o" * n]]), "object"),
    "NAME_CHARS of an alias": (lambda mem, n: mem.entity_register("Ada", aliases=["a" * n]), "aliases"),
    "NAME_CHARS of a principal": (
        lambda mem, n: mem.add("x", visibility="private", visible_to=["p" * n]),
        "visible_to",
    ),
    "PRINCIPALS of a file": (
        lambda mem, n: mem.add_file(b"x", visibility="private", visible_to=names(n)),
        "visible_to",
    ),
    "ALIASES": (lambda mem, n: mem.entity_register("Ada", aliases=names(n)), "aliases"),
    "KIND_CHARS": (lambda mem, n: mem.entity_register("Ada", kind="k" * n), "kind"),
    "RELATION_CHARS": (lambda mem, n: mem.assert_fact("Ada", "R" * n, "Bo"), "relation"),
    "WHY_CHARS": (lambda mem, n: mem.forget(mem.add("x").id, why="w" * n), "why"),
    "WHY_CHARS of a purge": (lambda mem, n: mem.purge(mem.add("x").id, "w" * n), "why"),
    "WHY_CHARS of a closing": (
        lambda mem, n: [mem.assert_fact("A", "KNOWS", "B"), mem.invalidate("A", "B", "KNOWS", why="w" * n)],
        "why",
    ),
    "PRINCIPALS": (lambda mem, n: mem.add("x", visibility="private", visible_to=names(n)), "visible_to"),
    "ENTITIES_OF_A_MEMORY": (lambda mem, n: mem.add("x", entities=names(n)), "entities"),
    "TRIPLES_OF_A_MEMORY": (lambda mem, n: mem.add("x", triples=[["A", f"R{i}", "B"] for i in range(n)]), "triples"),
    "ORIGINS": (
        lambda mem, n: mem.add(
            "x", derived_from=[one.id for one in mem.add_many([{"content": "y"}] * n).memories], dry_run=True
        ),
        "derived_from",
    ),
    "BATCH": (lambda mem, n: mem.add_many([{"content": "x"}] * n, dry_run=True), "items"),
    "BATCH of facts": (lambda mem, n: OPERATIONS["assert_facts"].check({"facts": [["A", "R", "B"]] * n}), "facts"),
    "FILE_BYTES": (lambda mem, n: mem.add_file(b"a" + b" " * (n - 1), dry_run=True), "file"),
    "FILE_UNPACKED_BYTES": (lambda mem, n: mem.add_file(unpacking_to(n), dry_run=True), "file"),
    "FILE_MEMORIES": (lambda mem, n: read_file("a.jsonl", b"{}\n" * n, Draft(content="a.jsonl")), "file"),
    "MESSAGES": (
        lambda mem, n: mem.remember(messages=[{"content": "x"}] * n, extractor="none", dry_run=True),
        "messages",
    ),
    "TELLING_CHARS": (lambda mem, n: OPERATIONS["remember"].check({"content": "x" * n}), "content"),
    "TELLING_CHARS of a message": (
        lambda mem, n: next(in_parts(Utterance("x" if n == limits.TELLING_CHARS else "x" * n))),
        "content",
    ),
    "MESSAGES of drafts": (lambda mem, n: OPERATIONS["remember"].check({"drafts": [{"content": "x"}] * n}), "drafts"),
    "USED_AT_ONCE": (lambda mem, n: mem.observe(names(n)), "ids"),
    "USED_AT_ONCE of scores": (lambda mem, n: mem.scores(names(n)), "ids"),
    "PAGE": (lambda mem, n: mem.list(limit=n), "limit"),
    "QUERY_CHARS": (lambda mem, n: mem.recall("a" * n), "query"),
    "WALK_DEPTH": (lambda mem, n: OPERATIONS["graph"].check({"start": "a", "depth": n}), "depth"),
    "WALK_EDGES": (lambda mem, n: OPERATIONS["graph"].check({"start": "a", "limit": n}), "limit"),
    "PATH_DEPTH": (lambda mem, n: OPERATIONS["paths"].check({"a": "a", "b": "b", "max_depth": n}), "max_depth"),
    "PATHS": (lambda mem, n: OPERATIONS["paths"].check({"a": "a", "b": "b", "limit": n}), "limit"),
    "HITS": (lambda mem, n: mem.recall("a", limit=n), "limit"),
    "CLUSTER_SIZE": (lambda mem, n: mem.cluster(max_size=n), "max_size"),
    "REVIEWED": (
        lambda mem, n: OPERATIONS["review_create"].check({"kind": "decay", "action": "x", "memory_ids": names(n)}),
        "memory_ids",
    ),
    "PROFILE_MEMORIES": (lambda mem, n: mem.profile(limit=n), "limit"),
    "WINDOW_DAYS": (lambda mem, n: mem.search_unified(window_days=n), "window_days"),
    "SEQ": (lambda mem, n: mem.events(after=n), "after"),
    "STEPS": (lambda mem, n: mem.lineage(mem.add("x").id, depth=n), "depth"),
    "NEIGHBOURS": (lambda mem, n: mem.recall("a", neighbours=n), "neighbours"),
}


@pytest.mark.parametrize("name", SIZES)
def test_exactly_at_the_limit_is_kept_and_one_more_is_refused_by_name(door: Treering, name: str) -> None:
    attempt, field = SIZES[name]
    limit = getattr(limits, name.split(maxsplit=1)[0])
    attempt(door, limit)
    before = door.status().seq
    with pytest.raises(CallerError, match=rf"(^|; |\.){field}") as refused:
        attempt(door, limit + 1)
    assert isinstance(refused.value, LimitExceeded | InvalidRequest)
    assert door.status().seq <= before + 1


def test_every_limit_is_tried_here() -> None:
    named = {name for name in vars(limits) if name.isupper() and not name.startswith("_")}
    of_the_queue = {"JOBS_WAITING", "JOBS_WAITING_IN_A_SPACE", "JOBS_ENDED", "JOB_BYTES", "FULL_QUEUE_SECONDS"}
    of_the_queue |= {"CLUSTERS_KEPT", "DUPLICATES", "REVIEWS_OPEN", "REVIEWS_ENDED"}
    elsewhere = {"NOTE_BYTES", "SOURCE_BYTES", "STRENGTH", "USES", "EMPTY", "SEEN_NODES", "SEEN_EDGES"} | of_the_queue
    assert named - elsewhere == {name.split()[0] for name in SIZES}


@pytest.mark.parametrize(("field", "most"), [("importance", 1.0), ("confidence", 1.0), ("strength", limits.STRENGTH)])
def test_numbers_are_kept_from_zero_to_their_most_and_refused_beyond(door: Treering, field: str, most: float) -> None:
    for value in (0, most, most / 3):
        assert getattr(door.get(door.add("x", **{field: value}).id), field) == value
    nothing = () if field == "strength" else (None,)
    for value in (-1e-9, most + 1e-9, float("nan"), float("inf"), "much", *nothing):
        with pytest.raises(InvalidRequest, match=field):
            door.add("x", **{field: value})


@pytest.mark.parametrize("value", [True, "1", None, float("nan")])
def test_what_is_not_a_number_is_no_number(value: object) -> None:
    with pytest.raises(InvalidRequest, match=r"share: .* is not a number; give one from 0 to 1"):
        limits.number(value, "share")


@pytest.mark.parametrize("bad", ["", "   ", "\n\t"])
def test_empty_text_is_refused_where_text_is_needed(door: Treering, bad: str) -> None:
    for call in (
        lambda: door.add(bad),
        lambda: door.add("x", title=bad),
        lambda: door.add("x", entities=[bad]),
        lambda: door.add("x", tags=[bad]),
        lambda: door.entity_register(bad),
        lambda: door.add("x", key=bad),
    ):
        with pytest.raises(InvalidRequest):
            call()
    assert door.status().seq == 0


@pytest.mark.parametrize("bad", ["a\x00b", "half \ud83d of a pair", "\udcff"])
def test_text_that_no_store_can_hold_is_refused_with_its_place(door: Treering, bad: str) -> None:
    for call in (
        lambda: door.add(bad),
        lambda: door.add("x", title=bad),
        lambda: door.add("x", tags=[bad]),
        lambda: door.add("x", meta={"k": bad}),
        lambda: door.add("x", meta={bad: "v"}),
        lambda: door.add("x", meta={"deep": [{"k": bad}]}),
        lambda: door.add("x", entities=[bad]),
        lambda: door.add("x", speaker=bad),
        lambda: door.add("x", key=bad),
        lambda: door.forget(door.add("y").id, why=bad),
        lambda: door.entity_register("E", aliases=[bad]),
    ):
        with pytest.raises(InvalidRequest):
            call()
    with pytest.raises(InvalidRequest, match="content: holds a NUL character at position 1; remove it"):
        door.add("a\x00b")


def _broken(schema: dict[str, Any]) -> list[Any]:
    """Half of a surrogate pair, in every form that a parameter of this schema may have."""
    kinds = {one.get("type") for one in (schema, *schema.get("anyOf", ()))}
    forms: dict[str, list[Any]] = {
        "string": ["\ud800", "tea \udfff"],
        "array": [["\ud800"], ["Sam", "x\udc00"], [["Sam", "KNOWS", "\ud800"]], [{"content": "\ud800"}]],
        "object": [{"\ud800": "x"}, {"a": {"b": ["\udbff"]}}],
    }
    return [value for kind, values in forms.items() if kind in kinds for value in values]


@pytest.mark.parametrize("operation", OPERATIONS.values(), ids=lambda one: one.name)
def test_half_of_a_surrogate_pair_is_refused_by_every_operation_wherever_it_stands(operation: Operation) -> None:
    for name, schema in operation.schema().get("properties", {}).items():
        for value in _broken(schema):
            with pytest.raises(InvalidRequest, match=rf"^{name}: ") as refused:
                operation.check({name: value})
            str(refused.value).encode()  # it can be sent


def test_what_is_whole_is_no_half_of_a_surrogate_pair(door: Treering) -> None:
    loop: dict[str, Any] = {"smile": ["😀", {"naïve": "日本"}], "bytes": b"\xed\xa0\x80"}
    loop["again"] = loop
    limits.must_be_whole(loop, "meta")
    assert door.add("Ada smiles 😀", tags=["日本"], meta={"😀": ["é"]}).id
    with pytest.raises(InvalidRequest, match=r"^meta"):
        door.add("Ada smiles", meta=loop)


def test_a_folder_may_have_a_name_that_is_no_text(door: Treering, tmp_path: Path) -> None:
    vault = os.fsdecode(bytes(tmp_path) + b"/\xffault")
    Path(vault).mkdir()
    Path(vault, "tea.md").write_text("Ada drinks tea")
    assert door.import_vault(vault=vault).memories
    with pytest.raises(InvalidRequest, match=r"vault: .* is not the path of a folder"):
        door.import_vault(vault="\ud800")


def test_names_are_stripped_counted_once_and_kept_in_order() -> None:
    assert limits.names([" b ", "a", "b"], "tags", 2) == ("b", "a")
    with pytest.raises(InvalidRequest, match="tags: 'work' is one text; give a list of texts"):
        limits.names("work", "tags", 2)
    with pytest.raises(LimitExceeded, match="tags: 3 given; at most 2 are kept"):
        limits.names(["a", "b", "c"], "tags", 2)


@pytest.mark.parametrize(
    "bad", [{"k": float("nan")}, {"k": float("inf")}, {"k": object()}, {"k": {1, 2}}, {1: "x"}, ["list"], "text", 7]
)
def test_meta_that_is_not_a_json_object_is_refused(door: Treering, bad: Any) -> None:
    with pytest.raises(InvalidRequest, match="meta"):
        door.add("x", meta=bad)


def test_meta_is_a_copy_that_nobody_can_change(door: Treering) -> None:
    given = {"list": [1, {"deep": True}], "text": "é", "none": None}
    memory = door.get(door.add("x", meta=given).id)
    given["more"] = 1
    given["list"].append(2)  # type: ignore[attr-defined]
    kept = door.get(memory.id).meta
    assert kept == {"list": [1, {"deep": True}], "text": "é", "none": None}
    for change in (
        lambda: kept.__setitem__("a", 1),
        lambda: kept.__delitem__("text"),
        lambda: kept.update(a=1),
        lambda: kept.pop("text"),
        kept.popitem,
        kept.clear,
        lambda: kept.setdefault("a", 1),
        lambda: kept.__ior__({"a": 1}),
    ):
        with pytest.raises(TypeError, match="meta cannot be changed"):
            change()


def test_an_entity_takes_no_more_aliases_than_the_limit_over_several_calls(door: Treering) -> None:
    door.entity_register("Ada", aliases=names(limits.ALIASES - 1))
    door.entity_register("Ada", aliases=["the last"])
    with pytest.raises(LimitExceeded, match="aliases: 'Ada' would have 501; at most 500"):
        door.entity_register("Ada", aliases=["one too many"])
    assert len(door.entity_get("Ada").aliases) == limits.ALIASES
    assert door.entity_register("Ada", aliases=["the last"]).aliases_added == ()


def test_a_merge_takes_no_more_aliases_together_than_the_limit(door: Treering) -> None:
    """Else the two could be written and never read again."""
    half = limits.ALIASES // 2
    door.entity_register("Ada", aliases=names(half))
    door.entity_register("Bo", aliases=[f"b{n}" for n in range(half)])
    with pytest.raises(LimitExceeded, match="together they would have 501 aliases; at most 500"):
        door.entity_merge("Ada", "Bo")
    door.entity_register("Cy", aliases=[f"c{n}" for n in range(half - 1)])
    door.entity_merge("Ada", "Cy")
    assert len(door.entity_get("n7").aliases) == limits.ALIASES
    assert door.status().entities == 2
