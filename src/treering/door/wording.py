"""Who words what is told? A language model, asked on behalf of a space and within what that space may spend."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from treering.errors import Unavailable
from treering.ingest.extract.budget import Account, Budget, OverBudget, Tokens
from treering.ingest.extract.spending import SpendingInStore
from treering.mind.model import Completion, LanguageModel, ModelMessage, tokens_of
from treering.model.time import Clock
from treering.store.contract import Store


class Wording:
    """The model is opened when it is first asked."""

    def __init__(self, open_model: Callable[[], LanguageModel], store: Store, budget: Budget, clock: Clock) -> None:
        self._open, self._spending, self._budget, self._clock = open_model, SpendingInStore(store), budget, clock
        self._opened: list[LanguageModel] = []

    def of(self, space: str) -> LanguageModel:
        """The model, for this space."""
        if not self._opened:
            self._opened.append(self._open())
        return _Paid(self._opened[0], Account(space, self._budget, self._spending, self._clock))


class _Paid:
    """The same model; when there is nothing left to spend, it is as if it did not answer."""

    def __init__(self, model: LanguageModel, account: Account) -> None:
        self._model, self._account = model, account

    @property
    def name(self) -> str:
        return self._model.name

    def complete(self, messages: Sequence[ModelMessage], *, schema: Mapping[str, Any], max_tokens: int) -> Completion:
        most = Tokens(tokens_of(*(one.content for one in messages)), max_tokens)
        try:
            with self._account.spending(most) as spent:
                done = self._model.complete(messages, schema=schema, max_tokens=max_tokens)
                spent.append(Tokens(done.tokens_in or most.read, done.tokens_out or tokens_of(done.text)))
        except OverBudget as over:
            raise Unavailable(str(over)) from None
        return done
