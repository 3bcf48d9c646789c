"""The client of Lacre: issues, corrects and follows Spanish VERI*FACTU invoices over REST."""

from .client import Lacre
from .errors import LacreError
from .pages import Pages
from .webhooks import verify_webhook

__all__ = ["Lacre", "LacreError", "Pages", "verify_webhook"]
