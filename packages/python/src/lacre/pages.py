"""Lists of any length."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic, TypeVar

Item = TypeVar("Item")


class Pages(Generic[Item]):
    """A list, read page by page as it is gone through: ``for invoice in lacre.list_invoices(): …``."""

    def __init__(self, read: Callable[[str | None], Any]) -> None:
        self._read = read

    def pages(self) -> Iterator[list[Item]]:
        """Page after page."""
        cursor: str | None = None
        while True:
            page = self._read(cursor)
            yield page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    def first(self) -> list[Item]:
        """The items of the first page alone."""
        return next(self.pages())

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from page


class AsyncPages(Generic[Item]):
    """The same to be awaited: ``async for invoice in lacre.list_invoices(): …``."""

    def __init__(self, read: Callable[[str | None], Awaitable[Any]]) -> None:
        self._read = read

    async def pages(self) -> AsyncIterator[list[Item]]:
        """Page after page."""
        cursor: str | None = None
        while True:
            page = await self._read(cursor)
            yield page["data"]
            cursor = page["next_cursor"]
            if cursor is None:
                return

    async def first(self) -> list[Item]:
        """The items of the first page alone."""
        page = await self._read(None)
        items: list[Item] = page["data"]
        return items

    async def __aiter__(self) -> AsyncIterator[Item]:
        async for page in self.pages():
            for item in page:
                yield item
