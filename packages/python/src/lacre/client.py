"""Sends requests, and sends them again where that is safe."""

from __future__ import annotations

import random
import time
import uuid
from collections.abc import Mapping
from types import TracebackType
from typing import Any

import httpx

from .errors import LacreError, error_of
from .operations import Operations

#: A longer wait than this is not taken, also where the service requests one: the error is raised, with ``retry_after``.
LONGEST_WAIT = 60.0


class Lacre(Operations):
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
        self._base_url = base_url.rstrip("/")
        self._authorization = f"Bearer {key}"
        self._max_retries = max_retries
        self._first_retry = first_retry
        self._timeout = timeout
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
        """The answer, if it is one of success. ``keyed``: the service takes an idempotency key, which is the same at every try."""
        sent = {name: value for name, value in (headers or {}).items() if value is not None}
        sent["authorization"] = self._authorization
        if keyed:
            sent.setdefault("idempotency-key", str(uuid.uuid4()))
        safe = keyed or method != "POST" or path.endswith("/validate")
        # Whether an earlier try may have done it without our hearing so.
        unknown = False
        retry = 0
        while True:
            answer = self._once(method, path, query, body, sent)
            if isinstance(answer, httpx.Response):
                return answer
            if unknown and method == "DELETE" and answer.status == 404:
                return httpx.Response(204)
            wait = self._first_retry * 2.0**retry if answer.retry_after is None else float(answer.retry_after)
            if retry >= self._max_retries or wait > LONGEST_WAIT or not _may_repeat(answer, safe, unknown):
                raise answer
            unknown = unknown or answer.code in ("no_answer", "unreadable_answer")
            time.sleep(wait * (1 + random.random() / 4))
            retry += 1

    def _once(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Any,
        headers: Mapping[str, str],
    ) -> httpx.Response | LacreError:
        try:
            answer = self._http.request(
                method,
                self._base_url + path,
                params=_parameters(query or {}),
                json=body,
                headers=headers,
                timeout=self._timeout,
            )
        except httpx.TransportError as cause:
            return LacreError("no_answer", f"There was no answer: {type(cause).__name__}.")
        return answer if answer.is_success else error_of(answer)


def _parameters(query: Mapping[str, Any]) -> list[tuple[str, str | int | float | bool | None]]:
    """Lists are repeated, objects are ``name[key]``."""
    parameters: list[tuple[str, str | int | float | bool | None]] = []
    for name, value in query.items():
        if value is None:
            continue
        if isinstance(value, Mapping):
            parameters.extend((f"{name}[{key}]", _text(each)) for key, each in value.items())
        elif isinstance(value, (list, tuple)):
            parameters.extend((name, _text(each)) for each in value)
        else:
            parameters.append((name, _text(value)))
    return parameters


def _text(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _may_repeat(error: LacreError, safe: bool, unknown: bool) -> bool:
    """Whether the same may be sent once more.

    ``safe``: doing it twice is doing it once. What the service itself answers with 429 or 5xx it has not done, so that may be
    repeated always; what nobody answered, or a proxy, only when it is safe.
    """
    if error.code == "no_answer":
        return safe
    if error.code == "unreadable_answer":
        return safe and error.status >= 500
    # The first try is still running, or was: its answer is kept for us.
    if error.code == "idempotency_conflict":
        return unknown
    return error.status == 429 or error.status >= 500
