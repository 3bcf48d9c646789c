"""The client."""

from __future__ import annotations

import time
from collections.abc import Mapping
from types import TracebackType
from typing import Any, cast

import httpx

from .errors import LacreError, error_of
from .operations import Operations
from .tries import Request, Tried, no_answer


class Lacre(Tried, Operations):
    """The service, with a key of one environment (``sk_test_…``, ``sk_live_…``) or an access token.

    ``base_url`` is where the service is, without ``/v1``. A request is made again at most ``max_retries`` times, after
    ``first_retry`` seconds, then twice as long each time, or when the service says so. ``timeout`` is how long one try may take.
    ``http`` is an ``httpx.Client`` of your own, for proxies or certificates. Close it when done, or use it in ``with``.
    """

    def __init__(
        self,
        base_url: str,
        key: str,
        *,
        max_retries: int = 4,
        first_retry: float = 1.0,
        timeout: float = 60.0,
        http: httpx.Client | None = None,
    ) -> None:
        super().__init__(base_url, key, max_retries=max_retries, first_retry=first_retry, timeout=timeout)
        self._http = http or httpx.Client()

    def close(self) -> None:
        self._http.close()

    def __enter__(self) -> Lacre:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def _call(
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
                    time.sleep(step)
                    step = next(tries)
                else:
                    step = tries.send(self._once(step))
            except StopIteration as end:
                return cast(httpx.Response, end.value)

    def _once(self, request: Request) -> httpx.Response | LacreError:
        try:
            answer = self._http.request(**request)
        except httpx.TransportError as cause:
            return no_answer(cause)
        return answer if answer.is_success else error_of(answer)
