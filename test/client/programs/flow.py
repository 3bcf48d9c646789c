"""Issues, reads, corrects and verifies with the installed package; prints what came of it as JSON."""

import json
import os
import sys
from typing import Any

from lacre import Lacre, LacreError, verify_webhook
from lacre.models import LineItemInput

given = json.load(sys.stdin)
line: LineItemInput = {
    "description": "Taxi",
    "quantity": 1,
    "unit_amount": 1500,
    "tax_items": [{"type": "vat", "rate": 10}],
}
found: dict[str, Any] = {}
with Lacre(os.environ["LACRE_URL"], os.environ["LACRE_KEY"], first_retry=0.01) as lacre:
    issued = lacre.create_invoice({"type": "simplified", "line_items": [line], "metadata": {"order": "17"}})
    again = [lacre.create_invoice({"type": "simplified", "line_items": [line]}, idempotency_key="order-18")["id"] for _ in range(2)]
    found["total"] = issued["total"]
    found["again"] = again[0] == again[1]
    found["retrieved"] = lacre.retrieve_invoice(issued["id"], expand=["payments"])["number"] == issued["number"]
    listed = [one["id"] for one in lacre.list_invoices(limit=1)]
    found["listed"] = len(listed) == len(set(listed)) == 2
    found["ofOrder"] = [one["id"] == issued["id"] for one in lacre.list_invoices(metadata={"order": "17"})]
    try:
        lacre.create_invoice({"type": "simplified", "line_items": []})
    except LacreError as error:
        found["refused"] = [error.code, error.status, error.errors[0]["field"], error.request_id is not None]
    series = lacre.create_number_series({"prefix": "PY", "type": "standard"})
    lacre.delete_number_series(series["id"])
    draft = lacre.create_invoice_draft({"invoice": {"type": "simplified"}})
    lacre.delete_invoice_draft(draft["id"])
    try:
        lacre.download_invoice_format(issued["id"], "ubl")
    except LacreError as error:
        found["format"] = error.code

found["verified"] = []
for delivery in given["deliveries"]:
    try:
        event = verify_webhook(delivery["body"], delivery["headers"], given["secret"])
        found["verified"].append(event["type"])
    except LacreError as error:
        found["verified"].append(error.code)
json.dump(found, sys.stdout)
