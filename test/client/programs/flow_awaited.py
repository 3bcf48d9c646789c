"""Issues, reads, corrects and verifies with the installed package; prints what came of it as JSON."""

import asyncio
import json
import os
import sys
from typing import Any

from lacre import AsyncLacre, LacreError, verify_webhook
from lacre.models import LineItemInput

given = json.load(sys.stdin)
line: LineItemInput = {
    "description": "Taxi",
    "quantity": 1,
    "unit_amount": 1500,
    "tax_items": [{"type": "vat", "rate": 10}],
}
found: dict[str, Any] = {}


async def main() -> None:
    async with AsyncLacre(os.environ["LACRE_URL"], os.environ["LACRE_KEY"], first_retry=0.01) as lacre:
        issued = await lacre.create_invoice({"type": "simplified", "line_items": [line], "metadata": {"order": "27"}})
        again = [(await lacre.create_invoice({"type": "simplified", "line_items": [line]}, idempotency_key="order-19"))["id"] for _ in range(2)]
        found["total"] = issued["total"]
        found["again"] = again[0] == again[1]
        found["retrieved"] = (await lacre.retrieve_invoice(issued["id"], expand=["payments"]))["number"] == issued["number"]
        listed = [one["id"] async for one in lacre.list_invoices(limit=1)]
        found["listed"] = len(listed) == len(set(listed)) > 2
        found["ofOrder"] = [one["id"] == issued["id"] async for one in lacre.list_invoices(metadata={"order": "27"})]
        try:
            await lacre.create_invoice({"type": "simplified", "line_items": []})
        except LacreError as error:
            found["refused"] = [error.code, error.status, error.errors[0]["field"], error.request_id is not None]
        series = await lacre.create_number_series({"prefix": "PYA", "type": "standard"})
        await lacre.delete_number_series(series["id"])
        draft = await lacre.create_invoice_draft({"invoice": {"type": "simplified"}})
        await lacre.delete_invoice_draft(draft["id"])
        try:
            await lacre.download_invoice_format(issued["id"], "ubl")
        except LacreError as error:
            found["format"] = error.code


asyncio.run(main())

found["verified"] = []
for delivery in given["deliveries"]:
    try:
        event = verify_webhook(delivery["body"], delivery["headers"], given["secret"])
        found["verified"].append(event["type"])
    except LacreError as error:
        found["verified"].append(error.code)
json.dump(found, sys.stdout)
