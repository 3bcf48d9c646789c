"""What the client raises."""

from __future__ import annotations

import json
from email.utils import parsedate_to_datetime
from time import time
from typing import cast

import httpx

from .models import FieldIssue


class LacreError(Exception):
    """Whatever is refused or fails. Branch on ``code``.

    ``code`` is one of the service's (``/docs/errors``), or found out here: ``no_answer`` (whether it was done is not known),
    ``unreadable_answer`` (a proxy has answered, or another service), ``invalid_signature``, ``stale_signature``.
    """

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        status: int = 0,
        errors: list[FieldIssue] | None = None,
        doc_url: str | None = None,
        request_id: str | None = None,
        retry_after: int | None = None,
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        #: The HTTP status; 0 where there was none.
        self.status = status
        #: The fields that are at fault, where some are.
        self.errors: list[FieldIssue] = errors or []
        self.doc_url = doc_url
        #: By which the service's logs know the request.
        self.request_id = request_id
        #: Seconds after which the same may be tried again, where the service has stated it.
        self.retry_after = retry_after


def error_of(answer: httpx.Response) -> LacreError:
    """The error that an answer of another status than 2xx is."""
    request_id = answer.headers.get("x-request-id")
    retry_after = _seconds_of(answer.headers.get("retry-after"))
    try:
        body = answer.json()
        code, errors = body["code"], body["errors"]
    except (json.JSONDecodeError, UnicodeDecodeError, KeyError, TypeError):
        return LacreError(
            "unreadable_answer",
            f"The answer was {answer.status_code}.",
            status=answer.status_code,
            request_id=request_id,
            retry_after=retry_after,
        )
    return LacreError(
        str(code),
        str(body.get("detail", "")),
        status=answer.status_code,
        errors=cast("list[FieldIssue]", errors),
        doc_url=body.get("doc_url"),
        request_id=request_id,
        retry_after=retry_after,
    )


def _seconds_of(text: str | None) -> int | None:
    """``Retry-After`` is in seconds or a date."""
    if text is None:
        return None
    if text.isascii() and text.isdigit():
        return int(text)
    try:
        return max(0, round(parsedate_to_datetime(text).timestamp() - time()))
    except ValueError:
        return None
