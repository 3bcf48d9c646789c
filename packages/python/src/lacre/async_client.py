"""The client to be awaited."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Any, cast

import anyio
import httpx

from .async_operations import AsyncOperations
from .errors import LacreError, error_of
from .tries import Request, Tried, no_answer


class AsyncLacre(Tried, AsyncOperations):
    """The same to be awaited, over ``httpx.AsyncClient``.

    ``http`` is an ``httpx.AsyncClient`` of your own, for proxies or certificates. Close it when done, or use it in ``async with``.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        max_retries: int = 4,
        first_retry: float = 1.0,
        timeout: float = 60.0,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        super().__init__(base_url, key, max_retries=max_retries, first_retry=first_retry, timeout=timeout)
        self._http = http or httpx.AsyncClient()

    async def aclose(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> AsyncLacre:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def _call(
        self,
        method: str,
        path: str,
        *,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        headers: Mapping[str, str | None] | None = None,
        keyed: bool = False,
    ) -> httpx.Response:
        tries = self._tries(method, path, query, body, headers, keyed)
        step = next(tries)
        while True:
            try:
                if isinstance(step, float):
                    await anyio.sleep(step)
                    step = next(tries)
                else:
                    step = tries.send(await self._once(step))
            except StopIteration as end:
                return cast(httpx.Response, end.value)

    async def _once(self, request: Request) -> httpx.Response | LacreError:
        try:
            answer = await self._http.request(**request)
        except httpx.TransportError as cause:
            return no_answer(cause)
        return answer if answer.is_success else error_of(answer)
