"""When a request is sent, and sent again where that is safe. Sending and waiting themselves are left to the clients."""

from __future__ import annotations

import random
import uuid
from collections.abc import Generator, Mapping
from typing import Any, TypeAlias, TypedDict

import httpx

from .errors import LacreError

#: A longer wait than this is not taken, also where the service requests one: the error is raised, with ``retry_after``.
LONGEST_WAIT = 60.0


class Request(TypedDict):
    """What ``httpx.Client.request`` and ``httpx.AsyncClient.request`` take."""

    method: str
    url: str
    params: list[tuple[str, str | int | float | bool | None]]
    json: Any
    headers: dict[str, str]
    timeout: float


#: What comes next: a request, whose answer is wanted, or a wait in seconds. In the end there is the answer of success.
Tries: TypeAlias = Generator[Request | float, httpx.Response | LacreError | None, httpx.Response]


class Tried:
    """What the clients have in common."""

    def __init__(self, base_url: str, key: str, *, max_retries: int, first_retry: float, timeout: float) -> None:
        self._base_url = base_url.rstrip("/")
        self._authorization = f"Bearer {key}"
        self._max_retries = max_retries
        self._first_retry = first_retry
        self._timeout = timeout

    def _tries(
        self,
        method: str,
        path: str,
        query: Mapping[str, Any] | None,
        body: Any,
        headers: Mapping[str, str | None] | None,
        keyed: bool,
    ) -> Tries:
        """``keyed``: the service takes an idempotency key, which is the same at every try."""
        sent = {name: value for name, value in (headers or {}).items() if value is not None}
        sent["authorization"] = self._authorization
        if keyed:
            sent.setdefault("idempotency-key", str(uuid.uuid4()))
        request: Request = {
            "method": method,
            "url": self._base_url + path,
            "params": _parameters(query or {}),
            "json": body,
            "headers": sent,
            "timeout": self._timeout,
        }
        safe = keyed or method != "POST" or path.endswith("/validate")
        # Whether an earlier try may have done it without our hearing so.
        unknown = False
        retry = 0
        while True:
            answer = yield request
            if isinstance(answer, httpx.Response):
                return answer
            assert answer is not None
            if unknown and method == "DELETE" and answer.status == 404:
                return httpx.Response(204)
            wait = self._first_retry * 2.0**retry if answer.retry_after is None else float(answer.retry_after)
            if retry >= self._max_retries or wait > LONGEST_WAIT or not _may_repeat(answer, safe, unknown):
                raise answer
            unknown = unknown or answer.code in ("no_answer", "unreadable_answer")
            yield wait * (1 + random.random() / 4)
            retry += 1


def no_answer(cause: httpx.TransportError) -> LacreError:
    return LacreError("no_answer", f"There was no answer: {type(cause).__name__}.")


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
