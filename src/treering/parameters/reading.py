"""Where and when does a reading stand? Space, moment, page."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field as Say

from treering.model import limits
from treering.operation import Time
from treering.parameters.bounds import A_SPACE, MOST

Space = Annotated[A_SPACE | None, Say(description="The space to work in; the door's own if left out.")]
OneSpace = Annotated[A_SPACE | None, Say(description="Only this space; all if left out.")]
NewName = Annotated[A_SPACE | None, Say(description="Take a journal of one space in under this name.")]
Prefix = Annotated[A_SPACE | None, Say(description="Only this space and those below it.")]
AsOf = Annotated[Time | None, Say(description="Valid time: what was true then. The present if left out.")]
KnownAt = Annotated[Time | None, Say(description="Known time: what had been learned by then. All of it if left out.")]
Principal = Annotated[
    str | None,
    Say(max_length=limits.NAME_CHARS, description="Who is asking, for private memories; the actor if left out."),
]
Children = Annotated[bool, Say(description="Read the spaces below this one too.")]
Limit = Annotated[int, Say(ge=1, le=limits.PAGE, description="Most results to return.")]
FactLimit = Annotated[int | None, Say(ge=1, le=MOST, description="Most facts to return; all if left out.")]
Cursor = Annotated[str | None, Say(description="The `next` of the page before.")]
Order = Annotated[Literal["oldest", "newest"], Say(description="By when it was learned.")]
