"""Deliveries of webhooks, verified (Standard Webhooks 1.0)."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
from collections.abc import Mapping, Sequence
from time import time
from typing import cast

from .errors import LacreError
from .models import Event

TOLERANCE_SECONDS = 300


def verify_webhook(
    body: bytes | str,
    headers: Mapping[str, str],
    secret: str | Sequence[str],
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
) -> Event:
    """The event of a delivery, if it was signed with the secret a moment ago.

    ``body`` is what arrived, byte for byte: JSON that was parsed and written again has another signature. Several secrets are
    those before and after a rotation. Raises :class:`LacreError`: ``invalid_signature``, ``stale_signature``.
    """
    raw = body.encode() if isinstance(body, str) else body
    given = {name.lower(): value for name, value in headers.items()}
    delivery, moment = given.get("webhook-id", ""), given.get("webhook-timestamp", "")
    signed = f"{delivery}.{moment}.".encode() + raw
    signatures = [each[3:] for each in given.get("webhook-signature", "").split(" ") if each.startswith("v1,")]
    secrets = [secret] if isinstance(secret, str) else secret
    if not any(_is_signed(each, signed, signatures) for each in secrets):
        raise LacreError("invalid_signature", "Nobody who knows the secret has signed this.")
    if not moment.isascii() or not moment.isdigit() or abs(time() - int(moment)) > tolerance_seconds:
        raise LacreError("stale_signature", "This was signed at another time than about now.")
    return cast(Event, json.loads(raw))


def _is_signed(secret: str, signed: bytes, signatures: Sequence[str]) -> bool:
    try:
        key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
    except binascii.Error as cause:
        raise ValueError("the secret is not one of a webhook endpoint") from cause
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    return any(hmac.compare_digest(expected, each.encode()) for each in signatures)
