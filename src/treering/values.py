"""How is a class of values made without paying for what is not used?

`dataclasses.dataclass` compiles `__init__`, `__eq__`, `__hash__` and `__repr__` when a class is defined: about a
millisecond a class, and the product has four hundred, of which a command uses a few dozen. The `dataclass` of
this module has the standard one describe the fields, and write each method when that is first called. From then on the
methods are those of the standard library, and as fast.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

__all__ = ["dataclass"]

METHODS = ("__init__", "__repr__", "__eq__", "__hash__")

if TYPE_CHECKING:
    from dataclasses import dataclass
else:

    def dataclass(cls: type | None = None, /, *, frozen: bool = False, **how: Any) -> Any:
        """As `dataclasses.dataclass`, for frozen classes that stand on no other and have no `InitVar`; any other class
        is left to it."""
        if cls is None:
            return lambda given: dataclass(given, frozen=frozen, **how)
        stands_alone = not any(dataclasses.is_dataclass(one) for one in cls.__mro__[1:])
        if not frozen or not stands_alone or set(how) - {"slots", "kw_only", "repr"}:
            return dataclasses.dataclass(cls, frozen=frozen, **how)
        return _shaped(cls, **how)


def _shaped(cls: type, *, slots: bool = False, kw_only: bool = False, **shown: bool) -> type:
    wanted = [one for one in METHODS if one not in vars(cls) and (one != "__repr__" or shown.get("repr", True))]
    made: list[type] = []
    for name in wanted:
        setattr(cls, name, _later(name, made))
    cls.__setattr__, cls.__delattr__ = _no_setting, _no_deleting  # type: ignore[assignment]
    if "__init__" in wanted:
        cls.__signature__ = _Signature(made)  # type: ignore[attr-defined]
    if slots and "__setstate__" not in vars(cls):
        cls.__getstate__, cls.__setstate__ = _state, _take_state  # type: ignore[attr-defined, assignment]
    if cls.__doc__ is None:
        cls.__doc__ = f"{cls.__name__}({', '.join(inspect.get_annotations(cls))})"
    shaped: type = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
    shaped.__dataclass_params__.frozen = True  # type: ignore[attr-defined]  # as those that stand on it ask
    made.append(shaped)
    return shaped


def _later(name: str, made: list[type]) -> Callable[..., Any]:
    """A method that has the real one written, and then is it."""

    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return _written(made[0], name)(self, *args, **kwargs)

    method.__name__, method.__qualname__ = name, name
    return method


def _written(cls: type, name: str) -> Callable[..., Any]:
    """The method as the standard library writes it, from now on the class's own."""
    fields = dataclasses.fields(cls)
    inside: dict[str, Any] = {"__annotations__": {one.name: one.type for one in fields}, "__module__": cls.__module__}
    inside |= {one.name: one for one in fields}
    if hasattr(cls, "__post_init__"):
        inside["__post_init__"] = None  # only whether there is one is asked
    of_values = name in ("__eq__", "__hash__")
    twin: type = dataclasses.dataclass(
        type(cls.__name__, (), inside), init=name == "__init__", repr=name == "__repr__", eq=of_values, frozen=True
    )
    method: Callable[..., Any] = vars(twin)[name]
    method.__qualname__ = f"{cls.__qualname__}.{name}"
    setattr(cls, name, method)
    return method


class _Signature:
    """What `inspect.signature` of the class says, of it alone and not of those that stand on it."""

    def __init__(self, made: list[type]) -> None:
        self._made = made

    def __get__(self, instance: object, owner: type) -> inspect.Signature:
        if owner is not self._made[0]:
            raise AttributeError("__signature__")
        written = inspect.signature(_written(owner, "__init__"))
        return written.replace(parameters=list(written.parameters.values())[1:])


def _no_setting(self: object, name: str, value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot assign to field {name!r}")


def _no_deleting(self: object, name: str) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot delete field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, one.name) for one in dataclasses.fields(self)]


def _take_state(self: Any, state: list[Any]) -> None:
    for one, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, one.name, value)
