"""The client of Lacre: issues, corrects and follows Spanish VERI*FACTU invoices over REST."""

from .async_client import AsyncLacre
from .client import Lacre
from .errors import LacreError
from .pages import AsyncPages, Pages
from .webhooks import verify_webhook

__all__ = ["AsyncLacre", "AsyncPages", "Lacre", "LacreError", "Pages", "verify_webhook"]
