// Made from the OpenAPI document by `npm run client`. Changes are lost.
import type { Unlisted } from "./unlisted.ts";
export interface paths {
    "/v1/access_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create an access token
         * @description A short-lived token with which a web page can query `/graphql`, so that the key stays on your servers. It can do no more than the key and expires with it. Needs the key itself: a token cannot create tokens.
         */
        post: operations["createAccessToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/customer_portal/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a link to a customer’s page
         * @description The link can be opened any number of times until `expires_at`, each time as a separate session: redirect only that customer’s browser to it. Needs the scope `issue`.
         */
        post: operations["createCustomerPortalSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/email_settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve e-mail settings
         * @description The sender of the environment’s e-mails, and the schedule of its payment reminders. Needs the scope `read`.
         */
        get: operations["retrieveEmailSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update e-mail settings
         * @description Fields that are not sent remain unchanged; null restores the default. With `reminder_days`, reminders are sent by e-mail that many days after the due date while an amount is unpaid; days already past are skipped. Needs the scope `manage`.
         */
        patch: operations["updateEmailSettings"];
        trace?: never;
    };
    "/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events
         * @description Changes in the environment: newest first, but with `after_sequence` in the order of occurrence. Kept for 90 days.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/events/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve event
         * @description One event of the key’s environment.
         */
        get: operations["retrieveEvent"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoice batches
         * @description Those of the key’s environment, the newest first. Kept for 30 days.
         */
        get: operations["listInvoiceBatches"];
        put?: never;
        /**
         * Create invoice batch
         * @description Accepts up to 1,000 invoices, each with its own `external_id`, and issues them in their order. A refused invoice does not affect the others; an invoice that was already issued for the same request is returned again. Needs the scope `issue`.
         */
        post: operations["createInvoiceBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_batches/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve invoice batch
         * @description The progress of the batch.
         */
        get: operations["retrieveInvoiceBatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_batches/{id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoice batch results
         * @description The result of each invoice, in the order of the request.
         */
        get: operations["listInvoiceBatchResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_drafts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts
         * @description Newest first. Needs the scope `read`.
         */
        get: operations["listInvoiceDrafts"];
        put?: never;
        /**
         * Create draft
         * @description Stores an invoice to be issued later: it has no number, and may be incomplete. `errors` lists what issuing would refuse. Needs the scope `issue`.
         */
        post: operations["createInvoiceDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_drafts/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve draft
         * @description One draft of the key’s environment. Needs the scope `read`.
         */
        get: operations["retrieveInvoiceDraft"];
        put?: never;
        post?: never;
        /**
         * Delete draft
         * @description Only a draft that has not been issued. Needs the scope `issue`.
         */
        delete: operations["deleteInvoiceDraft"];
        options?: never;
        head?: never;
        /**
         * Update draft
         * @description Fields that are not sent remain unchanged; `invoice` is replaced as a whole. The draft is validated again. Needs the scope `issue`.
         */
        patch: operations["updateInvoiceDraft"];
        trace?: never;
    };
    "/v1/invoice_drafts/{id}/issue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Issue draft
         * @description Issues the draft by the rules of `POST /v1/invoices` as of now. A draft has one invoice: issuing it again returns that one. Needs the scope `issue`.
         */
        post: operations["issueInvoiceDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules
         * @description Newest first. Needs the scope `read`.
         */
        get: operations["listInvoiceSchedules"];
        put?: never;
        /**
         * Create schedule
         * @description Issues an invoice repeatedly, exactly once for each period, on days in Madrid. A schedule that begins on the 31st uses the last day of shorter months. Texts may contain `{{month}}`, `{{quarter}}`, `{{year}}`, `{{period_start}}` and `{{period_end}}`. Needs the scope `issue`.
         */
        post: operations["createInvoiceSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve schedule
         * @description One schedule of the key’s environment. Needs the scope `read`.
         */
        get: operations["retrieveInvoiceSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update schedule
         * @description Changes future invoices; those already created remain unchanged. Fields that are not sent remain unchanged, null removes a field. Needs the scope `issue`.
         */
        patch: operations["updateInvoiceSchedule"];
        trace?: never;
    };
    "/v1/invoice_schedules/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End schedule
         * @description Ends the schedule permanently; invoices already created remain. Needs the scope `issue`.
         */
        post: operations["endInvoiceSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_schedules/{id}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause schedule
         * @description Pauses the schedule until it is resumed. Needs the scope `issue`.
         */
        post: operations["pauseInvoiceSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoice_schedules/{id}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume schedule
         * @description Continues from today; days that have passed meanwhile are skipped. Needs the scope `issue`.
         */
        post: operations["resumeInvoiceSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List invoices, newest first
         * @description The invoices of the key’s environment. Follow `next_url` until it is null; no page repeats or skips one while others are being issued. Needs the scope `read`.
         */
        get: operations["listInvoices"];
        put?: never;
        /**
         * Issue an invoice
         * @description Once answered, the invoice exists legally: it cannot be edited, only corrected. With `rectifies` it is a rectificativa. The service assigns number, date and totals. Send an `Idempotency-Key`. Needs the scope `issue`.
         */
        post: operations["createInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read an invoice
         * @description Poll `verifactu.status` until it is no longer `pending`. `pdf_url` is a new link each time. Needs the scope `read`.
         */
        get: operations["retrieveInvoice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Update an invoice’s metadata
         * @description Only `metadata` can be changed: the invoice itself is corrected, never edited. Keys that are not mentioned stay. Needs the scope `issue`.
         */
        patch: operations["updateInvoice"];
        trace?: never;
    };
    "/v1/invoices/{id}/business_statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Payment statuses to report between businesses
         * @description The statuses that the issuer has to report under Orden HAC/1028/2026, computed from the payments: settled, not paid, and their cancellations. Nothing is sent, because the public solution is not published yet. Empty for simplified invoices, for recipients without a Spanish tax id, and for invoices that are not payable. Needs the scope `read`.
         */
        get: operations["listBusinessStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/download": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a short-lived link to the PDF
         * @description A short-lived link, valid for 15 minutes (`pdf_url` is valid for 48 hours). Needs the scope `read`.
         */
        get: operations["createInvoiceDownload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/emails": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the e-mails of an invoice
         * @description Newest first, each with the mail server’s answer for each recipient. Needs the scope `read`.
         */
        get: operations["listInvoiceEmails"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The PDF behind a signed link
         * @description The target of `pdf_url` and `download_url`. The link needs no key.
         */
        get: operations["downloadInvoiceFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/formats/{format}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The invoice in a structured format
         * @description Generated from the sealed invoice: the same invoice gives the same bytes. An invoice that the format cannot express is refused, naming the term. Needs the scope `read`.
         */
        get: operations["downloadInvoiceFormat"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/payments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the payments of an invoice
         * @description Its own payments that have not been removed, in the order in which they were recorded. Needs the scope `read`.
         */
        get: operations["listPayments"];
        put?: never;
        /**
         * Record a payment
         * @description Records a payment of an invoice, or a refund if its total is negative. At most `amount_due`, which rectificativas change. The invoice itself does not change. Needs the scope `issue`.
         */
        post: operations["recordPayment"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/payments/{payment_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a payment
         * @description A payment that has not been removed. Needs the scope `read`.
         */
        get: operations["retrievePayment"];
        put?: never;
        post?: never;
        /**
         * Remove a payment
         * @description Removes a payment recorded by mistake; the journal keeps both facts. Removing it again has no effect. Needs the scope `issue`.
         */
        delete: operations["removePayment"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/recipient_statuses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the statuses reported by the recipient
         * @description The recorded statuses: paid, rejected with its reason, or withdrawn. The last one counts. Needs the scope `read`.
         */
        get: operations["listRecipientStatuses"];
        put?: never;
        /**
         * Record a status reported by the recipient
         * @description For a complete invoice to a recipient with a Spanish tax id: that the recipient has paid or rejects the invoice, based on the published text of Orden HAC/1028/2026; `withdrawn` corrects a status recorded by mistake. It is added to the journal and announced by an event, and does not change payments. Nothing is sent. Needs the scope `issue`.
         */
        post: operations["recordRecipientStatus"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/{id}/send": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send an invoice by e-mail
         * @description Sends the PDF, and a link to the customer’s page if the invoice has a customer, in the invoice’s language. The e-mail is queued; read its result from the list of e-mails or from events. Needs the scope `issue`.
         */
        post: operations["sendInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a link to the documents of a period
         * @description The documents of the invoices that were issued in a period, as one ZIP file. The link is valid for 15 minutes. Needs the scope `read`.
         */
        get: operations["exportInvoices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/export/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The ZIP file behind a signed link
         * @description Streamed while it is generated. Its `index.csv` has a row for every invoice and format; if an invoice has no such format, the row says `format_not_applicable` with the term and the reason. An interrupted download is not a valid ZIP file: open the link again.
         */
        get: operations["downloadInvoiceExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/invoices/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check an invoice without issuing it
         * @description The same body and the same checks as issuing, with nothing stored and no number used. Limited for each key. Needs the scope `issue`.
         */
        post: operations["validateInvoice"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/number_series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List number series, newest first
         * @description Those of the key’s environment. Needs the scope `read`.
         */
        get: operations["listNumberSeries"];
        put?: never;
        /**
         * Create a number series
         * @description A series is immutable. Its numbers are `<PREFIX>-<YYYY>-<n>`, or `<PREFIX>-<n>` if it is not yearly, without gaps. Needs the scope `manage`.
         */
        post: operations["createNumberSeries"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/number_series/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a number series
         * @description One series of the key’s environment. Needs the scope `read`.
         */
        get: operations["retrieveNumberSeries"];
        put?: never;
        post?: never;
        /**
         * Delete a number series that was never used
         * @description A default series, or one that an integration uses, cannot be deleted. Needs the scope `manage`.
         */
        delete: operations["deleteNumberSeries"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/register_books/file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The register book behind a signed link
         * @description The target of `downloadUrl` of GraphQL’s `registerBook`. The link needs no key. The file is streamed while it is generated; an interrupted download is incomplete.
         */
        get: operations["downloadRegisterBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/tax_ids/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a tax id
         * @description Checks the format and the responsible register: the agency’s census for a Spanish NIF with a name, VIES for an EU VAT number. Rate limited for each key. Needs the scope `issue`.
         */
        post: operations["validateTaxId"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/test_clock": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve test clock
         * @description The current time of the test environment. Needs the scope `read`.
         */
        get: operations["retrieveTestClock"];
        put?: never;
        /**
         * Advance test clock
         * @description Advances the time of the test environment, to an instant or by a duration, day by day with everything that is due on each day. It never goes back. Needs the scope `manage`.
         */
        post: operations["advanceTestClock"];
        /**
         * Remove test clock
         * @description Returns the test environment to the real time. Issued invoices keep their dates; until the real time has passed the last of them, new invoices carry that time. Needs the scope `manage`.
         */
        delete: operations["removeTestClock"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook_deliveries/{id}/redeliver": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Redeliver webhook
         * @description Delivers it again at once, even if it was delivered before.
         */
        post: operations["redeliverWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook_endpoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook endpoints
         * @description Those of the key’s environment, at most 20, newest first.
         */
        get: operations["listWebhookEndpoints"];
        put?: never;
        /**
         * Create webhook endpoint
         * @description From now on every event of its types is posted to the URL, signed according to Standard Webhooks 1.0. `secret` is shown only in this answer. Needs the scopes `manage` and `read`, because an endpoint receives what `read` reads.
         */
        post: operations["createWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook_endpoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Retrieve webhook endpoint
         * @description One endpoint of the key’s environment.
         */
        get: operations["retrieveWebhookEndpoint"];
        put?: never;
        post?: never;
        /**
         * Delete webhook endpoint
         * @description Deletes the endpoint and its deliveries. It receives nothing more.
         */
        delete: operations["deleteWebhookEndpoint"];
        options?: never;
        head?: never;
        /**
         * Update webhook endpoint
         * @description Fields that are not sent remain unchanged. A re-enabled endpoint receives the events that it has missed.
         */
        patch: operations["updateWebhookEndpoint"];
        trace?: never;
    };
    "/v1/webhook_endpoints/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhook deliveries
         * @description The delivery of each event to the endpoint, latest event first. Kept for 30 days.
         */
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook_endpoints/{id}/ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ping webhook endpoint
         * @description Sends a `ping` event to the endpoint.
         */
        post: operations["pingWebhookEndpoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook_endpoints/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Replay webhook events
         * @description Delivers again all events from a sequence or a time on that are still kept. Needs the scopes `manage` and `read`.
         */
        post: operations["replayWebhookEvents"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhook_endpoints/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate webhook secret
         * @description Gives the endpoint a new secret, shown only in this answer. The previous one also signs for `grace_hours` (default 24).
         */
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "certificate.expiring": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event certificate.expiring
         * @description A client certificate of the company expires soon, or has expired. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveCertificateExpiringEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "chain.held": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event chain.held
         * @description Issuing is on hold until an operator acts. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveChainHeldEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "chain.released": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event chain.released
         * @description Issuing continues. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveChainReleasedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice_schedule.failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice_schedule.failed
         * @description An invoice of a schedule was refused: it was stored as a draft. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceScheduleFailedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.amended": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.amended
         * @description The invoice’s registration record was amended. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceAmendedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.amendment_rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.amendment_rejected
         * @description The agency has rejected the record of an amendment. What it had accepted of the invoice before stays. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceAmendmentRejectedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.document_ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.document_ready
         * @description The PDF has been rendered. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceDocumentReadyEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.email_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.email_failed
         * @description An e-mail with the invoice was refused, abandoned, or bounced. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceEmailFailedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.imported": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.imported
         * @description An invoice of another system was imported. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceImportedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.issued": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.issued
         * @description An invoice was issued. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceIssuedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.overdue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.overdue
         * @description The invoice was not paid by its due date. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceOverdueEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.paid
         * @description The invoice has become `paid`: by a payment, or by a credit note that left nothing more to pay. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoicePaidEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_recorded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.payment_recorded
         * @description A payment of the invoice was recorded. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoicePaymentRecordedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.payment_removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.payment_removed
         * @description A payment recorded by mistake was removed. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoicePaymentRemovedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.recipient_paid": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.recipient_paid
         * @description The recipient has reported that it paid the invoice. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceRecipientPaidEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.recipient_rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.recipient_rejected
         * @description The recipient has reported that it rejects the invoice. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceRecipientRejectedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.recipient_status_withdrawn": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.recipient_status_withdrawn
         * @description A status that the recipient had reported was withdrawn. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceRecipientStatusWithdrawnEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.registered": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.registered
         * @description The agency has registered the record. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceRegisteredEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.registered_with_errors": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.registered_with_errors
         * @description The agency has registered the record and found errors in it. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceRegisteredWithErrorsEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.rejected
         * @description The agency has rejected the record. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceRejectedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.sent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.sent
         * @description The mail server has accepted an e-mail with the invoice for every recipient. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceSentEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.skipped": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.skipped
         * @description The record will not be sent. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceSkippedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.void_rejected": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.void_rejected
         * @description The agency has rejected the record that cancels the invoice. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceVoidRejectedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "invoice.voided": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event invoice.voided
         * @description The invoice was voided. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveInvoiceVoidedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "number_series.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event number_series.created
         * @description A number series was created. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveNumberSeriesCreatedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "number_series.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event number_series.deleted
         * @description A number series was deleted. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveNumberSeriesDeletedEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    ping: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event ping
         * @description A ping of this endpoint was requested. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receivePingEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook_endpoint.disabled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Event webhook_endpoint.disabled
         * @description An endpoint was disabled. Posted to each endpoint that receives this type, signed according to Standard Webhooks 1.0: verify `webhook-signature` over the received bytes. Answer within 15 seconds; delivery is at least once.
         */
        post: operations["receiveWebhookEndpointDisabledEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        AccessToken: {
            /**
             * Format: date-time
             * @description The expiry time; a token also ends as soon as its key is revoked.
             */
            expires_at: string;
            /** @description The permissions. */
            scopes: components["schemas"]["KeyScope"][];
            /** @description Used like a key: `Authorization: Bearer at_…`. */
            token: string;
        };
        AccessTokenRequest: {
            /** @description The scopes of the token: a subset of the key’s. */
            scopes: components["schemas"]["KeyScopeInput"][];
            /** @description Lifetime in seconds: default 900, never longer than the key’s. */
            ttl_seconds?: number | null;
        };
        Address: {
            /** @description The city. */
            city: string | null;
            /** @description The country, ISO 3166-1 alpha-2. */
            country: string | null;
            /** @description Street and number. */
            line1: string | null;
            /** @description Floor, door and similar. */
            line2: string | null;
            /** @description As sent. */
            postal_code: string | null;
        };
        AddressInput: {
            /** @description The city. */
            city?: string | null;
            /** @description The country, ISO 3166-1 alpha-2. */
            country?: string | null;
            /** @description Street and number. */
            line1?: string | null;
            /** @description Floor, door and similar. */
            line2?: string | null;
            /** @description The postal code as written in its country. */
            postal_code?: string | null;
        };
        BusinessStatus: {
            /** @description Date of the payment; null if a correction of the invoice caused the status. */
            on: string | null;
            /** @description For `settled`: the last day on which the recipient has to confirm the payment, four days later without weekends and national holidays; otherwise null. */
            recipient_tells_by: string | null;
            /** @description The format. */
            status: components["schemas"]["BusinessStatusKind"];
        };
        /** @description A payment status that the issuer of an invoice has to report between businesses. Extensible: tolerate values not listed. */
        BusinessStatusKind: ("settled" | "settlement_cancelled" | "not_paid" | "not_paid_cancelled") | Unlisted;
        BusinessStatusList: {
            /** @description In chronological order. */
            data: components["schemas"]["BusinessStatus"][];
        };
        CertificateExpiringEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["CertificateExpiringEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "certificate.expiring";
        };
        CertificateExpiringEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["ExpiringCertificate"];
        };
        ChainHeldEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["ChainHeldEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "chain.held";
        };
        ChainHeldEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["ChainHold"];
        };
        ChainHold: {
            /** @description The chain of records. */
            chain_id: number;
            /** @description Why the chain accepts no records; null once it does. */
            hold: string | null;
            /** @description The installation number of its records. */
            installation_number: string;
        };
        ChainReleasedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["ChainReleasedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "chain.released";
        };
        ChainReleasedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["ChainHold"];
        };
        CustomerPortalSession: {
            /**
             * Format: date-time
             * @description When the link was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the link and its sessions expire.
             */
            expires_at: string;
            /** @description The customer. */
            external_customer_id: string;
            /** @description An opaque id. */
            id: string;
            /** @description The integration of the customer. */
            integration_id: string;
            /**
             * Format: uri
             * @description Opens the customer’s page any number of times until `expires_at`; give it to that customer only.
             */
            url: string;
        };
        CustomerPortalSessionRequest: {
            /** @description The id of the customer in the integration. */
            external_customer_id: string;
            /** @description The integration; required if the environment has several. */
            integration_id?: string | null;
            /** @description The target of the page’s back link; http or https. */
            return_url?: string | null;
        };
        DeliveryPeriod: {
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            to: string;
        };
        DeliveryPeriodInput: {
            /**
             * Format: date
             * @description The first day.
             */
            from: string;
            /**
             * Format: date
             * @description The last day.
             */
            to: string;
        };
        DisabledWebhookEndpoint: {
            /**
             * Format: date-time
             * @description The creation time; it receives events from this time on.
             */
            created_at?: string;
            /** @description Your own description. */
            description?: string | null;
            /** @description Why it was disabled. */
            disabled_reason: string;
            /** @description The types that it receives; `*` is all. */
            event_types?: components["schemas"]["SubscribedEventType"][];
            /** @description Id of the endpoint. */
            id: string;
            /** @description `disabled` after five days without a success, after an answer 410, or by hand. */
            status?: components["schemas"]["WebhookEndpointStatus"];
            /**
             * Format: uri
             * @description The URL that received events.
             */
            url: string;
        };
        /** @description The language of a document. Extensible: tolerate values not listed. */
        DocumentLanguage: components["schemas"]["DocumentLanguageInput"] | Unlisted;
        /**
         * @description The language of a document.
         * @enum {string}
         */
        DocumentLanguageInput: "es" | "en" | "ca" | "gl" | "eu";
        /**
         * @description The paper of a document: A4, or the roll of a receipt printer.
         * @enum {string}
         */
        DocumentPaper: "a4" | "roll";
        Download: {
            /**
             * Format: uri
             * @description Signed link to the PDF; it needs no key.
             */
            download_url: string;
            /**
             * Format: date-time
             * @description Fifteen minutes after the answer.
             */
            expires_at: string;
        };
        DraftInvoice: {
            /** @description The days of delivery or performance. Printed above the lines. */
            delivery?: components["schemas"]["DeliveryPeriodInput"] | null;
            /** @description The due date: from 2025-01-01 on, not before `operation_date`. */
            due_date?: string | null;
            /** @description Your own reference: permanently unique in the environment, even after a void. */
            external_id?: string | null;
            /** @description Language of the PDF, instead of the company’s. */
            language?: components["schemas"]["DocumentLanguageInput"] | null;
            /** @description The invoiced lines; for a rectificativa by differences, the change. */
            line_items?: components["schemas"]["DraftLineInput"][] | null;
            /** @description At most 50 texts under your own keys. Not printed, and the only field that can be changed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Printed at the bottom of the PDF. Line breaks are kept. */
            notes?: string | null;
            /** @description A series of the environment and of the right type; default: the default series of that type. */
            number_series_id?: string | null;
            /** @description The day of the sale; it may be in the future, but not when the draft is issued. */
            operation_date?: string | null;
            /** @description The means of payment, printed on the PDF; for a transfer to an `iban`, with a QR code for banking apps. */
            payment?: components["schemas"]["PaymentTermsInput"] | null;
            /** @description Whether the prices of the lines include their taxes; default false. */
            prices_include_tax?: boolean | null;
            /** @description True adds the equivalence surcharge to every line; each must carry one `vat` of 21, 10 or 4 %. */
            recargo_equivalencia?: boolean | null;
            /** @description Required on a complete invoice, unless a rectificativa inherits it. A simplified one takes no `tax_id`. */
            recipient?: components["schemas"]["RecipientInput"] | null;
            /** @description Turns the request into a rectificativa of the invoice that it names. */
            rectifies?: components["schemas"]["RectifiesInput"] | null;
            /** @description The recipient’s references: at least one. Printed above the lines. */
            references?: components["schemas"]["InvoiceReferencesInput"] | null;
            /** @description `complete` names its recipient; `simplified` is a ticket: with its taxes at most 400 EUR (RD 1619/2012 art. 4.1), or 3,000 EUR for the activities of art. 4.2, such as retail and hospitality. Only the 3,000 EUR are checked. */
            type?: components["schemas"]["InvoiceTypeInput"] | null;
            /** @description The income tax (IRPF) that the recipient withholds, as a percentage (15, not 0.15): on complete invoices to recipients with a Spanish NIF. A rectificativa by differences uses the rate of the invoice. */
            withholding?: components["schemas"]["WithholdingInput"] | null;
        };
        DraftLineInput: {
            /** @description Goods or service, as printed. The first line’s text describes the operation to the agency. */
            description: string;
            /** @description Whether this price includes its taxes, if different from the invoice. */
            prices_include_tax?: boolean | null;
            /** @description Whole units. This or `quantity_decimal`. */
            quantity?: number | null;
            /** @description More than 0 and at most 1,000,000, in plain digits with at most six decimals. This or `quantity`. */
            quantity_decimal?: string | null;
            /** @description Your own stock-keeping unit, printed beside the description. */
            sku?: string | null;
            /** @description The one indirect tax of the line; the surcharge is added here if requested. */
            tax_items?: components["schemas"]["TaxItemInput"][] | null;
            /** @description Unit of measure, a code of UN/ECE Recommendation 20 such as `HUR` or `KGM`; printed beside the quantity. */
            unit?: string | null;
            /** @description Price of one unit in cents, net unless prices include their taxes; negative for a discount. This or `unit_amount_decimal`. */
            unit_amount?: number | null;
            /** @description The same with at most six decimals of a cent, in plain digits. This or `unit_amount`. A line’s amount is rounded once, half away from zero. */
            unit_amount_decimal?: string | null;
        };
        EmailDelivery: {
            /** @description The address. */
            address: string;
            /** @description True for your own copy (`copy_to`), which does not affect the status of the e-mail. */
            copy: boolean;
            /** @description The last answer of the mail server, or the diagnostic text of a later bounce. */
            response: string | null;
            /** @description The status. */
            status: components["schemas"]["EmailDeliveryStatus"];
            /** @description The enhanced status code (RFC 3463), such as `5.1.1`; null without one. */
            status_code: string | null;
        };
        /** @description The status of an e-mail for one of its recipients. Extensible: tolerate values not listed. */
        EmailDeliveryStatus: ("queued" | "sent" | "refused" | "bounced") | Unlisted;
        /** @description Why an e-mail has failed. Extensible: tolerate values not listed. */
        EmailFault: ("refused" | "bounced" | "gave_up" | "too_large" | "format_not_applicable" | "no_longer_due") | Unlisted;
        /** @description Why an e-mail was sent. Extensible: tolerate values not listed. */
        EmailKind: ("invoice" | "reminder") | Unlisted;
        EmailSettings: {
            /** @description The address that receives a blind copy of each message; null for none. */
            copy_to: string | null;
            /** @description Days after the due date on which reminders for unpaid invoices are sent, in ascending order; empty for none. */
            reminder_days: number[];
            /** @description The language of reminders; null for the language of the invoice. */
            reminder_language: components["schemas"]["DocumentLanguage"] | null;
            /** @description Your own text in reminders; null without one. */
            reminder_message: string | null;
            /** @description The reply address; null if the message states that replies are not read. */
            reply_to: string | null;
            /** @description The name beside the sender’s address; null for the company’s legal name. */
            sender_name: string | null;
        };
        EmailSettingsChange: {
            /** @description An address that gets a blind copy of each message; null for none. */
            copy_to?: string | null;
            /** @description Days after the due date on which reminders for unpaid invoices are sent, in any order; empty or null for none. */
            reminder_days?: number[] | null;
            /** @description The language of reminders; null for the language of the invoice. */
            reminder_language?: components["schemas"]["DocumentLanguageInput"] | null;
            /** @description Your own text in reminders; null for none. Line breaks are kept. */
            reminder_message?: string | null;
            /** @description The reply address; null for none. */
            reply_to?: string | null;
            /** @description The name beside the sender’s address; null for the company’s legal name. */
            sender_name?: string | null;
        };
        /** @description The status of an e-mail. Extensible: tolerate values not listed. */
        EmailStatus: ("queued" | "sent" | "failed") | Unlisted;
        /**
         * @description The environment of a company; a key belongs to one.
         * @enum {string}
         */
        Environment: "test" | "live";
        Error: {
            /** @description Stable: branch on it. Extensible: fall back to the HTTP status. */
            code: components["schemas"]["ErrorCode"];
            /** @description For people; the wording may change. */
            detail: string;
            /**
             * Format: uri
             * @description The URL of the code’s documentation.
             */
            doc_url: string;
            /** @description The invalid fields; empty unless the error concerns certain fields. */
            errors: components["schemas"]["FieldIssue"][];
        };
        /** @description What went wrong. Fall back to the HTTP status for a code that you do not know. Extensible: tolerate values not listed. */
        ErrorCode: ("invalid_request" | "unauthorized" | "no_active_subscription" | "aeat_mandate_not_approved" | "forbidden" | "not_found" | "customer_not_found" | "integration_not_found" | "invoice_not_found" | "number_series_not_found" | "event_not_found" | "invoice_batch_not_found" | "webhook_endpoint_not_found" | "webhook_delivery_not_found" | "method_not_allowed" | "customer_ambiguous" | "external_id_already_used" | "idempotency_conflict" | "nif_already_used" | "number_series_in_use" | "number_series_numbering_collision" | "number_series_prefix_taken" | "download_link_expired" | "payload_too_large" | "unsupported_media_type" | "webhook_endpoint_limit_reached" | "webhook_endpoint_disabled" | "format_not_applicable" | "amendment_needs_rectification" | "downgrade_to_simplified_not_allowed" | "external_reference_invalid" | "external_reference_matches_existing_invoice" | "family_balance_below_zero" | "insufficient_recipient_data" | "invalid_number_series" | "invalid_recargo_equivalencia" | "invalid_rectifies_reference" | "invalid_tax_data" | "invalid_tax_id" | "invalid_tax_rate" | "invoice_already_replaced" | "invoice_already_voided" | "invoice_has_live_canje" | "invoice_is_canje" | "invoice_not_family_tip" | "invoice_not_rectifiable_at_aeat" | "line_item_without_tax_items" | "num_series_not_applicable_for_order_invoice" | "reason_incompatible_with_recipient" | "recipient_overrides_not_allowed_for_differences" | "rectified_amounts_required_for_substitution" | "rectified_invoice_not_found" | "rectifying_series_invalid" | "replacement_total_negative" | "simplified_amount_exceeded" | "simplified_incompatible_tax_type" | "tax_id_type_country_mismatch" | "upgrade_to_complete_not_allowed" | "email_not_available" | "recipient_email_missing" | "rate_limited" | "internal_error" | "invoice_pending_at_aeat" | "recipient_changed_during_validation" | "service_unavailable" | "tax_id_validation_unavailable" | "payment_not_found" | "recipient_status_conflict" | "payment_exceeds_payable" | "too_many_payments" | "recipient_status_not_applicable" | "invoice_draft_not_found" | "invoice_draft_already_issued" | "invoice_draft_changed" | "invoice_draft_limit_reached" | "invoice_schedule_not_found" | "invoice_schedule_ended" | "invoice_schedule_limit_reached" | "test_clock_not_available") | Unlisted;
        Event: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["EventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /** @description The type of the event. */
            type: components["schemas"]["EventType"];
        };
        EventData: {
            /** @description The e-mail that was sent or has failed; only for these two types. */
            email?: components["schemas"]["EventEmail"];
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"] | components["schemas"]["NumberSeries"] | components["schemas"]["ExpiringCertificate"] | components["schemas"]["ChainHold"] | components["schemas"]["FailedInvoiceSchedule"] | components["schemas"]["DisabledWebhookEndpoint"] | components["schemas"]["PingedWebhookEndpoint"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
            /** @description The status that the recipient reported; only for these three types. */
            recipient_status?: components["schemas"]["EventRecipientStatus"];
        };
        EventEmail: {
            /** @description Its id; the list of e-mails of the invoice has the details. */
            id: string;
            /** @description Why it was sent. */
            kind: components["schemas"]["EmailKind"];
            /** @description The reason for the failure; null if it has not failed. */
            reason: components["schemas"]["EmailFault"] | null;
        };
        EventInvoice: {
            /** @description The amount still due, without withheld tax; negative if a refund is due. Present together with `payment_status`. Whole cents. */
            amount_due?: number;
            /** @description Payments of the invoice and its rectificativas less refunds; present together with `payment_status`. Whole cents. */
            amount_paid?: number;
            /** @description `total` less the withheld tax; absent without withholding. Whole cents. */
            amount_payable?: number;
            /**
             * Format: date-time
             * @description When it was issued, or for an imported invoice, when it was imported.
             */
            created_at: string;
            /** @description The currency, ISO 4217 in lower case. */
            currency: string;
            /** @description The days of delivery or performance, if the request named them. */
            delivery?: components["schemas"]["DeliveryPeriod"];
            /** @description The draft from which it was issued, if any. */
            draft_id?: string;
            /**
             * Format: date
             * @description The due date, if the request named it.
             */
            due_date?: string;
            /** @description The recipient’s e-mail address. */
            email: string | null;
            /** @description The customer of the integration whose order was invoiced. */
            external_customer_id: string | null;
            /** @description Your own reference, as sent. */
            external_id: string | null;
            /** @description Opaque and case-sensitive. */
            id: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            invoice_date: string;
            /** @description Whether it corrects another invoice, and how; `exchange` was issued in exchange for simplified invoices, which remain valid. */
            kind: components["schemas"]["InvoiceKind"];
            /** @description Language of the PDF, if the request named it. */
            language?: components["schemas"]["DocumentLanguage"];
            /** @description In the order in which they were sent. */
            line_items: components["schemas"]["LineItem"][];
            /** @description Your metadata as it is now; absent if there is none. */
            metadata?: {
                [key: string]: string;
            };
            /** @description As printed, from its series. */
            number: string;
            /** @description The series on which it was issued, or for an imported invoice, the series of imported invoices. */
            number_series_id: string;
            /**
             * Format: date-time
             * @description Midnight in Madrid of the day of the sale; the instant of issue when it is the same day.
             */
            operation_date: string;
            /** @description The means of payment, as the request stated it; absent otherwise. */
            payment?: components["schemas"]["PaymentTerms"];
            /** @description The payment status today in Madrid; present if the invoice has a due date or a means of payment, if a payment was recorded, or with `expand[]=payments`. Absent if the invoice is not payable: voided, replaced, exchanged, or a rectificativa by differences of an invoice here. */
            payment_status?: components["schemas"]["PaymentStatus"];
            /** @description Null: request a link when you need one. */
            pdf_url: null;
            /** @description True if the request said so. */
            prices_include_tax?: boolean;
            /** @description Null if no recipient is recorded. */
            recipient: components["schemas"]["Recipient"] | null;
            /** @description The fiscal name: that of the company when recorded, else the name. */
            recipient_name: string | null;
            /** @description The recipient’s tax id. */
            recipient_tax_id: string | null;
            /** @description The rectificativas of this invoice that are not voided. */
            rectified_by: components["schemas"]["InvoiceReference"][];
            /** @description The invoice that it corrects. */
            rectifies: components["schemas"]["RectifiedReference"][];
            /** @description The recipient’s references, as the request stated them; absent otherwise. */
            references?: components["schemas"]["InvoiceReferences"];
            /** @description `voided` if legally cancelled, otherwise `issued`. */
            status: components["schemas"]["InvoiceStatus"];
            /** @description The net amount. Whole cents. */
            subtotal: number;
            /** @description All taxes. Whole cents. */
            tax: number;
            /** @description `subtotal` and `tax`. Whole cents. */
            total: number;
            /** @description Complete or simplified. */
            type: components["schemas"]["InvoiceType"];
            /** @description The registration; null only for an imported invoice. */
            verifactu: components["schemas"]["Verifactu"] | null;
            /** @description The tax that the recipient withholds; absent without withholding. Not part of `total`. */
            withholding?: components["schemas"]["Withholding"];
        };
        EventPage: {
            /** @description In the requested order. */
            data: components["schemas"]["Event"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        EventRecipientStatus: {
            /** @description Whether it was reported later. */
            is_late: boolean;
            /**
             * Format: date
             * @description The day of the payment or rejection, or of its withdrawal.
             */
            on: string;
            /** @description The status. */
            status: components["schemas"]["RecipientStatusKind"];
            /** @description The reason; null for a payment. */
            status_reason: string | null;
            /** @description The last day to report it: four days after `on`, without weekends and national holidays; null for a withdrawal. */
            told_by: string | null;
            /**
             * Format: date
             * @description The day on which it reported this.
             */
            told_on: string;
        };
        /** @description The type of the event. Extensible: tolerate values not listed. */
        EventType: components["schemas"]["EventTypeInput"] | Unlisted;
        /**
         * @description The type of the event.
         * @enum {string}
         */
        EventTypeInput: "invoice.issued" | "invoice.imported" | "invoice.registered" | "invoice.registered_with_errors" | "invoice.rejected" | "invoice.amendment_rejected" | "invoice.void_rejected" | "invoice.skipped" | "invoice.voided" | "invoice.amended" | "invoice.document_ready" | "invoice.payment_recorded" | "invoice.payment_removed" | "invoice.paid" | "invoice.overdue" | "invoice.recipient_paid" | "invoice.recipient_rejected" | "invoice.recipient_status_withdrawn" | "invoice.sent" | "invoice.email_failed" | "number_series.created" | "number_series.deleted" | "certificate.expiring" | "chain.held" | "chain.released" | "invoice_schedule.failed" | "webhook_endpoint.disabled" | "ping";
        Exchange: {
            /** @description The exchange invoice that replaces it and is not voided. */
            exchanged_by: components["schemas"]["InvoiceReference"] | null;
            /** @description The simplified invoices that it replaces in an exchange. */
            exchanges: components["schemas"]["InvoiceReference"][];
        };
        ExpiringCertificate: {
            /** @description SHA-256 of the certificate. */
            fingerprint: string;
            /** @description The environment. */
            holder_name: string | null;
            /** @description The environment. */
            holder_nif: string | null;
            /** @description An opaque id. */
            id: string;
            /** @description The kind of the certificate. */
            kind: string;
            /**
             * Format: date-time
             * @description The start of its validity.
             */
            valid_from: string;
            /**
             * Format: date-time
             * @description Expiry date.
             */
            valid_to: string;
        };
        /**
         * @description An exported form of an invoice: its PDF or a structured format.
         * @enum {string}
         */
        ExportedForm: "pdf" | "ubl" | "cii" | "facturx" | "facturae" | "facturae_signed" | "ubl_es";
        ExternalOriginal: {
            /**
             * Format: date
             * @description The day on which it was issued.
             */
            issued_on: string;
            /** @description Its number. */
            number: string;
        };
        ExternalOriginalInput: {
            /**
             * Format: date
             * @description The day on which it was issued.
             */
            issued_on: string;
            /** @description Its number, up to 60 printable characters without " ' < > =. */
            number: string;
            /** @description Its amounts, in cents; required for a substitution. */
            rectified_amounts?: components["schemas"]["RectifiedAmountsInput"] | null;
        };
        ExternalReference: {
            /** @description An invoice of another system. */
            external: components["schemas"]["ExternalOriginal"];
        };
        FailedInvoiceSchedule: {
            /** @description The code with which issuing was refused. */
            code: string;
            /** @description The same as text. */
            detail: string;
            /** @description The draft, which is to be corrected and issued. */
            draft_id: string;
            /** @description Id of the schedule. */
            id: string;
            /**
             * Format: date
             * @description The day for which it was created.
             */
            period: string;
        };
        FieldIssue: {
            /** @description Short reason, such as `too_big`. */
            code: string;
            /** @description Path such as `line_items[0].quantity`, or the name of a parameter or header. */
            field: string;
            /** @description A message for people. */
            message: string;
        };
        Invoice: {
            /** @description The amount still due, without withheld tax; negative if a refund is due. Present together with `payment_status`. Whole cents. */
            amount_due?: number;
            /** @description Payments of the invoice and its rectificativas less refunds; present together with `payment_status`. Whole cents. */
            amount_paid?: number;
            /** @description `total` less the withheld tax; absent without withholding. Whole cents. */
            amount_payable?: number;
            /**
             * Format: date-time
             * @description When it was issued, or for an imported invoice, when it was imported.
             */
            created_at: string;
            /** @description The currency, ISO 4217 in lower case. */
            currency: string;
            /** @description The days of delivery or performance, if the request named them. */
            delivery?: components["schemas"]["DeliveryPeriod"];
            /** @description The draft from which it was issued, if any. */
            draft_id?: string;
            /**
             * Format: date
             * @description The due date, if the request named it.
             */
            due_date?: string;
            /** @description The recipient’s e-mail address. */
            email: string | null;
            /** @description With `expand[]=exchange`: which invoices were exchanged for which. */
            exchange?: components["schemas"]["Exchange"];
            /** @description The customer of the integration whose order was invoiced. */
            external_customer_id: string | null;
            /** @description Your own reference, as sent. */
            external_id: string | null;
            /** @description Opaque and case-sensitive. */
            id: string;
            /**
             * Format: date-time
             * @description When it was issued.
             */
            invoice_date: string;
            /** @description Whether it corrects another invoice, and how; `exchange` was issued in exchange for simplified invoices, which remain valid. */
            kind: components["schemas"]["InvoiceKind"];
            /** @description Language of the PDF, if the request named it. */
            language?: components["schemas"]["DocumentLanguage"];
            /** @description In the order in which they were sent. */
            line_items: components["schemas"]["LineItem"][];
            /** @description Your metadata as it is now; absent if there is none. */
            metadata?: {
                [key: string]: string;
            };
            /** @description With `expand[]=notes`: the text that is printed at the bottom of the PDF. */
            notes?: string | null;
            /** @description As printed, from its series. */
            number: string;
            /** @description The series on which it was issued, or for an imported invoice, the series of imported invoices. */
            number_series_id: string;
            /**
             * Format: date-time
             * @description Midnight in Madrid of the day of the sale; the instant of issue when it is the same day.
             */
            operation_date: string;
            /** @description The means of payment, as the request stated it; absent otherwise. */
            payment?: components["schemas"]["PaymentTerms"];
            /** @description The payment status today in Madrid; present if the invoice has a due date or a means of payment, if a payment was recorded, or with `expand[]=payments`. Absent if the invoice is not payable: voided, replaced, exchanged, or a rectificativa by differences of an invoice here. */
            payment_status?: components["schemas"]["PaymentStatus"];
            /** @description With `expand[]=payments`: its own payments that have not been removed, in the order in which they were recorded. */
            payments?: components["schemas"]["Payment"][];
            /**
             * Format: uri
             * @description Signed link to the PDF, valid for 48 hours; every read returns a new one.
             */
            pdf_url: string;
            /** @description True if the request said so. */
            prices_include_tax?: boolean;
            /** @description Null if no recipient is recorded. */
            recipient: components["schemas"]["Recipient"] | null;
            /** @description The fiscal name: that of the company when recorded, else the name. */
            recipient_name: string | null;
            /** @description The recipient’s tax id. */
            recipient_tax_id: string | null;
            /** @description With `expand[]=records`: the records that were or will be sent to the agency, in the order of the chain. */
            records?: components["schemas"]["RegistrationRecord"][];
            /** @description With `expand[]=rectification`: how it corrects, and the state of its family. */
            rectification?: components["schemas"]["Rectification"];
            /** @description The rectificativas of this invoice that are not voided. */
            rectified_by: components["schemas"]["InvoiceReference"][];
            /** @description The invoice that it corrects. */
            rectifies: components["schemas"]["RectifiedReference"][];
            /** @description The recipient’s references, as the request stated them; absent otherwise. */
            references?: components["schemas"]["InvoiceReferences"];
            /** @description `voided` if legally cancelled, otherwise `issued`. */
            status: components["schemas"]["InvoiceStatus"];
            /** @description The net amount. Whole cents. */
            subtotal: number;
            /** @description All taxes. Whole cents. */
            tax: number;
            /** @description `subtotal` and `tax`. Whole cents. */
            total: number;
            /** @description Complete or simplified. */
            type: components["schemas"]["InvoiceType"];
            /** @description The registration; null only for an imported invoice. */
            verifactu: components["schemas"]["Verifactu"] | null;
            /** @description The tax that the recipient withholds; absent without withholding. Not part of `total`. */
            withholding?: components["schemas"]["Withholding"];
        };
        InvoiceAmendedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceAmendedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.amended";
        };
        InvoiceAmendedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceAmendmentRejectedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceAmendmentRejectedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.amendment_rejected";
        };
        InvoiceAmendmentRejectedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceBatch: {
            /** @description When the last result was stored; null before that. */
            completed_at: string | null;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description Number of refused invoices. */
            failed: number;
            /** @description Id of the batch. */
            id: string;
            /** @description Number of issued invoices. */
            issued: number;
            /** @description Number of invoices without a result yet. */
            pending: number;
            /** @description Number of invoices in the request. */
            size: number;
            /** @description `completed` as soon as every invoice has its result. */
            status: components["schemas"]["InvoiceBatchStatus"];
        };
        InvoiceBatchPage: {
            /** @description Newest first. */
            data: components["schemas"]["InvoiceBatch"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        InvoiceBatchRequest: {
            /** @description Bodies of `POST /v1/invoices` in the order in which they are to be numbered, each with an `external_id` that is unique among them. */
            invoices: (components["schemas"]["InvoiceRequest"] & ({
                /** @description Your own reference, which identifies its result: permanently unique in the environment. */
                external_id: string;
            } & {
                [key: string]: unknown;
            }))[];
        };
        InvoiceBatchResult: {
            /** @description The error that issuing it alone would have given; null unless it failed. Field paths are relative to the invoice. */
            error: components["schemas"]["Error"] | null;
            /** @description Your own reference, as sent. */
            external_id: string;
            /** @description Id of the result; the cursor of the list. */
            id: string;
            /** @description The invoice; null unless it was issued. */
            invoice_id: string | null;
            /** @description The number of the invoice; null unless it is issued. */
            number: string | null;
            /** @description Its position in the request, from 1. */
            position: number;
            /** @description `pending` until it is issued or refused. */
            status: components["schemas"]["InvoiceBatchResultStatus"];
        };
        InvoiceBatchResultPage: {
            /** @description In the order in which they were sent. */
            data: components["schemas"]["InvoiceBatchResult"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        /** @description The result of an invoice of a batch. Extensible: tolerate values not listed. */
        InvoiceBatchResultStatus: components["schemas"]["InvoiceBatchResultStatusInput"] | Unlisted;
        /**
         * @description The result of an invoice of a batch.
         * @enum {string}
         */
        InvoiceBatchResultStatusInput: "pending" | "issued" | "failed";
        /** @description The progress of a batch. Extensible: tolerate values not listed. */
        InvoiceBatchStatus: components["schemas"]["InvoiceBatchStatusInput"] | Unlisted;
        /**
         * @description The progress of a batch.
         * @enum {string}
         */
        InvoiceBatchStatusInput: "pending" | "running" | "completed";
        InvoiceChange: {
            /** @description The changes: keys that are not mentioned stay, null removes a key. */
            metadata: {
                [key: string]: string | null;
            };
        };
        InvoiceDocumentReadyEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceDocumentReadyEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.document_ready";
        };
        InvoiceDocumentReadyEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceDraft: {
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Number of days from issue to the due date. */
            due_in_days: number | null;
            /** @description The errors that issuing would have given at the last validation; empty if none. */
            errors: components["schemas"]["InvoiceDraftFault"][];
            /** @description Why its schedule could not issue it; null if it did not fail. */
            failure: components["schemas"]["InvoiceDraftFailure"] | null;
            /** @description An opaque id. */
            id: string;
            /** @description The invoice as it was sent. */
            invoice: components["schemas"]["DraftInvoice"];
            /** @description The invoice, once it is issued. */
            invoice_id: string | null;
            /** @description The day of the schedule for which it was created. */
            period: string | null;
            /** @description The schedule that created it. */
            schedule_id: string | null;
            /** @description Whether it was issued. */
            status: components["schemas"]["InvoiceDraftStatus"];
            /** @description Net; null while the draft could not be issued. */
            subtotal: number | null;
            /** @description All taxes; null while the draft could not be issued. */
            tax: number | null;
            /** @description `subtotal` and `tax`; null while the draft could not be issued. */
            total: number | null;
            /**
             * Format: date-time
             * @description When it was last changed, or issued.
             */
            updated_at: string;
        };
        InvoiceDraftChange: {
            /** @description Instead of a due date in the invoice: number of days after issue. */
            due_in_days?: number | null;
            /** @description Replaces all previous types. */
            invoice?: components["schemas"]["InvoiceDraftContent"];
        };
        InvoiceDraftContent: {
            /** @description The days of delivery or performance. Printed above the lines. */
            delivery?: components["schemas"]["DeliveryPeriodInput"] | null;
            /** @description The due date: from 2025-01-01 on, not before `operation_date`. */
            due_date?: string | null;
            /** @description Your own reference: permanently unique in the environment, even after a void. */
            external_id?: string | null;
            /** @description Language of the PDF, instead of the company’s. */
            language?: components["schemas"]["DocumentLanguageInput"] | null;
            /** @description The invoiced lines; for a rectificativa by differences, the change. */
            line_items?: components["schemas"]["DraftLineInput"][] | null;
            /** @description At most 50 texts under your own keys. Not printed, and the only field that can be changed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Printed at the bottom of the PDF. Line breaks are kept. */
            notes?: string | null;
            /** @description A series of the environment and of the right type; default: the default series of that type. */
            number_series_id?: string | null;
            /** @description The day of the sale; it may be in the future, but not when the draft is issued. */
            operation_date?: string | null;
            /** @description The means of payment, printed on the PDF; for a transfer to an `iban`, with a QR code for banking apps. */
            payment?: components["schemas"]["PaymentTermsInput"] | null;
            /** @description Whether the prices of the lines include their taxes; default false. */
            prices_include_tax?: boolean | null;
            /** @description True adds the equivalence surcharge to every line; each must carry one `vat` of 21, 10 or 4 %. */
            recargo_equivalencia?: boolean | null;
            /** @description Required on a complete invoice, unless a rectificativa inherits it. A simplified one takes no `tax_id`. */
            recipient?: components["schemas"]["RecipientInput"] | null;
            /** @description Turns the request into a rectificativa of the invoice that it names. */
            rectifies?: components["schemas"]["RectifiesInput"] | null;
            /** @description The recipient’s references: at least one. Printed above the lines. */
            references?: components["schemas"]["InvoiceReferencesInput"] | null;
            /** @description `complete` names its recipient; `simplified` is a ticket: with its taxes at most 400 EUR (RD 1619/2012 art. 4.1), or 3,000 EUR for the activities of art. 4.2, such as retail and hospitality. Only the 3,000 EUR are checked. */
            type?: components["schemas"]["InvoiceTypeInput"] | null;
            /** @description The income tax (IRPF) that the recipient withholds, as a percentage (15, not 0.15): on complete invoices to recipients with a Spanish NIF. A rectificativa by differences uses the rate of the invoice. */
            withholding?: components["schemas"]["WithholdingInput"] | null;
        };
        InvoiceDraftFailure: {
            /** @description The code with which issuing was refused. */
            code: string;
            /** @description A message for people. */
            detail: string;
        };
        InvoiceDraftFault: {
            /** @description The code with which issuing would be refused, or a short reason. */
            code: string;
            /** @description The field of the invoice, such as `line_items[0].quantity`; null if none is concerned. */
            field: string | null;
            /** @description A message for people. */
            message: string;
        };
        InvoiceDraftPage: {
            /** @description Newest first. */
            data: components["schemas"]["InvoiceDraft"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        InvoiceDraftRequest: {
            /** @description Instead of a due date in the invoice: number of days after issue. */
            due_in_days?: number | null;
            /** @description As `POST /v1/invoices` accepts it; missing fields may follow later. */
            invoice: components["schemas"]["InvoiceDraftContent"];
        };
        /** @description Whether a draft is open or issued. Extensible: tolerate values not listed. */
        InvoiceDraftStatus: components["schemas"]["InvoiceDraftStatusInput"] | Unlisted;
        /**
         * @description Whether a draft is open or issued.
         * @enum {string}
         */
        InvoiceDraftStatusInput: "open" | "issued";
        InvoiceEmail: {
            /** @description Number of delivery attempts to the mail server. */
            attempts: number;
            /**
             * Format: date-time
             * @description When it was requested.
             */
            created_at: string;
            /** @description The result for each recipient. */
            deliveries: components["schemas"]["EmailDelivery"][];
            /** @description The structured documents attached beside the PDF. */
            formats: components["schemas"]["InvoiceFormat"][];
            /** @description An opaque id. */
            id: string;
            /** @description The invoice. */
            invoice_id: string;
            /** @description Why it was sent. */
            kind: components["schemas"]["EmailKind"];
            /** @description The language of its text. */
            language: components["schemas"]["DocumentLanguage"];
            /** @description Why the last attempt failed; null if it succeeded. */
            last_error: string | null;
            /** @description Text added to the message. */
            message: string | null;
            /** @description The time of the next attempt; null once it is finished. */
            next_attempt_at: string | null;
            /** @description The reason for the failure; null if it has not failed. */
            reason: components["schemas"]["EmailFault"] | null;
            /** @description For a reminder, the number of days after the due date; otherwise null. */
            reminder_days: number | null;
            /** @description The key that requested it; `reminder_schedule` for a reminder. */
            requested_by: string;
            /** @description When it was delivered or abandoned. */
            settled_at: string | null;
            /** @description `sent` once the mail server has accepted it for every recipient. */
            status: components["schemas"]["EmailStatus"];
            /** @description The addresses to which it is sent. */
            to: string[];
        };
        InvoiceEmailFailedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceEmailFailedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.email_failed";
        };
        InvoiceEmailFailedEventData: {
            /** @description The e-mail that was sent or has failed; only for these two types. */
            email: components["schemas"]["EventEmail"];
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceEmailPage: {
            /** @description Newest first. */
            data: components["schemas"]["InvoiceEmail"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        /**
         * @description Additional fields of an invoice that can be requested.
         * @enum {string}
         */
        InvoiceExpansion: "notes" | "rectification" | "exchange" | "records" | "payments";
        InvoiceExport: {
            /**
             * Format: uri
             * @description Signed link to the ZIP file; it needs no key and can be opened repeatedly until it expires.
             */
            download_url: string;
            /**
             * Format: date-time
             * @description Fifteen minutes after the answer.
             */
            expires_at: string;
            /** @description The current number of invoices in the period. */
            invoices: number;
        };
        /**
         * @description A structured form of an invoice.
         * @enum {string}
         */
        InvoiceFormat: "ubl" | "cii" | "facturx" | "facturae" | "facturae_signed" | "ubl_es";
        /** @description How often an invoice repeats. Extensible: tolerate values not listed. */
        InvoiceFrequency: components["schemas"]["InvoiceFrequencyInput"] | Unlisted;
        /**
         * @description How often an invoice repeats.
         * @enum {string}
         */
        InvoiceFrequencyInput: "monthly" | "quarterly" | "yearly";
        InvoiceImportedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceImportedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.imported";
        };
        InvoiceImportedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceIssuedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceIssuedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.issued";
        };
        InvoiceIssuedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        /** @description The role of an invoice towards others. Extensible: tolerate values not listed. */
        InvoiceKind: components["schemas"]["InvoiceKindInput"] | Unlisted;
        /**
         * @description The role of an invoice towards others.
         * @enum {string}
         */
        InvoiceKindInput: "original" | "rectifying_differences" | "rectifying_substitution" | "exchange";
        InvoiceOverdueEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceOverdueEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.overdue";
        };
        InvoiceOverdueEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoicePage: {
            /** @description Newest first. */
            data: components["schemas"]["Invoice"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        InvoicePaidEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoicePaidEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.paid";
        };
        InvoicePaidEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoicePaymentRecordedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoicePaymentRecordedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.payment_recorded";
        };
        InvoicePaymentRecordedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoicePaymentRemovedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoicePaymentRemovedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.payment_removed";
        };
        InvoicePaymentRemovedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceRecipientPaidEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceRecipientPaidEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.recipient_paid";
        };
        InvoiceRecipientPaidEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
            /** @description The status that the recipient reported; only for these three types. */
            recipient_status: components["schemas"]["EventRecipientStatus"];
        };
        InvoiceRecipientRejectedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceRecipientRejectedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.recipient_rejected";
        };
        InvoiceRecipientRejectedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
            /** @description The status that the recipient reported; only for these three types. */
            recipient_status: components["schemas"]["EventRecipientStatus"];
        };
        InvoiceRecipientStatusWithdrawnEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceRecipientStatusWithdrawnEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.recipient_status_withdrawn";
        };
        InvoiceRecipientStatusWithdrawnEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
            /** @description The status that the recipient reported; only for these three types. */
            recipient_status: components["schemas"]["EventRecipientStatus"];
        };
        InvoiceReference: {
            /** @description An invoice of this service. */
            invoice_id: string;
        };
        InvoiceReferences: {
            /** @description The buyer’s reference, such as an office or a person. */
            buyer_reference?: string;
            /** @description The number of the contract. */
            contract?: string;
            /** @description The name or number of the project. */
            project?: string;
            /** @description The number of the order. */
            purchase_order?: string;
        };
        InvoiceReferencesInput: {
            /** @description The buyer’s reference, such as an office or a person. */
            buyer_reference?: string | null;
            /** @description The number of the contract. */
            contract?: string | null;
            /** @description The name or number of the project. */
            project?: string | null;
            /** @description The number of the order. */
            purchase_order?: string | null;
        };
        InvoiceRegisteredEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceRegisteredEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.registered";
        };
        InvoiceRegisteredEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceRegisteredWithErrorsEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceRegisteredWithErrorsEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.registered_with_errors";
        };
        InvoiceRegisteredWithErrorsEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceRejectedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceRejectedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.rejected";
        };
        InvoiceRejectedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceRequest: {
            /** @description The days of delivery or performance. Printed above the lines. */
            delivery?: components["schemas"]["DeliveryPeriodInput"] | null;
            /** @description The due date: from 2025-01-01 on, not before `operation_date`. */
            due_date?: string | null;
            /** @description Your own reference: permanently unique in the environment, even after a void. */
            external_id?: string | null;
            /** @description Language of the PDF, instead of the company’s. */
            language?: components["schemas"]["DocumentLanguageInput"] | null;
            /** @description The invoiced lines; for a rectificativa by differences, the change. */
            line_items: components["schemas"]["LineItemInput"][];
            /** @description At most 50 texts under your own keys. Not printed, and the only field that can be changed. */
            metadata?: {
                [key: string]: string;
            } | null;
            /** @description Printed at the bottom of the PDF. Line breaks are kept. */
            notes?: string | null;
            /** @description A series of the environment and of the right type; default: the default series of that type. */
            number_series_id?: string | null;
            /** @description The day of the sale in Madrid when it is not today; from 2025-01-01 on. Not with `rectifies`. */
            operation_date?: string | null;
            /** @description The means of payment, printed on the PDF; for a transfer to an `iban`, with a QR code for banking apps. */
            payment?: components["schemas"]["PaymentTermsInput"] | null;
            /** @description Whether the prices of the lines include their taxes; default false. */
            prices_include_tax?: boolean | null;
            /** @description True adds the equivalence surcharge to every line; each must carry one `vat` of 21, 10 or 4 %. */
            recargo_equivalencia?: boolean | null;
            /** @description Required on a complete invoice, unless a rectificativa inherits it. A simplified one takes no `tax_id`. */
            recipient?: components["schemas"]["RecipientInput"] | null;
            /** @description Turns the request into a rectificativa of the invoice that it names. */
            rectifies?: components["schemas"]["RectifiesInput"] | null;
            /** @description The recipient’s references: at least one. Printed above the lines. */
            references?: components["schemas"]["InvoiceReferencesInput"] | null;
            /** @description `complete` names its recipient; `simplified` is a ticket: with its taxes at most 400 EUR (RD 1619/2012 art. 4.1), or 3,000 EUR for the activities of art. 4.2, such as retail and hospitality. Only the 3,000 EUR are checked. */
            type: components["schemas"]["InvoiceTypeInput"];
            /** @description The income tax (IRPF) that the recipient withholds, as a percentage (15, not 0.15): on complete invoices to recipients with a Spanish NIF. A rectificativa by differences uses the rate of the invoice. */
            withholding?: components["schemas"]["WithholdingInput"] | null;
        };
        InvoiceSchedule: {
            /** @description Maximum number of invoices. */
            count: number | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /** @description Number of days from the issue of each invoice to its due date. */
            due_in_days: number | null;
            /** @description The last day. */
            ends_on: string | null;
            /** @description The interval. */
            frequency: components["schemas"]["InvoiceFrequency"];
            /** @description An opaque id. */
            id: string;
            /** @description The invoice as it was sent. */
            invoice: components["schemas"]["DraftInvoice"];
            /** @description Number of drafts created by the schedule. */
            made: number;
            /** @description The next days, at most five. */
            next_dates: string[];
            /**
             * Format: date
             * @description The first day in Madrid: today or later.
             */
            starts_on: string;
            /** @description The status of the schedule. */
            status: components["schemas"]["InvoiceScheduleStatus"];
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        InvoiceScheduleChange: {
            /** @description Maximum number of invoices. */
            count?: number | null;
            /** @description Number of days from the issue of each invoice to its due date. */
            due_in_days?: number | null;
            /** @description The last day. */
            ends_on?: string | null;
            /** @description Replaces the invoice from the next one on. */
            invoice?: components["schemas"]["InvoiceDraftContent"];
        };
        InvoiceScheduleFailedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceScheduleFailedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice_schedule.failed";
        };
        InvoiceScheduleFailedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["FailedInvoiceSchedule"];
        };
        InvoiceSchedulePage: {
            /** @description Newest first. */
            data: components["schemas"]["InvoiceSchedule"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        InvoiceScheduleRequest: {
            /** @description Maximum number of invoices. */
            count?: number | null;
            /** @description Number of days from the issue of each invoice to its due date. */
            due_in_days?: number | null;
            /** @description The last day. */
            ends_on?: string | null;
            /** @description The interval. */
            frequency: components["schemas"]["InvoiceFrequencyInput"];
            /** @description The template of each invoice: without dates and ids of its own, with placeholders such as `{{month}}` in its texts. */
            invoice: components["schemas"]["InvoiceDraftContent"];
            /**
             * Format: date
             * @description The first day in Madrid: today or later.
             */
            starts_on: string;
        };
        /** @description The status of a schedule. Extensible: tolerate values not listed. */
        InvoiceScheduleStatus: components["schemas"]["InvoiceScheduleStatusInput"] | Unlisted;
        /**
         * @description The status of a schedule.
         * @enum {string}
         */
        InvoiceScheduleStatusInput: "active" | "paused" | "ended";
        InvoiceSentEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceSentEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.sent";
        };
        InvoiceSentEventData: {
            /** @description The e-mail that was sent or has failed; only for these two types. */
            email: components["schemas"]["EventEmail"];
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceSkippedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceSkippedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.skipped";
        };
        InvoiceSkippedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        /** @description Whether an invoice is voided. Extensible: tolerate values not listed. */
        InvoiceStatus: components["schemas"]["InvoiceStatusInput"] | Unlisted;
        /**
         * @description Whether an invoice is voided.
         * @enum {string}
         */
        InvoiceStatusInput: "issued" | "voided";
        /** @description Whether the recipient is identified. Extensible: tolerate values not listed. */
        InvoiceType: components["schemas"]["InvoiceTypeInput"] | Unlisted;
        /**
         * @description Whether the recipient is identified.
         * @enum {string}
         */
        InvoiceTypeInput: "complete" | "simplified";
        InvoiceVoidedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceVoidedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.voided";
        };
        InvoiceVoidedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        InvoiceVoidRejectedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["InvoiceVoidRejectedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "invoice.void_rejected";
        };
        InvoiceVoidRejectedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["EventInvoice"];
            /** @description The previous values of the changed fields. */
            previous?: components["schemas"]["PreviousInvoice"];
        };
        /** @description What a key or a token may do. Extensible: tolerate values not listed. */
        KeyScope: components["schemas"]["KeyScopeInput"] | Unlisted;
        /**
         * @description What a key or a token may do.
         * @enum {string}
         */
        KeyScopeInput: "read" | "issue" | "correct" | "manage";
        LineItem: {
            /** @description Goods or service. */
            description: string;
            /** @description An opaque id. */
            id: string;
            /** @description Units; 1 if `quantity_decimal` is not a whole number. */
            quantity: number;
            /** @description The quantity of a line with a decimal quantity or price, or a gross price, as it was sent. */
            quantity_decimal?: string;
            /** @description Stock-keeping unit. */
            sku: string | null;
            /** @description The net amount. Whole cents. */
            subtotal: number;
            /** @description All taxes of the line. Whole cents. */
            tax: number;
            /** @description By category. */
            tax_items: components["schemas"]["TaxItem"][];
            /** @description `subtotal` and `tax`. Whole cents. */
            total: number;
            /** @description Unit of measure, a code of UN/ECE Recommendation 20. */
            unit?: string;
            /** @description Net price of one unit, rounded to a cent; the subtotal if the quantity is not a whole number. The subtotal decides. Whole cents. */
            unit_amount: number;
            /** @description The exact net price of one unit of such a line in cents; of a gross price the subtotal ÷ the quantity, rounded to six decimals. */
            unit_amount_decimal?: string;
            /** @description The price of a unit with its taxes, rounded to a cent. Whole cents. */
            unit_amount_gross?: number;
            /** @description The same in cents, if it was sent with decimals. */
            unit_amount_gross_decimal?: string;
        };
        LineItemInput: {
            /** @description Goods or service, as printed. The first line’s text describes the operation to the agency. */
            description: string;
            /** @description Whether this price includes its taxes, if different from the invoice. */
            prices_include_tax?: boolean | null;
            /** @description Whole units. This or `quantity_decimal`. */
            quantity?: number | null;
            /** @description More than 0 and at most 1,000,000, in plain digits with at most six decimals. This or `quantity`. */
            quantity_decimal?: string | null;
            /** @description Your own stock-keeping unit, printed beside the description. */
            sku?: string | null;
            /** @description The one indirect tax of the line; the surcharge is added here if requested. */
            tax_items: components["schemas"]["TaxItemInput"][];
            /** @description Unit of measure, a code of UN/ECE Recommendation 20 such as `HUR` or `KGM`; printed beside the quantity. */
            unit?: string | null;
            /** @description Price of one unit in cents, net unless prices include their taxes; negative for a discount. This or `unit_amount_decimal`. */
            unit_amount?: number | null;
            /** @description The same with at most six decimals of a cent, in plain digits. This or `unit_amount`. A line’s amount is rounded once, half away from zero. */
            unit_amount_decimal?: string | null;
        };
        NumberSeries: {
            /**
             * Format: date-time
             * @description The creation time.
             */
            created_at: string;
            /** @description An opaque id. */
            id: string;
            /**
             * @description True only for the series of imported invoices, on which none are issued.
             * @constant
             */
            imported?: true;
            /** @description Whether it is used if a request names none. */
            is_default: boolean;
            /** @description The prefix of its numbers. */
            prefix: string;
            /** @description What it numbers: ordinary invoices or rectificativas. */
            type: components["schemas"]["NumberSeriesType"];
            /** @description Whether its numbers restart at 1 each year (Madrid). */
            yearly: boolean;
        };
        NumberSeriesCreatedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["NumberSeriesCreatedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "number_series.created";
        };
        NumberSeriesCreatedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["NumberSeries"];
        };
        NumberSeriesDeletedEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["NumberSeriesDeletedEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "number_series.deleted";
        };
        NumberSeriesDeletedEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["NumberSeries"];
        };
        NumberSeriesPage: {
            /** @description Newest first. */
            data: components["schemas"]["NumberSeries"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        NumberSeriesRequest: {
            /** @description The prefix of its numbers: printable ASCII, stored without white space and in capitals. */
            prefix: string;
            /** @description What it numbers: ordinary invoices or rectificativas. */
            type: components["schemas"]["NumberSeriesTypeInput"];
            /** @description True: numbers restart at 1 each year (Madrid) and include the year. */
            yearly?: boolean | null;
        };
        /** @description What a series numbers. Extensible: tolerate values not listed. */
        NumberSeriesType: components["schemas"]["NumberSeriesTypeInput"] | Unlisted;
        /**
         * @description What a series numbers.
         * @enum {string}
         */
        NumberSeriesTypeInput: "standard" | "rectifying";
        Payment: {
            /** @description More than 0; for an invoice with a negative total, the amount refunded. Whole cents. */
            amount: number;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            created_at: string;
            /** @description An opaque id. */
            id: string;
            /** @description The means of payment; null if not stated. */
            means: components["schemas"]["PaymentMeans"] | null;
            /**
             * Format: date
             * @description The day on which it was paid.
             */
            paid_on: string;
            /** @description Your own text; null without one. */
            reference: string | null;
        };
        /** @description A means of payment. Extensible: tolerate values not listed. */
        PaymentMeans: components["schemas"]["PaymentMeansInput"] | Unlisted;
        /**
         * @description A means of payment.
         * @enum {string}
         */
        PaymentMeansInput: "transfer" | "direct_debit" | "card" | "cash" | "other";
        PaymentPage: {
            /** @description In the order in which they were recorded. */
            data: components["schemas"]["Payment"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        PaymentRequest: {
            /** @description More than 0; for an invoice with a negative total, the amount refunded. Whole cents. */
            amount: number;
            /** @description The means of payment. */
            means?: components["schemas"]["PaymentMeansInput"] | null;
            /**
             * Format: date
             * @description The day in Madrid on which it was paid: not in the future, but it may be before the invoice was issued, for a prepayment.
             */
            paid_on: string;
            /** @description Your own text, such as the bank’s reference. */
            reference?: string | null;
        };
        /** @description The payment status of an invoice. Extensible: tolerate values not listed. */
        PaymentStatus: components["schemas"]["PaymentStatusInput"] | Unlisted;
        /**
         * @description The payment status of an invoice.
         * @enum {string}
         */
        PaymentStatusInput: "unpaid" | "partially_paid" | "paid" | "overdue" | "credited";
        PaymentTerms: {
            /** @description The account to be paid; with `direct_debit` the account to be charged. Answered without spaces. */
            iban?: string;
            /** @description The means of payment. */
            means: components["schemas"]["PaymentMeans"];
            /** @description The payment reference for the payer. */
            reference?: string;
            /** @description The reason in words. */
            terms?: string;
        };
        PaymentTermsInput: {
            /** @description The account to be paid; with `direct_debit` the account to be charged. Answered without spaces. */
            iban?: string | null;
            /** @description The means of payment. */
            means: components["schemas"]["PaymentMeansInput"];
            /** @description The payment reference for the payer. */
            reference?: string | null;
            /** @description The reason in words. */
            terms?: string | null;
        };
        PingedWebhookEndpoint: {
            /**
             * Format: date-time
             * @description The creation time; it receives events from this time on.
             */
            created_at?: string;
            /** @description Your own description. */
            description?: string | null;
            /** @description Null while it is active. */
            disabled_reason?: string | null;
            /** @description The types that it receives; `*` is all. */
            event_types?: components["schemas"]["SubscribedEventType"][];
            /** @description Id of the endpoint. */
            id: string;
            /** @description `disabled` after five days without a success, after an answer 410, or by hand. */
            status?: components["schemas"]["WebhookEndpointStatus"];
            /**
             * Format: uri
             * @description The URL that receives events.
             */
            url: string;
        };
        PingEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["PingEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "ping";
        };
        PingEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["PingedWebhookEndpoint"];
        };
        PreviousInvoice: {
            /** @description Present if it has changed. Whole cents. */
            amount_due?: number;
            /** @description Present if it has changed. Whole cents. */
            amount_paid?: number;
            /** @description Present if it has changed. */
            payment_status?: components["schemas"]["PaymentStatus"];
            /** @description Present if it has changed. */
            status?: components["schemas"]["InvoiceStatus"];
            /** @description Present if its state has changed. */
            verifactu?: components["schemas"]["PreviousVerifactu"];
        };
        PreviousVerifactu: {
            /** @description As it was. */
            error: components["schemas"]["VerifactuError"] | null;
            /** @description As it was. */
            status: components["schemas"]["RegistrationStatus"];
        };
        Recipient: {
            /** @description Null if none is recorded. */
            address: components["schemas"]["Address"] | null;
            /** @description Null if it was not recorded separately. */
            company_name: string | null;
            /** @description As sent. */
            email: string | null;
            /** @description Name of the person or business. */
            name: string | null;
            /** @description Normalised: capitals, without spaces, dots and hyphens. */
            tax_id: string | null;
            /** @description The country, ISO 3166-1 alpha-2. */
            tax_id_country: string | null;
            /** @description Determined from the format if it was not sent. */
            tax_id_type: components["schemas"]["TaxIdType"] | null;
        };
        RecipientInput: {
            /** @description All its fields are required on a complete invoice. */
            address?: components["schemas"]["AddressInput"] | null;
            /** @description The fiscal name when it is not `name`. */
            company_name?: string | null;
            /** @description Stored with the invoice and used as a filter; the invoice is sent to it on request. The domain may be internationalised, in either spelling. */
            email?: string | null;
            /** @description Name of the person, or of the company if `company_name` is omitted. */
            name?: string | null;
            /** @description Spaces, dots and hyphens do not matter. Its type is determined from the format if omitted. */
            tax_id?: string | null;
            /** @description Needed for `passport`, `official_document`, `residence_certificate` and `other`. */
            tax_id_country?: string | null;
            /** @description The type of `tax_id`, needed where its format and the country do not determine it. */
            tax_id_type?: components["schemas"]["TaxIdTypeInput"] | null;
        };
        RecipientStatus: {
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            created_at: string;
            /** @description Whether it was reported later. */
            is_late: boolean;
            /**
             * Format: date
             * @description The day of the payment or rejection, or of its withdrawal.
             */
            on: string;
            /** @description The status. */
            status: components["schemas"]["RecipientStatusKind"];
            /** @description The reason; null for a payment. */
            status_reason: string | null;
            /** @description The last day to report it: four days after `on`, without weekends and national holidays; null for a withdrawal. */
            told_by: string | null;
            /**
             * Format: date
             * @description The day on which it reported this.
             */
            told_on: string;
        };
        /** @description The status of an invoice that its recipient has reported. Extensible: tolerate values not listed. */
        RecipientStatusKind: components["schemas"]["RecipientStatusKindInput"] | Unlisted;
        /**
         * @description The status of an invoice that its recipient has reported.
         * @enum {string}
         */
        RecipientStatusKindInput: "paid" | "rejected" | "withdrawn";
        RecipientStatusList: {
            /** @description In the order in which they were recorded; the last one counts. */
            data: components["schemas"]["RecipientStatus"][];
        };
        RecipientStatusRequest: {
            /**
             * Format: date
             * @description The day in Madrid of the payment, rejection or withdrawal: not in the future, not before the operation.
             */
            on: string;
            /** @description The status. */
            status: components["schemas"]["RecipientStatusKindInput"];
            /** @description The reason: required for a rejection or a withdrawal, refused for a payment. */
            status_reason?: string | null;
            /** @description The day on which it was reported; default: today. */
            told_on?: string | null;
        };
        Rectification: {
            /** @description The amount that can still be credited by differences; null if the total is unknown. */
            creditable_remainder: number | null;
            /** @description The last invoice of the family that is not voided: the one to correct next. */
            head: components["schemas"]["InvoiceReference"];
            /** @description The total in force of the family; null if the total of an original issued by another system is unknown. */
            in_force_total: number | null;
            /** @description Null unless it corrects an invoice. */
            method: components["schemas"]["RectificationMethod"] | null;
            /** @description Null unless it corrects an invoice. */
            reason: components["schemas"]["RectificationReason"] | null;
        };
        /**
         * @description How a rectificativa corrects.
         * @enum {string}
         */
        RectificationMethod: "differences" | "substitution";
        /**
         * @description Why a rectificativa corrects: R1 to R4.
         * @enum {string}
         */
        RectificationReason: "correction" | "insolvency" | "uncollectible" | "other";
        RectifiedAmountsInput: {
            /** @description Net, in cents. */
            base: number;
            /** @description Equivalence surcharge, in cents. */
            surcharge?: number | null;
            /** @description Tax, in cents. */
            tax: number;
        };
        RectifiedReference: components["schemas"]["InvoiceReference"] | components["schemas"]["ExternalReference"];
        RectifiesInput: {
            /** @description The invoice of another system that is corrected. This or `invoice_id`. */
            external?: components["schemas"]["ExternalOriginalInput"] | null;
            /** @description The invoice of this service that is corrected: the last of its family. This or `external`. */
            invoice_id?: string | null;
            /** @description `differences`: the lines state the change. `substitution`: they state the whole corrected invoice. */
            method: components["schemas"]["RectificationMethod"];
            /** @description The reason, one of the four grounds of the law. */
            reason?: components["schemas"]["RectificationReason"] | null;
        };
        RegistrationRecord: {
            /** @description The agency’s error. */
            error: components["schemas"]["VerifactuError"] | null;
            /**
             * Format: date-time
             * @description When it was sealed.
             */
            generated_at: string;
            /** @description Its fingerprint. */
            hash: string;
            /** @description An opaque id. */
            id: string;
            /** @description The type of the record: issue or amendment, or cancellation. */
            kind: components["schemas"]["RegistrationRecordKind"];
            /** @description Fingerprint of the previous record in the chain; null for the first. */
            previous_hash: string | null;
            /** @description The agency’s code (CSV) for the envelope in which it accepted the record. */
            receipt: string | null;
            /** @description When the agency answered. */
            settled_at: string | null;
            /** @description The status of this record at the agency. */
            status: components["schemas"]["RegistrationStatus"];
            /** @description The exact text. */
            xml: string;
        };
        /** @description What a record reports to the tax agency. Extensible: tolerate values not listed. */
        RegistrationRecordKind: ("registration" | "cancellation") | Unlisted;
        /** @description The status of the registration at the tax agency. Extensible: tolerate values not listed. */
        RegistrationStatus: components["schemas"]["RegistrationStatusInput"] | Unlisted;
        /**
         * @description The status of the registration at the tax agency.
         * @enum {string}
         */
        RegistrationStatusInput: "pending" | "registered" | "registered_with_errors" | "rejected" | "skipped";
        SendInvoiceRequest: {
            /** @description Structured documents to be attached beside the PDF. */
            formats?: components["schemas"]["InvoiceFormat"][] | null;
            /** @description Your own text above the amount. Line breaks are kept. */
            message?: string | null;
            /** @description One address or a list of at most 10; default: the recipient’s address on the invoice. All recipients see each other’s addresses. */
            to?: (string | string[]) | null;
        };
        /**
         * @description The order of a list.
         * @enum {string}
         */
        SortOrder: "asc" | "desc";
        /** @description A type of event, or `*` for all. Extensible: tolerate values not listed. */
        SubscribedEventType: components["schemas"]["SubscribedEventTypeInput"] | Unlisted;
        /**
         * @description A type of event, or `*` for all.
         * @enum {string}
         */
        SubscribedEventTypeInput: "*" | "invoice.issued" | "invoice.imported" | "invoice.registered" | "invoice.registered_with_errors" | "invoice.rejected" | "invoice.amendment_rejected" | "invoice.void_rejected" | "invoice.skipped" | "invoice.voided" | "invoice.amended" | "invoice.document_ready" | "invoice.payment_recorded" | "invoice.payment_removed" | "invoice.paid" | "invoice.overdue" | "invoice.recipient_paid" | "invoice.recipient_rejected" | "invoice.recipient_status_withdrawn" | "invoice.sent" | "invoice.email_failed" | "number_series.created" | "number_series.deleted" | "certificate.expiring" | "chain.held" | "chain.released" | "invoice_schedule.failed" | "webhook_endpoint.disabled" | "ping";
        TaxBreakdownItem: {
            /** @description Sum of the lines’ taxes. Whole cents. */
            amount: number;
            /** @description The taxable base. Whole cents. */
            base: number;
            /** @description Label as printed. */
            name: string;
            /** @description The percentage: 21 means 21 %. */
            rate: number;
            /** @description The tax, or the reason why there is none. */
            type: components["schemas"]["TaxType"];
        };
        /** @description Why a tax id is not valid. Extensible: tolerate values not listed. */
        TaxIdFault: ("format" | "not_registered" | "name_mismatch") | Unlisted;
        /** @description A register of tax ids. Extensible: tolerate values not listed. */
        TaxIdRegister: ("aeat_census" | "vies") | Unlisted;
        TaxIdRequest: {
            /** @description The fiscal name: needed to check a Spanish NIF in the census. */
            name?: string | null;
            /** @description Spaces, dots and hyphens do not matter. */
            tax_id: string;
            /** @description The country, ISO 3166-1 alpha-2. */
            tax_id_country?: string | null;
            /** @description Determined from the format if omitted. */
            tax_id_type?: components["schemas"]["TaxIdTypeInput"] | null;
        };
        /** @description What kind of identifier a tax id is. Extensible: tolerate values not listed. */
        TaxIdType: components["schemas"]["TaxIdTypeInput"] | Unlisted;
        /**
         * @description What kind of identifier a tax id is.
         * @enum {string}
         */
        TaxIdTypeInput: "es_nif" | "eu_vat" | "passport" | "official_document" | "residence_certificate" | "other" | "not_registered";
        TaxIdValidation: {
            /** @description Why it is not valid. */
            reason: components["schemas"]["TaxIdFault"] | null;
            /** @description The queried register; null if only the format was checked. */
            register: components["schemas"]["TaxIdRegister"] | null;
            /** @description The name under which the census knows the NIF, if a similar one was sent; absent otherwise. */
            registered_name?: string;
            /** @description Normalised. */
            tax_id: string;
            /** @description The country, ISO 3166-1 alpha-2. */
            tax_id_country: string | null;
            /** @description Null if the format matches no type. */
            tax_id_type: components["schemas"]["TaxIdType"] | null;
            /** @description Whether it would be accepted for a recipient. */
            valid: boolean;
        };
        TaxItem: {
            /** @description Rounded to the cent for the line. Whole cents. */
            amount: number;
            /** @description Label as printed. */
            name: string;
            /** @description The percentage: 21 means 21 %. */
            rate: number;
            /** @description The tax, or the reason why there is none. */
            type: components["schemas"]["TaxType"];
        };
        TaxItemInput: {
            /** @description Percentage: 21 means 21 %. Required on `vat`, `igic`, `ipsi`, `eu_oss` and `other`; absent or 0 on the others. */
            rate?: number | null;
            /** @description The tax, or the reason why there is none. */
            type: components["schemas"]["TaxTypeInput"];
        };
        /** @description The tax of a line, or the reason why there is none. Extensible: tolerate values not listed. */
        TaxType: components["schemas"]["TaxTypeInput"] | Unlisted;
        /**
         * @description The tax of a line, or the reason why there is none.
         * @enum {string}
         */
        TaxTypeInput: "vat" | "igic" | "ipsi" | "es_recargo_equivalencia" | "es_exempt" | "es_inversion_sujeto_pasivo" | "es_non_taxable" | "es_non_taxable_localization" | "eu_oss" | "eu_b2b" | "eu_b2b_services" | "export" | "other";
        TestClock: {
            /**
             * Format: date-time
             * @description The current time there.
             */
            now: string;
            /** @description Whether it is the real time, runs ahead of it, or is being advanced. */
            status: components["schemas"]["TestClockStatus"];
            /** @description The target of the advance; null if it is not being advanced. */
            target: string | null;
        };
        TestClockRequest: {
            /** @description An ISO 8601 duration such as `P1M` or `PT12H`. Exactly one of this and `now`. */
            advance?: string;
            /**
             * Format: date-time
             * @description The instant to advance to. Exactly one of this and `advance`.
             */
            now?: string;
        };
        /** @description The state of a test environment’s clock. Extensible: tolerate values not listed. */
        TestClockStatus: ("real_time" | "ready" | "advancing") | Unlisted;
        ValidatedInvoice: {
            /** @description `total` less the withheld tax; absent without withholding. Whole cents. */
            amount_payable?: number;
            /** @description The currency, ISO 4217 in lower case. */
            currency: string;
            /** @description The kind that it would have. */
            kind: components["schemas"]["InvoiceKind"];
            /** @description In the order in which they were sent. */
            line_items: components["schemas"]["ValidatedLineItem"][];
            /** @description The net amount. Whole cents. */
            subtotal: number;
            /** @description All taxes. Whole cents. */
            tax: number;
            /** @description By tax and rate. */
            tax_breakdown: components["schemas"]["TaxBreakdownItem"][];
            /** @description `subtotal` and `tax`. Whole cents. */
            total: number;
            /** @description Complete or simplified. */
            type: components["schemas"]["InvoiceType"];
            /** @description The tax that the recipient withholds; absent without withholding. Not part of `total`. */
            withholding?: components["schemas"]["Withholding"];
        };
        ValidatedLineItem: {
            /** @description Goods or service. */
            description: string;
            /** @description Units; 1 if `quantity_decimal` is not a whole number. */
            quantity: number;
            /** @description The quantity of a line with a decimal quantity or price, or a gross price, as it was sent. */
            quantity_decimal?: string;
            /** @description Stock-keeping unit. */
            sku: string | null;
            /** @description The net amount. Whole cents. */
            subtotal: number;
            /** @description All taxes of the line. Whole cents. */
            tax: number;
            /** @description By category. */
            tax_items: components["schemas"]["TaxItem"][];
            /** @description `subtotal` and `tax`. Whole cents. */
            total: number;
            /** @description Unit of measure, a code of UN/ECE Recommendation 20. */
            unit?: string;
            /** @description Net price of one unit, rounded to a cent; the subtotal if the quantity is not a whole number. The subtotal decides. Whole cents. */
            unit_amount: number;
            /** @description The exact net price of one unit of such a line in cents; of a gross price the subtotal ÷ the quantity, rounded to six decimals. */
            unit_amount_decimal?: string;
            /** @description The price of a unit with its taxes, rounded to a cent. Whole cents. */
            unit_amount_gross?: number;
            /** @description The same in cents, if it was sent with decimals. */
            unit_amount_gross_decimal?: string;
        };
        Verifactu: {
            /** @description The agency’s error for the record. */
            error: components["schemas"]["VerifactuError"] | null;
            /** @description Fingerprint of the record sealed at issue. */
            hash: string;
            /**
             * Format: uri
             * @description The content of the document’s QR code.
             */
            qr_url: string;
            /** @description The status of the registration at the tax agency: poll while it is `pending`. */
            status: components["schemas"]["RegistrationStatus"];
        };
        VerifactuError: {
            /** @description The agency’s code, verbatim. */
            code: string | null;
            /** @description The agency’s words, verbatim and in Spanish. */
            message: string | null;
        };
        WebhookAttempt: {
            /**
             * Format: date-time
             * @description The start of the attempt.
             */
            at: string;
            /** @description Why there was no response. */
            error: string | null;
            /** @description Null when no answer came. */
            http_status: number | null;
            /** @description The duration in milliseconds. */
            milliseconds: number;
            /** @description The beginning of the response body, at most 1 KiB. */
            response: string | null;
        };
        WebhookDelivery: {
            /** @description Oldest first; the last twenty. */
            attempts: components["schemas"]["WebhookAttempt"][];
            /**
             * Format: date-time
             * @description Time of the first attempt.
             */
            created_at: string;
            /** @description The recipients. */
            endpoint_id: string;
            /** @description The event, and the header `webhook-id`. */
            event_id: string;
            /** @description The type of the event. */
            event_type: components["schemas"]["EventType"];
            /** @description For `redeliver`. */
            id: string;
            /** @description Null if there is no further attempt. */
            next_attempt_at: string | null;
            /** @description The sequence of the event. */
            sequence: number;
            /** @description `pending` is retried at `next_attempt_at`; `failed` was given up. */
            status: components["schemas"]["WebhookDeliveryStatus"];
        };
        WebhookDeliveryPage: {
            /** @description Latest event first. */
            data: components["schemas"]["WebhookDelivery"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        /** @description The status of a delivery. Extensible: tolerate values not listed. */
        WebhookDeliveryStatus: components["schemas"]["WebhookDeliveryStatusInput"] | Unlisted;
        /**
         * @description The status of a delivery.
         * @enum {string}
         */
        WebhookDeliveryStatusInput: "pending" | "delivered" | "failed";
        WebhookEndpoint: {
            /**
             * Format: date-time
             * @description The creation time; it receives events from this time on.
             */
            created_at: string;
            /** @description Your own description. */
            description: string | null;
            /** @description Null while it is active. */
            disabled_reason: string | null;
            /** @description The types that it receives; `*` is all. */
            event_types: components["schemas"]["SubscribedEventType"][];
            /** @description Id of the endpoint. */
            id: string;
            /** @description `disabled` after five days without a success, after an answer 410, or by hand. */
            status: components["schemas"]["WebhookEndpointStatus"];
            /**
             * Format: uri
             * @description The URL that receives events.
             */
            url: string;
        };
        WebhookEndpointChange: {
            /** @description Your own description. */
            description?: string | null;
            /** @description The types that it receives, or `*` for all. */
            event_types?: components["schemas"]["SubscribedEventTypeInput"][];
            /** @description `active` enables the endpoint again, `disabled` disables it. */
            status?: components["schemas"]["WebhookEndpointStatusInput"];
            /** @description The URL that receives events: https, without a user name, at a public address. */
            url?: string;
        };
        WebhookEndpointDisabledEvent: {
            /**
             * Format: date-time
             * @description When it happened.
             */
            created_at: string;
            /** @description The subject. */
            data: components["schemas"]["WebhookEndpointDisabledEventData"];
            /** @description The environment of the key. */
            environment: components["schemas"]["Environment"];
            /** @description The same at every delivery. */
            id: string;
            /** @description Consecutive in the environment, without gaps. */
            sequence: number;
            /**
             * @description The type of the event.
             * @constant
             */
            type: "webhook_endpoint.disabled";
        };
        WebhookEndpointDisabledEventData: {
            /** @description The changed object as REST showed it at that time. `pdf_url` is null: request a link when you need one. */
            object: components["schemas"]["DisabledWebhookEndpoint"];
        };
        WebhookEndpointPage: {
            /** @description Newest first. */
            data: components["schemas"]["WebhookEndpoint"][];
            /** @description Whether there are more results. */
            has_more: boolean;
            /** @description For `starting_after`; null on the last page. */
            next_cursor: string | null;
            /** @description Path of the next page with the same filters; null on the last one. */
            next_url: string | null;
        };
        WebhookEndpointRequest: {
            /** @description Your own description. */
            description?: string | null;
            /** @description The types that it receives, or `*` for all. */
            event_types: components["schemas"]["SubscribedEventTypeInput"][];
            /** @description The URL that receives events: https, without a user name, at a public address. */
            url: string;
        };
        /** @description Whether events are posted to an endpoint. Extensible: tolerate values not listed. */
        WebhookEndpointStatus: components["schemas"]["WebhookEndpointStatusInput"] | Unlisted;
        /**
         * @description Whether events are posted to an endpoint.
         * @enum {string}
         */
        WebhookEndpointStatusInput: "active" | "disabled";
        WebhookEndpointWithSecret: {
            /**
             * Format: date-time
             * @description The creation time; it receives events from this time on.
             */
            created_at: string;
            /** @description Your own description. */
            description: string | null;
            /** @description Null while it is active. */
            disabled_reason: string | null;
            /** @description The types that it receives; `*` is all. */
            event_types: components["schemas"]["SubscribedEventType"][];
            /** @description Id of the endpoint. */
            id: string;
            /** @description The secret that signs the deliveries; shown only once. */
            secret: string;
            /** @description `disabled` after five days without a success, after an answer 410, or by hand. */
            status: components["schemas"]["WebhookEndpointStatus"];
            /**
             * Format: uri
             * @description The URL that receives events.
             */
            url: string;
        };
        WebhookReplayRequest: {
            /**
             * Format: date-time
             * @description The time from which to deliver. Either this or the sequence.
             */
            from?: string;
            /** @description The first sequence to deliver. */
            from_sequence?: number;
        };
        WebhookSecretRotation: {
            /** @description How long the previous secret still signs, in hours: default 24, at most 168. */
            grace_hours?: number | null;
        };
        Withholding: {
            /** @description Rounded half away from zero. Whole cents. */
            amount: number;
            /** @description The base of the withholding: the net total. Whole cents. */
            base: number;
            /** @description The percentage: 15 means 15 %. */
            rate: number;
            /** @description The tax. */
            type: components["schemas"]["WithholdingType"];
        };
        WithholdingInput: {
            /** @description Percentage: 15 means 15 %; more than 0, 50 at most, two decimals. */
            rate: number;
        };
        /** @description The withheld tax. Extensible: tolerate values not listed. */
        WithholdingType: "irpf" | Unlisted;
    };
    responses: {
        /** @description Your cached answer is still current. */
        NotModified: {
            headers: {
                ETag: components["headers"]["ETag"];
                "X-Request-Id": components["headers"]["RequestId"];
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description The `ETag` of your cached answer; 304 if it is still current. */
        IfNoneMatch: string;
    };
    requestBodies: never;
    headers: {
        /** @description Identifies the content of the answer. A newly signed `pdf_url` does not change it for up to a day. */
        ETag: string;
        /** @description The id of the request in the logs: your own `X-Request-Id` if you sent 1 to 128 letters, digits, `.`, `_` and `-`. */
        RequestId: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    createAccessToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["AccessTokenRequest"];
            };
        };
        responses: {
            /** @description The token, shown only in this answer */
            201: {
                headers: {
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "at_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
                     *       "scopes": [
                     *         "read"
                     *       ],
                     *       "expires_at": "2026-11-20T13:15:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["AccessToken"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createCustomerPortalSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CustomerPortalSessionRequest"];
            };
        };
        responses: {
            /** @description The link */
            201: {
                headers: {
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "cps_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://invoices.example.com/portal/6nHk1v0Yk3v9w2Qm8Tz4Rb7Xc5Lp0Ss1",
                     *       "external_customer_id": "customer-1",
                     *       "integration_id": "int_01a1f90c89a972d0a1dd3b1f1a6f9a10",
                     *       "created_at": "2026-11-20T13:05:00.000Z",
                     *       "expires_at": "2026-11-20T14:05:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["CustomerPortalSession"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `customer_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `customer_ambiguous` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveEmailSettings: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sender_name": "Talleres Ñandú",
                     *       "reply_to": "facturas@example.com",
                     *       "copy_to": null,
                     *       "reminder_days": [
                     *         3,
                     *         10,
                     *         30
                     *       ],
                     *       "reminder_language": null,
                     *       "reminder_message": null
                     *     }
                     */
                    "application/json": components["schemas"]["EmailSettings"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateEmailSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["EmailSettingsChange"];
            };
        };
        responses: {
            /** @description The settings */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sender_name": "Talleres Ñandú",
                     *       "reply_to": "facturas@example.com",
                     *       "copy_to": null,
                     *       "reminder_days": [
                     *         3,
                     *         10,
                     *         30
                     *       ],
                     *       "reminder_language": null,
                     *       "reminder_message": null
                     *     }
                     */
                    "application/json": components["schemas"]["EmailSettings"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listEvents: {
        parameters: {
            query?: {
                /** @description Only those with a higher sequence: continue from the last one that you have processed. */
                after_sequence?: number;
                /** @description Only events at or after this time. */
                created_from?: string;
                /** @description Only events before this time. */
                created_to?: string;
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description The order of their sequence. */
                order?: components["schemas"]["SortOrder"];
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
                /** @description Only those of this type; may be given several times. */
                type?: components["schemas"]["EventTypeInput"][];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                     *           "type": "invoice.registered",
                     *           "sequence": 7,
                     *           "created_at": "2026-11-20T13:00:02.000Z",
                     *           "environment": "live",
                     *           "data": {
                     *             "object": {
                     *               "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *               "status": "issued",
                     *               "number": "F-2026-42",
                     *               "currency": "eur",
                     *               "subtotal": 50000,
                     *               "tax": 10500,
                     *               "total": 60500,
                     *               "recipient_name": "García López Ana",
                     *               "recipient_tax_id": "12345678Z",
                     *               "email": "ana@example.com",
                     *               "external_customer_id": null,
                     *               "external_id": null,
                     *               "invoice_date": "2026-11-20T13:02:43.642Z",
                     *               "operation_date": "2026-11-20T13:02:43.642Z",
                     *               "created_at": "2026-11-20T13:02:43.642Z",
                     *               "type": "complete",
                     *               "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *               "recipient": {
                     *                 "name": "García López Ana",
                     *                 "company_name": null,
                     *                 "tax_id": "12345678Z",
                     *                 "tax_id_type": "es_nif",
                     *                 "tax_id_country": "ES",
                     *                 "email": "ana@example.com",
                     *                 "address": {
                     *                   "line1": "Gran Vía 1",
                     *                   "postal_code": "28013",
                     *                   "city": "Madrid",
                     *                   "country": "ES",
                     *                   "line2": null
                     *                 }
                     *               },
                     *               "pdf_url": null,
                     *               "verifactu": {
                     *                 "status": "registered",
                     *                 "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *                 "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *                 "error": null
                     *               },
                     *               "line_items": [
                     *                 {
                     *                   "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *                   "description": "Web design",
                     *                   "sku": "WEB-H",
                     *                   "quantity": 10,
                     *                   "unit_amount": 5000,
                     *                   "subtotal": 50000,
                     *                   "tax": 10500,
                     *                   "total": 60500,
                     *                   "tax_items": [
                     *                     {
                     *                       "name": "IVA 21%",
                     *                       "type": "vat",
                     *                       "rate": 21,
                     *                       "amount": 10500
                     *                     }
                     *                   ]
                     *                 }
                     *               ],
                     *               "kind": "original",
                     *               "rectifies": [],
                     *               "rectified_by": []
                     *             },
                     *             "previous": {
                     *               "verifactu": {
                     *                 "status": "pending",
                     *                 "error": null
                     *               }
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["EventPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the event, as returned in an answer.
                 * @example evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The event */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                     *       "type": "invoice.registered",
                     *       "sequence": 7,
                     *       "created_at": "2026-11-20T13:00:02.000Z",
                     *       "environment": "live",
                     *       "data": {
                     *         "object": {
                     *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *           "status": "issued",
                     *           "number": "F-2026-42",
                     *           "currency": "eur",
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "recipient_name": "García López Ana",
                     *           "recipient_tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "external_customer_id": null,
                     *           "external_id": null,
                     *           "invoice_date": "2026-11-20T13:02:43.642Z",
                     *           "operation_date": "2026-11-20T13:02:43.642Z",
                     *           "created_at": "2026-11-20T13:02:43.642Z",
                     *           "type": "complete",
                     *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *           "recipient": {
                     *             "name": "García López Ana",
                     *             "company_name": null,
                     *             "tax_id": "12345678Z",
                     *             "tax_id_type": "es_nif",
                     *             "tax_id_country": "ES",
                     *             "email": "ana@example.com",
                     *             "address": {
                     *               "line1": "Gran Vía 1",
                     *               "postal_code": "28013",
                     *               "city": "Madrid",
                     *               "country": "ES",
                     *               "line2": null
                     *             }
                     *           },
                     *           "pdf_url": null,
                     *           "verifactu": {
                     *             "status": "registered",
                     *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *             "error": null
                     *           },
                     *           "line_items": [
                     *             {
                     *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *               "description": "Web design",
                     *               "sku": "WEB-H",
                     *               "quantity": 10,
                     *               "unit_amount": 5000,
                     *               "subtotal": 50000,
                     *               "tax": 10500,
                     *               "total": 60500,
                     *               "tax_items": [
                     *                 {
                     *                   "name": "IVA 21%",
                     *                   "type": "vat",
                     *                   "rate": 21,
                     *                   "amount": 10500
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "kind": "original",
                     *           "rectifies": [],
                     *           "rectified_by": []
                     *         },
                     *         "previous": {
                     *           "verifactu": {
                     *             "status": "pending",
                     *             "error": null
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Event"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `event_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoiceBatches: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "bat_01a1f90d57b775a9bcbf9e6e9e922e30",
                     *           "status": "running",
                     *           "size": 1000,
                     *           "pending": 412,
                     *           "issued": 587,
                     *           "failed": 1,
                     *           "created_at": "2026-11-20T13:02:43.642Z",
                     *           "completed_at": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceBatchPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvoiceBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceBatchRequest"];
            };
        };
        responses: {
            /** @description Accepted, to be issued */
            202: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bat_01a1f90d57b775a9bcbf9e6e9e922e30",
                     *       "status": "running",
                     *       "size": 1000,
                     *       "pending": 412,
                     *       "issued": 587,
                     *       "failed": 1,
                     *       "created_at": "2026-11-20T13:02:43.642Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceBatch"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveInvoiceBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the batch, as returned in an answer.
                 * @example bat_01a1f90d57b775a9bcbf9e6e9e922e30
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The batch */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "bat_01a1f90d57b775a9bcbf9e6e9e922e30",
                     *       "status": "running",
                     *       "size": 1000,
                     *       "pending": 412,
                     *       "issued": 587,
                     *       "failed": 1,
                     *       "created_at": "2026-11-20T13:02:43.642Z",
                     *       "completed_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceBatch"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_batch_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoiceBatchResults: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the batch, as returned in an answer.
                 * @example bat_01a1f90d57b775a9bcbf9e6e9e922e30
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "bar_01a1f90d57b775a9bcbf9e6e9e922e30_1",
                     *           "position": 1,
                     *           "external_id": "till-1/0001",
                     *           "status": "issued",
                     *           "invoice_id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *           "number": "F-2026-42",
                     *           "error": null
                     *         },
                     *         {
                     *           "id": "bar_01a1f90d57b775a9bcbf9e6e9e922e30_2",
                     *           "position": 2,
                     *           "external_id": "till-1/0002",
                     *           "status": "failed",
                     *           "invoice_id": null,
                     *           "number": null,
                     *           "error": {
                     *             "code": "invalid_request",
                     *             "detail": "line_items[0].quantity must be at least 1.",
                     *             "errors": [
                     *               {
                     *                 "field": "line_items[0].quantity",
                     *                 "code": "too_small",
                     *                 "message": "must be at least 1"
                     *               }
                     *             ],
                     *             "doc_url": "https://invoices.example.com/docs/errors#invalid_request"
                     *           }
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceBatchResultPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_batch_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoiceDrafts: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only drafts created by this schedule. */
                schedule_id?: string;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
                /** @description Only drafts with this status. */
                status?: components["schemas"]["InvoiceDraftStatusInput"];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0",
                     *           "status": "open",
                     *           "invoice": {
                     *             "type": "complete",
                     *             "recipient": {
                     *               "name": "García López Ana",
                     *               "tax_id": "12345678Z",
                     *               "email": "ana@example.com",
                     *               "address": {
                     *                 "line1": "Gran Vía 1",
                     *                 "postal_code": "28013",
                     *                 "city": "Madrid",
                     *                 "country": "ES"
                     *               }
                     *             },
                     *             "line_items": [
                     *               {
                     *                 "description": "Web design",
                     *                 "sku": "WEB-H",
                     *                 "quantity": 10,
                     *                 "unit_amount": 5000,
                     *                 "tax_items": [
                     *                   {
                     *                     "type": "vat",
                     *                     "rate": 21
                     *                   }
                     *                 ]
                     *               }
                     *             ]
                     *           },
                     *           "due_in_days": 14,
                     *           "errors": [],
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "schedule_id": null,
                     *           "period": null,
                     *           "failure": null,
                     *           "invoice_id": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "updated_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceDraftPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvoiceDraft: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceDraftRequest"];
            };
        };
        responses: {
            /** @description Stored */
            201: {
                headers: {
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0",
                     *       "status": "open",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Web design",
                     *             "sku": "WEB-H",
                     *             "quantity": 10,
                     *             "unit_amount": 5000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "due_in_days": 14,
                     *       "errors": [],
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "schedule_id": null,
                     *       "period": null,
                     *       "failure": null,
                     *       "invoice_id": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceDraft"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveInvoiceDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the draft, as returned in an answer.
                 * @example dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The draft */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0",
                     *       "status": "open",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Web design",
                     *             "sku": "WEB-H",
                     *             "quantity": 10,
                     *             "unit_amount": 5000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "due_in_days": 14,
                     *       "errors": [],
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "schedule_id": null,
                     *       "period": null,
                     *       "failure": null,
                     *       "invoice_id": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceDraft"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteInvoiceDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the draft, as returned in an answer.
                 * @example dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_already_issued` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateInvoiceDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the draft, as returned in an answer.
                 * @example dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceDraftChange"];
            };
        };
        responses: {
            /** @description The draft */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0",
                     *       "status": "open",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Web design",
                     *             "sku": "WEB-H",
                     *             "quantity": 10,
                     *             "unit_amount": 5000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "due_in_days": 14,
                     *       "errors": [],
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "schedule_id": null,
                     *       "period": null,
                     *       "failure": null,
                     *       "invoice_id": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceDraft"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_already_issued`, `invoice_draft_changed` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    issueInvoiceDraft: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the draft, as returned in an answer.
                 * @example dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Issued */
            201: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *       "status": "issued",
                     *       "number": "F-2026-42",
                     *       "currency": "eur",
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "recipient_name": "García López Ana",
                     *       "recipient_tax_id": "12345678Z",
                     *       "email": "ana@example.com",
                     *       "external_customer_id": null,
                     *       "external_id": null,
                     *       "invoice_date": "2026-11-20T13:02:43.642Z",
                     *       "operation_date": "2026-11-20T13:02:43.642Z",
                     *       "created_at": "2026-11-20T13:02:43.642Z",
                     *       "type": "complete",
                     *       "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *       "recipient": {
                     *         "name": "García López Ana",
                     *         "company_name": null,
                     *         "tax_id": "12345678Z",
                     *         "tax_id_type": "es_nif",
                     *         "tax_id_country": "ES",
                     *         "email": "ana@example.com",
                     *         "address": {
                     *           "line1": "Gran Vía 1",
                     *           "postal_code": "28013",
                     *           "city": "Madrid",
                     *           "country": "ES",
                     *           "line2": null
                     *         }
                     *       },
                     *       "pdf_url": "https://invoices.example.com/v1/invoices/inv_01a1f90d57b775a9bcbf9e6e9e922e2d/file?token=AQBrAufzAAAAAUNr00Y3OOsq9d0Nc-4EhaLCeqvoXEJiLBV9qV3nYTIG",
                     *       "verifactu": {
                     *         "status": "pending",
                     *         "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *         "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *         "error": null
                     *       },
                     *       "line_items": [
                     *         {
                     *           "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *           "description": "Web design",
                     *           "sku": "WEB-H",
                     *           "quantity": 10,
                     *           "unit_amount": 5000,
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "tax_items": [
                     *             {
                     *               "name": "IVA 21%",
                     *               "type": "vat",
                     *               "rate": 21,
                     *               "amount": 10500
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "kind": "original",
                     *       "rectifies": [],
                     *       "rectified_by": [],
                     *       "draft_id": "dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0"
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_active_subscription` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `aeat_mandate_not_approved` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_draft_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `external_id_already_used`, `invoice_draft_changed` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `amendment_needs_rectification`, `downgrade_to_simplified_not_allowed`, `external_reference_invalid`, `external_reference_matches_existing_invoice`, `family_balance_below_zero`, `insufficient_recipient_data`, `invalid_number_series`, `invalid_recargo_equivalencia`, `invalid_rectifies_reference`, `invalid_tax_data`, `invalid_tax_id`, `invalid_tax_rate`, `invoice_already_replaced`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_is_canje`, `invoice_not_family_tip`, `invoice_not_rectifiable_at_aeat`, `line_item_without_tax_items`, `num_series_not_applicable_for_order_invoice`, `reason_incompatible_with_recipient`, `recipient_overrides_not_allowed_for_differences`, `rectified_amounts_required_for_substitution`, `rectified_invoice_not_found`, `rectifying_series_invalid`, `replacement_total_negative`, `simplified_amount_exceeded`, `simplified_incompatible_tax_type`, `tax_id_type_country_mismatch`, `upgrade_to_complete_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`, `tax_id_validation_unavailable`, `invoice_pending_at_aeat`, `recipient_changed_during_validation` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoiceSchedules: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
                /** @description Only schedules with this status. */
                status?: components["schemas"]["InvoiceScheduleStatusInput"];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *           "status": "active",
                     *           "invoice": {
                     *             "type": "complete",
                     *             "recipient": {
                     *               "name": "García López Ana",
                     *               "tax_id": "12345678Z",
                     *               "email": "ana@example.com",
                     *               "address": {
                     *                 "line1": "Gran Vía 1",
                     *                 "postal_code": "28013",
                     *                 "city": "Madrid",
                     *                 "country": "ES"
                     *               }
                     *             },
                     *             "line_items": [
                     *               {
                     *                 "description": "Maintenance in {{month}} {{year}}",
                     *                 "quantity": 1,
                     *                 "unit_amount": 50000,
                     *                 "tax_items": [
                     *                   {
                     *                     "type": "vat",
                     *                     "rate": 21
                     *                   }
                     *                 ]
                     *               }
                     *             ]
                     *           },
                     *           "frequency": "monthly",
                     *           "starts_on": "2026-12-31",
                     *           "ends_on": null,
                     *           "count": null,
                     *           "due_in_days": 14,
                     *           "made": 0,
                     *           "next_dates": [
                     *             "2026-12-31",
                     *             "2027-01-31",
                     *             "2027-02-28",
                     *             "2027-03-31",
                     *             "2027-04-30"
                     *           ],
                     *           "created_at": "2026-11-20T12:00:00.000Z",
                     *           "updated_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedulePage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvoiceSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceScheduleRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *       "status": "active",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Maintenance in {{month}} {{year}}",
                     *             "quantity": 1,
                     *             "unit_amount": 50000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "frequency": "monthly",
                     *       "starts_on": "2026-12-31",
                     *       "ends_on": null,
                     *       "count": null,
                     *       "due_in_days": 14,
                     *       "made": 0,
                     *       "next_dates": [
                     *         "2026-12-31",
                     *         "2027-01-31",
                     *         "2027-02-28",
                     *         "2027-03-31",
                     *         "2027-04-30"
                     *       ],
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedule"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_active_subscription` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `aeat_mandate_not_approved` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `external_id_already_used`, `invoice_schedule_limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `amendment_needs_rectification`, `downgrade_to_simplified_not_allowed`, `external_reference_invalid`, `external_reference_matches_existing_invoice`, `family_balance_below_zero`, `insufficient_recipient_data`, `invalid_number_series`, `invalid_recargo_equivalencia`, `invalid_rectifies_reference`, `invalid_tax_data`, `invalid_tax_id`, `invalid_tax_rate`, `invoice_already_replaced`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_is_canje`, `invoice_not_family_tip`, `invoice_not_rectifiable_at_aeat`, `line_item_without_tax_items`, `num_series_not_applicable_for_order_invoice`, `reason_incompatible_with_recipient`, `recipient_overrides_not_allowed_for_differences`, `rectified_amounts_required_for_substitution`, `rectified_invoice_not_found`, `rectifying_series_invalid`, `replacement_total_negative`, `simplified_amount_exceeded`, `simplified_incompatible_tax_type`, `tax_id_type_country_mismatch`, `upgrade_to_complete_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`, `tax_id_validation_unavailable`, `invoice_pending_at_aeat`, `recipient_changed_during_validation` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveInvoiceSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the schedule, as returned in an answer.
                 * @example sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *       "status": "active",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Maintenance in {{month}} {{year}}",
                     *             "quantity": 1,
                     *             "unit_amount": 50000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "frequency": "monthly",
                     *       "starts_on": "2026-12-31",
                     *       "ends_on": null,
                     *       "count": null,
                     *       "due_in_days": 14,
                     *       "made": 0,
                     *       "next_dates": [
                     *         "2026-12-31",
                     *         "2027-01-31",
                     *         "2027-02-28",
                     *         "2027-03-31",
                     *         "2027-04-30"
                     *       ],
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedule"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateInvoiceSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the schedule, as returned in an answer.
                 * @example sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceScheduleChange"];
            };
        };
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *       "status": "active",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Maintenance in {{month}} {{year}}",
                     *             "quantity": 1,
                     *             "unit_amount": 50000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "frequency": "monthly",
                     *       "starts_on": "2026-12-31",
                     *       "ends_on": null,
                     *       "count": null,
                     *       "due_in_days": 14,
                     *       "made": 0,
                     *       "next_dates": [
                     *         "2026-12-31",
                     *         "2027-01-31",
                     *         "2027-02-28",
                     *         "2027-03-31",
                     *         "2027-04-30"
                     *       ],
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedule"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_active_subscription` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `aeat_mandate_not_approved` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `external_id_already_used`, `invoice_schedule_ended` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `amendment_needs_rectification`, `downgrade_to_simplified_not_allowed`, `external_reference_invalid`, `external_reference_matches_existing_invoice`, `family_balance_below_zero`, `insufficient_recipient_data`, `invalid_number_series`, `invalid_recargo_equivalencia`, `invalid_rectifies_reference`, `invalid_tax_data`, `invalid_tax_id`, `invalid_tax_rate`, `invoice_already_replaced`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_is_canje`, `invoice_not_family_tip`, `invoice_not_rectifiable_at_aeat`, `line_item_without_tax_items`, `num_series_not_applicable_for_order_invoice`, `reason_incompatible_with_recipient`, `recipient_overrides_not_allowed_for_differences`, `rectified_amounts_required_for_substitution`, `rectified_invoice_not_found`, `rectifying_series_invalid`, `replacement_total_negative`, `simplified_amount_exceeded`, `simplified_incompatible_tax_type`, `tax_id_type_country_mismatch`, `upgrade_to_complete_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`, `tax_id_validation_unavailable`, `invoice_pending_at_aeat`, `recipient_changed_during_validation` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    endInvoiceSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the schedule, as returned in an answer.
                 * @example sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *       "status": "active",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Maintenance in {{month}} {{year}}",
                     *             "quantity": 1,
                     *             "unit_amount": 50000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "frequency": "monthly",
                     *       "starts_on": "2026-12-31",
                     *       "ends_on": null,
                     *       "count": null,
                     *       "due_in_days": 14,
                     *       "made": 0,
                     *       "next_dates": [
                     *         "2026-12-31",
                     *         "2027-01-31",
                     *         "2027-02-28",
                     *         "2027-03-31",
                     *         "2027-04-30"
                     *       ],
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedule"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_ended` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pauseInvoiceSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the schedule, as returned in an answer.
                 * @example sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *       "status": "active",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Maintenance in {{month}} {{year}}",
                     *             "quantity": 1,
                     *             "unit_amount": 50000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "frequency": "monthly",
                     *       "starts_on": "2026-12-31",
                     *       "ends_on": null,
                     *       "count": null,
                     *       "due_in_days": 14,
                     *       "made": 0,
                     *       "next_dates": [
                     *         "2026-12-31",
                     *         "2027-01-31",
                     *         "2027-02-28",
                     *         "2027-03-31",
                     *         "2027-04-30"
                     *       ],
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedule"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_ended` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    resumeInvoiceSchedule: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the schedule, as returned in an answer.
                 * @example sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The schedule */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                     *       "status": "active",
                     *       "invoice": {
                     *         "type": "complete",
                     *         "recipient": {
                     *           "name": "García López Ana",
                     *           "tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "address": {
                     *             "line1": "Gran Vía 1",
                     *             "postal_code": "28013",
                     *             "city": "Madrid",
                     *             "country": "ES"
                     *           }
                     *         },
                     *         "line_items": [
                     *           {
                     *             "description": "Maintenance in {{month}} {{year}}",
                     *             "quantity": 1,
                     *             "unit_amount": 50000,
                     *             "tax_items": [
                     *               {
                     *                 "type": "vat",
                     *                 "rate": 21
                     *               }
                     *             ]
                     *           }
                     *         ]
                     *       },
                     *       "frequency": "monthly",
                     *       "starts_on": "2026-12-31",
                     *       "ends_on": null,
                     *       "count": null,
                     *       "due_in_days": 14,
                     *       "made": 0,
                     *       "next_dates": [
                     *         "2026-12-31",
                     *         "2027-01-31",
                     *         "2027-02-28",
                     *         "2027-03-31",
                     *         "2027-04-30"
                     *       ],
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "updated_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceSchedule"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_schedule_ended` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoices: {
        parameters: {
            query?: {
                /** @description Exact, in any case and in both spellings of an internationalised domain. */
                email?: string;
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description Additional fields of each invoice; may be given several times. */
                "expand[]"?: components["schemas"]["InvoiceExpansion"][];
                /** @description Exact. */
                external_customer_id?: string;
                /** @description Exact, any of these; may be given several times. */
                external_id?: string[];
                /** @description Issued on this day of Madrid or later. */
                issued_from?: string;
                /** @description Issued on this day of Madrid or earlier. */
                issued_to?: string;
                /** @description Any of these; may be given several times. */
                kind?: components["schemas"]["InvoiceKindInput"][];
                /** @description The maximum number of results. */
                limit?: number;
                /** @description As `metadata[key]`: invoices whose metadata has this value under the key. Several keys must all match; of a key given several times any value matches. */
                metadata?: {
                    [key: string]: string;
                };
                /** @description Exact, in any case. */
                number?: string;
                /** @description Issued on any of these series; may be given several times. */
                number_series_id?: string[];
                /** @description The payment status today in Madrid: any of these; may be given several times. */
                payment_status?: components["schemas"]["PaymentStatusInput"][];
                /** @description Exact, but for case, spaces, dots and hyphens; any of these; may be given several times. */
                recipient_tax_id?: string[];
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
                /** @description Any of these; may be given several times. */
                status?: components["schemas"]["InvoiceStatusInput"][];
                /** @description Any of these; may be given several times. */
                type?: components["schemas"]["InvoiceTypeInput"][];
                /** @description Any of these; may be given several times. */
                verifactu_status?: components["schemas"]["RegistrationStatusInput"][];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *           "status": "issued",
                     *           "number": "F-2026-42",
                     *           "currency": "eur",
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "recipient_name": "García López Ana",
                     *           "recipient_tax_id": "12345678Z",
                     *           "email": "ana@example.com",
                     *           "external_customer_id": null,
                     *           "external_id": null,
                     *           "invoice_date": "2026-11-20T13:02:43.642Z",
                     *           "operation_date": "2026-11-20T13:02:43.642Z",
                     *           "created_at": "2026-11-20T13:02:43.642Z",
                     *           "type": "complete",
                     *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *           "recipient": {
                     *             "name": "García López Ana",
                     *             "company_name": null,
                     *             "tax_id": "12345678Z",
                     *             "tax_id_type": "es_nif",
                     *             "tax_id_country": "ES",
                     *             "email": "ana@example.com",
                     *             "address": {
                     *               "line1": "Gran Vía 1",
                     *               "postal_code": "28013",
                     *               "city": "Madrid",
                     *               "country": "ES",
                     *               "line2": null
                     *             }
                     *           },
                     *           "pdf_url": "https://invoices.example.com/v1/invoices/inv_01a1f90d57b775a9bcbf9e6e9e922e2d/file?token=AQBrAufzAAAAAUNr00Y3OOsq9d0Nc-4EhaLCeqvoXEJiLBV9qV3nYTIG",
                     *           "verifactu": {
                     *             "status": "registered",
                     *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *             "error": null
                     *           },
                     *           "line_items": [
                     *             {
                     *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *               "description": "Web design",
                     *               "sku": "WEB-H",
                     *               "quantity": 10,
                     *               "unit_amount": 5000,
                     *               "subtotal": 50000,
                     *               "tax": 10500,
                     *               "total": 60500,
                     *               "tax_items": [
                     *                 {
                     *                   "name": "IVA 21%",
                     *                   "type": "vat",
                     *                   "rate": 21,
                     *                   "amount": 10500
                     *                 }
                     *               ]
                     *             }
                     *           ],
                     *           "kind": "original",
                     *           "rectifies": [],
                     *           "rectified_by": []
                     *         }
                     *       ],
                     *       "has_more": true,
                     *       "next_cursor": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *       "next_url": "/v1/invoices?limit=1&starting_after=inv_01a1f90d57b775a9bcbf9e6e9e922e2d"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoicePage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvoice: {
        parameters: {
            query?: {
                /** @description Additional fields of each invoice; may be given several times. */
                "expand[]"?: components["schemas"]["InvoiceExpansion"][];
            };
            header?: {
                /** @description Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceRequest"];
            };
        };
        responses: {
            /** @description Issued */
            201: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *       "status": "issued",
                     *       "number": "F-2026-42",
                     *       "currency": "eur",
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "recipient_name": "García López Ana",
                     *       "recipient_tax_id": "12345678Z",
                     *       "email": "ana@example.com",
                     *       "external_customer_id": null,
                     *       "external_id": null,
                     *       "invoice_date": "2026-11-20T13:02:43.642Z",
                     *       "operation_date": "2026-11-20T13:02:43.642Z",
                     *       "created_at": "2026-11-20T13:02:43.642Z",
                     *       "type": "complete",
                     *       "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *       "recipient": {
                     *         "name": "García López Ana",
                     *         "company_name": null,
                     *         "tax_id": "12345678Z",
                     *         "tax_id_type": "es_nif",
                     *         "tax_id_country": "ES",
                     *         "email": "ana@example.com",
                     *         "address": {
                     *           "line1": "Gran Vía 1",
                     *           "postal_code": "28013",
                     *           "city": "Madrid",
                     *           "country": "ES",
                     *           "line2": null
                     *         }
                     *       },
                     *       "pdf_url": "https://invoices.example.com/v1/invoices/inv_01a1f90d57b775a9bcbf9e6e9e922e2d/file?token=AQBrAufzAAAAAUNr00Y3OOsq9d0Nc-4EhaLCeqvoXEJiLBV9qV3nYTIG",
                     *       "verifactu": {
                     *         "status": "pending",
                     *         "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *         "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *         "error": null
                     *       },
                     *       "line_items": [
                     *         {
                     *           "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *           "description": "Web design",
                     *           "sku": "WEB-H",
                     *           "quantity": 10,
                     *           "unit_amount": 5000,
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "tax_items": [
                     *             {
                     *               "name": "IVA 21%",
                     *               "type": "vat",
                     *               "rate": 21,
                     *               "amount": 10500
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "kind": "original",
                     *       "rectifies": [],
                     *       "rectified_by": []
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_active_subscription` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `aeat_mandate_not_approved` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `external_id_already_used`, `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `amendment_needs_rectification`, `downgrade_to_simplified_not_allowed`, `external_reference_invalid`, `external_reference_matches_existing_invoice`, `family_balance_below_zero`, `insufficient_recipient_data`, `invalid_number_series`, `invalid_recargo_equivalencia`, `invalid_rectifies_reference`, `invalid_tax_data`, `invalid_tax_id`, `invalid_tax_rate`, `invoice_already_replaced`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_is_canje`, `invoice_not_family_tip`, `invoice_not_rectifiable_at_aeat`, `line_item_without_tax_items`, `num_series_not_applicable_for_order_invoice`, `reason_incompatible_with_recipient`, `recipient_overrides_not_allowed_for_differences`, `rectified_amounts_required_for_substitution`, `rectified_invoice_not_found`, `rectifying_series_invalid`, `replacement_total_negative`, `simplified_amount_exceeded`, `simplified_incompatible_tax_type`, `tax_id_type_country_mismatch`, `upgrade_to_complete_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`, `tax_id_validation_unavailable`, `invoice_pending_at_aeat`, `recipient_changed_during_validation` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveInvoice: {
        parameters: {
            query?: {
                /** @description Additional fields of each invoice; may be given several times. */
                "expand[]"?: components["schemas"]["InvoiceExpansion"][];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The invoice */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *       "status": "issued",
                     *       "number": "F-2026-42",
                     *       "currency": "eur",
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "recipient_name": "García López Ana",
                     *       "recipient_tax_id": "12345678Z",
                     *       "email": "ana@example.com",
                     *       "external_customer_id": null,
                     *       "external_id": null,
                     *       "invoice_date": "2026-11-20T13:02:43.642Z",
                     *       "operation_date": "2026-11-20T13:02:43.642Z",
                     *       "created_at": "2026-11-20T13:02:43.642Z",
                     *       "type": "complete",
                     *       "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *       "recipient": {
                     *         "name": "García López Ana",
                     *         "company_name": null,
                     *         "tax_id": "12345678Z",
                     *         "tax_id_type": "es_nif",
                     *         "tax_id_country": "ES",
                     *         "email": "ana@example.com",
                     *         "address": {
                     *           "line1": "Gran Vía 1",
                     *           "postal_code": "28013",
                     *           "city": "Madrid",
                     *           "country": "ES",
                     *           "line2": null
                     *         }
                     *       },
                     *       "pdf_url": "https://invoices.example.com/v1/invoices/inv_01a1f90d57b775a9bcbf9e6e9e922e2d/file?token=AQBrAufzAAAAAUNr00Y3OOsq9d0Nc-4EhaLCeqvoXEJiLBV9qV3nYTIG",
                     *       "verifactu": {
                     *         "status": "registered",
                     *         "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *         "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *         "error": null
                     *       },
                     *       "line_items": [
                     *         {
                     *           "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *           "description": "Web design",
                     *           "sku": "WEB-H",
                     *           "quantity": 10,
                     *           "unit_amount": 5000,
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "tax_items": [
                     *             {
                     *               "name": "IVA 21%",
                     *               "type": "vat",
                     *               "rate": 21,
                     *               "amount": 10500
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "kind": "original",
                     *       "rectifies": [],
                     *       "rectified_by": []
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceChange"];
            };
        };
        responses: {
            /** @description The invoice */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *       "status": "issued",
                     *       "number": "F-2026-42",
                     *       "currency": "eur",
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "recipient_name": "García López Ana",
                     *       "recipient_tax_id": "12345678Z",
                     *       "email": "ana@example.com",
                     *       "external_customer_id": null,
                     *       "external_id": null,
                     *       "invoice_date": "2026-11-20T13:02:43.642Z",
                     *       "operation_date": "2026-11-20T13:02:43.642Z",
                     *       "created_at": "2026-11-20T13:02:43.642Z",
                     *       "type": "complete",
                     *       "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *       "recipient": {
                     *         "name": "García López Ana",
                     *         "company_name": null,
                     *         "tax_id": "12345678Z",
                     *         "tax_id_type": "es_nif",
                     *         "tax_id_country": "ES",
                     *         "email": "ana@example.com",
                     *         "address": {
                     *           "line1": "Gran Vía 1",
                     *           "postal_code": "28013",
                     *           "city": "Madrid",
                     *           "country": "ES",
                     *           "line2": null
                     *         }
                     *       },
                     *       "pdf_url": "https://invoices.example.com/v1/invoices/inv_01a1f90d57b775a9bcbf9e6e9e922e2d/file?token=AQBrAufzAAAAAUNr00Y3OOsq9d0Nc-4EhaLCeqvoXEJiLBV9qV3nYTIG",
                     *       "verifactu": {
                     *         "status": "registered",
                     *         "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                     *         "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                     *         "error": null
                     *       },
                     *       "line_items": [
                     *         {
                     *           "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                     *           "description": "Web design",
                     *           "sku": "WEB-H",
                     *           "quantity": 10,
                     *           "unit_amount": 5000,
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "tax_items": [
                     *             {
                     *               "name": "IVA 21%",
                     *               "type": "vat",
                     *               "rate": 21,
                     *               "amount": 10500
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "kind": "original",
                     *       "rectifies": [],
                     *       "rectified_by": [],
                     *       "metadata": {
                     *         "order": "17",
                     *         "channel": "web"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Invoice"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listBusinessStatuses: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statuses */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "status": "not_paid",
                     *           "on": "2026-12-01",
                     *           "recipient_tells_by": null
                     *         },
                     *         {
                     *           "status": "not_paid_cancelled",
                     *           "on": "2026-12-03",
                     *           "recipient_tells_by": null
                     *         },
                     *         {
                     *           "status": "settled",
                     *           "on": "2026-12-02",
                     *           "recipient_tells_by": "2026-12-09"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["BusinessStatusList"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createInvoiceDownload: {
        parameters: {
            query?: {
                /** @description The paper: `a4` (the default), or `roll` for a receipt printer, 80 mm wide. */
                paper?: components["schemas"]["DocumentPaper"];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "download_url": "https://invoices.example.com/v1/invoices/inv_01a1f90d57b775a9bcbf9e6e9e922e2d/file?token=AQBrAmH1AAAAANQ2nB7v1cQpQ0qv1m5pJ4bq9zV6XQ",
                     *       "expires_at": "2026-11-20T13:17:43Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Download"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listInvoiceEmails: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                     *           "invoice_id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *           "kind": "invoice",
                     *           "reminder_days": null,
                     *           "status": "queued",
                     *           "reason": null,
                     *           "to": [
                     *             "ana@example.com"
                     *           ],
                     *           "message": "Gracias por su compra.",
                     *           "language": "es",
                     *           "formats": [],
                     *           "deliveries": [
                     *             {
                     *               "address": "ana@example.com",
                     *               "status": "queued",
                     *               "response": null,
                     *               "status_code": null,
                     *               "copy": false
                     *             }
                     *           ],
                     *           "attempts": 0,
                     *           "last_error": null,
                     *           "requested_by": "key_01a1f90e0b7a7cc0a4f1d1a2b3c4d5ea",
                     *           "created_at": "2026-11-20T13:00:00.000Z",
                     *           "next_attempt_at": "2026-11-20T13:00:00.000Z",
                     *           "settled_at": null
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceEmailPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadInvoiceFile: {
        parameters: {
            query: {
                /** @description The paper: `a4` (the default), or `roll` for a receipt printer, 80 mm wide. */
                paper?: components["schemas"]["DocumentPaper"];
                /** @description Part of the link. */
                token: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The PDF */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `download_link_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadInvoiceFormat: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description Which format. `ubl_es` is provisional: its specification is not published.
                 * @example ubl
                 */
                format: components["schemas"]["InvoiceFormat"];
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The document */
            200: {
                headers: {
                    /** @description With the name of the file. */
                    "Content-Disposition"?: string;
                    /** @description Why its receiver will refuse the document although it is valid: a Facturae to a public body that names no DIR3 offices. Absent if nothing is known. */
                    "Document-Warning"?: string;
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": string;
                    "application/xml": string;
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `format_not_applicable` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listPayments: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "pay_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                     *           "amount": 6050,
                     *           "paid_on": "2026-11-20",
                     *           "means": "transfer",
                     *           "reference": "REF 4711",
                     *           "created_at": "2026-11-20T13:05:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["PaymentPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recordPayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaymentRequest"];
            };
        };
        responses: {
            /** @description Recorded */
            201: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "pay_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                     *       "amount": 6050,
                     *       "paid_on": "2026-11-20",
                     *       "means": "transfer",
                     *       "reference": "REF 4711",
                     *       "created_at": "2026-11-20T13:05:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_already_voided`, `invoice_has_live_canje`, `invoice_already_replaced`, `too_many_payments`, `payment_exceeds_payable` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrievePayment: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
                /**
                 * @description The id of the payment, as returned in an answer.
                 * @example pay_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The payment */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "pay_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                     *       "amount": 6050,
                     *       "paid_on": "2026-11-20",
                     *       "means": "transfer",
                     *       "reference": "REF 4711",
                     *       "created_at": "2026-11-20T13:05:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["Payment"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found`, `payment_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removePayment: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
                /**
                 * @description The id of the payment, as returned in an answer.
                 * @example pay_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9
                 */
                payment_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found`, `payment_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listRecipientStatuses: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The statuses */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "status": "rejected",
                     *           "on": "2026-11-20",
                     *           "told_on": "2026-11-20",
                     *           "told_by": "2026-11-26",
                     *           "is_late": false,
                     *           "status_reason": "The goods did not arrive.",
                     *           "created_at": "2026-11-20T13:05:00.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["RecipientStatusList"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    recordRecipientStatus: {
        parameters: {
            query?: never;
            header?: {
                /** @description Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RecipientStatusRequest"];
            };
        };
        responses: {
            /** @description Recorded */
            201: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "status": "rejected",
                     *       "on": "2026-11-20",
                     *       "told_on": "2026-11-20",
                     *       "told_by": "2026-11-26",
                     *       "is_late": false,
                     *       "status_reason": "The goods did not arrive.",
                     *       "created_at": "2026-11-20T13:05:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["RecipientStatus"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict`, `recipient_status_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_already_voided`, `invoice_already_replaced`, `recipient_status_not_applicable` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    sendInvoice: {
        parameters: {
            query?: never;
            header?: {
                /** @description Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path: {
                /**
                 * @description The id of the invoice, as returned in an answer.
                 * @example inv_01a1f90d57b775a9bcbf9e6e9e922e2d
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["SendInvoiceRequest"];
            };
        };
        responses: {
            /** @description Queued */
            202: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                     *       "invoice_id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                     *       "kind": "invoice",
                     *       "reminder_days": null,
                     *       "status": "queued",
                     *       "reason": null,
                     *       "to": [
                     *         "ana@example.com"
                     *       ],
                     *       "message": "Gracias por su compra.",
                     *       "language": "es",
                     *       "formats": [],
                     *       "deliveries": [
                     *         {
                     *           "address": "ana@example.com",
                     *           "status": "queued",
                     *           "response": null,
                     *           "status_code": null,
                     *           "copy": false
                     *         }
                     *       ],
                     *       "attempts": 0,
                     *       "last_error": null,
                     *       "requested_by": "key_01a1f90e0b7a7cc0a4f1d1a2b3c4d5ea",
                     *       "created_at": "2026-11-20T13:00:00.000Z",
                     *       "next_attempt_at": "2026-11-20T13:00:00.000Z",
                     *       "settled_at": null
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceEmail"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `invoice_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `email_not_available`, `recipient_email_missing`, `format_not_applicable` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    exportInvoices: {
        parameters: {
            query: {
                /** @description The formats to export; default `pdf`. May be given several times. */
                format?: components["schemas"]["ExportedForm"][];
                /** @description The first day, in Madrid. */
                from: string;
                /** @description The last day, in Madrid. */
                to: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The link */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "invoices": 214,
                     *       "download_url": "https://invoices.example.com/v1/invoices/export/file?token=eyJleHBpcmVzIjoxfQ.wR0oUqC1GzqOZBTkDSUfI2lvb0yqYp1cZ6S5V3cWk9M",
                     *       "expires_at": "2026-11-20T13:17:43Z"
                     *     }
                     */
                    "application/json": components["schemas"]["InvoiceExport"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadInvoiceExport: {
        parameters: {
            query: {
                /** @description Part of the link. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The file */
            200: {
                headers: {
                    /** @description With the name of the file. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/zip": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `download_link_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validateInvoice: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["InvoiceRequest"];
            };
        };
        responses: {
            /** @description The invoice as it would be issued */
            200: {
                headers: {
                    /** @description The remaining quota: `"minute";r=59;t=60`. */
                    RateLimit?: string;
                    /** @description The limit: `"minute";q=60;w=60`. */
                    "RateLimit-Policy"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "type": "complete",
                     *       "kind": "original",
                     *       "currency": "eur",
                     *       "subtotal": 50000,
                     *       "tax": 10500,
                     *       "total": 60500,
                     *       "line_items": [
                     *         {
                     *           "description": "Web design",
                     *           "sku": "WEB-H",
                     *           "quantity": 10,
                     *           "unit_amount": 5000,
                     *           "subtotal": 50000,
                     *           "tax": 10500,
                     *           "total": 60500,
                     *           "tax_items": [
                     *             {
                     *               "name": "IVA 21%",
                     *               "type": "vat",
                     *               "rate": 21,
                     *               "amount": 10500
                     *             }
                     *           ]
                     *         }
                     *       ],
                     *       "tax_breakdown": [
                     *         {
                     *           "type": "vat",
                     *           "name": "IVA 21%",
                     *           "rate": 21,
                     *           "base": 50000,
                     *           "amount": 10500
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ValidatedInvoice"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `no_active_subscription` */
            402: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `aeat_mandate_not_approved` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `external_id_already_used` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `amendment_needs_rectification`, `downgrade_to_simplified_not_allowed`, `external_reference_invalid`, `external_reference_matches_existing_invoice`, `family_balance_below_zero`, `insufficient_recipient_data`, `invalid_number_series`, `invalid_recargo_equivalencia`, `invalid_rectifies_reference`, `invalid_tax_data`, `invalid_tax_id`, `invalid_tax_rate`, `invoice_already_replaced`, `invoice_already_voided`, `invoice_has_live_canje`, `invoice_is_canje`, `invoice_not_family_tip`, `invoice_not_rectifiable_at_aeat`, `line_item_without_tax_items`, `num_series_not_applicable_for_order_invoice`, `reason_incompatible_with_recipient`, `recipient_overrides_not_allowed_for_differences`, `rectified_amounts_required_for_substitution`, `rectified_invoice_not_found`, `rectifying_series_invalid`, `replacement_total_negative`, `simplified_amount_exceeded`, `simplified_incompatible_tax_type`, `tax_id_type_country_mismatch`, `upgrade_to_complete_not_allowed` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`, `tax_id_validation_unavailable`, `invoice_pending_at_aeat`, `recipient_changed_during_validation` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listNumberSeries: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
                /** @description Only series of this type. */
                type?: components["schemas"]["NumberSeriesTypeInput"];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *           "prefix": "WEB",
                     *           "type": "standard",
                     *           "yearly": true,
                     *           "is_default": false,
                     *           "created_at": "2026-11-20T13:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["NumberSeriesPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createNumberSeries: {
        parameters: {
            query?: never;
            header?: {
                /** @description Use a new key for each operation: repeating the request with the same key returns the stored answer. Keys are kept for 24 hours. */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NumberSeriesRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Present if the answer is that of an earlier request with the same key. */
                    "Idempotent-Replayed"?: "true";
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *       "prefix": "WEB",
                     *       "type": "standard",
                     *       "yearly": true,
                     *       "is_default": false,
                     *       "created_at": "2026-11-20T13:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NumberSeries"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `number_series_prefix_taken`, `number_series_numbering_collision`, `idempotency_conflict` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveNumberSeries: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the series, as returned in an answer.
                 * @example ns_01a1f90c894f74b495221ab4d079b5f8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                     *       "prefix": "WEB",
                     *       "type": "standard",
                     *       "yearly": true,
                     *       "is_default": false,
                     *       "created_at": "2026-11-20T13:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["NumberSeries"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `number_series_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteNumberSeries: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the series, as returned in an answer.
                 * @example ns_01a1f90c894f74b495221ab4d079b5f8
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `number_series_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `number_series_in_use` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    downloadRegisterBook: {
        parameters: {
            query: {
                /** @description Part of the link. */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The book */
            200: {
                headers: {
                    /** @description With the name of the file. */
                    "Content-Disposition"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": string;
                    "text/csv": string;
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `download_link_expired` */
            410: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    validateTaxId: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TaxIdRequest"];
            };
        };
        responses: {
            /** @description The result */
            200: {
                headers: {
                    /** @description The remaining quota: `"minute";r=59;t=60`. */
                    RateLimit?: string;
                    /** @description The limit: `"minute";q=60;w=60`. */
                    "RateLimit-Policy"?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tax_id": "12345678Z",
                     *       "tax_id_type": "es_nif",
                     *       "tax_id_country": "ES",
                     *       "valid": true,
                     *       "reason": null,
                     *       "register": "aeat_census"
                     *     }
                     */
                    "application/json": components["schemas"]["TaxIdValidation"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `insufficient_recipient_data`, `tax_id_type_country_mismatch` */
            422: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable`, `tax_id_validation_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveTestClock: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The time */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-11-20T12:00:00.000Z",
                     *       "status": "advancing",
                     *       "target": "2026-12-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestClock"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `test_clock_not_available` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    advanceTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TestClockRequest"];
            };
        };
        responses: {
            /** @description The time */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "now": "2026-11-20T12:00:00.000Z",
                     *       "status": "advancing",
                     *       "target": "2026-12-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["TestClock"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `test_clock_not_available` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    removeTestClock: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden`, `test_clock_not_available` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    redeliverWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the delivery, as returned in an answer.
                 * @example whd_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e7
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To be delivered */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whd_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e7",
                     *       "endpoint_id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "event_id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                     *       "event_type": "invoice.registered",
                     *       "sequence": 7,
                     *       "status": "delivered",
                     *       "attempts": [
                     *         {
                     *           "at": "2026-11-20T13:00:02.080Z",
                     *           "milliseconds": 41,
                     *           "http_status": 204,
                     *           "error": null,
                     *           "response": ""
                     *         }
                     *       ],
                     *       "next_attempt_at": null,
                     *       "created_at": "2026-11-20T13:00:02.080Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDelivery"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_delivery_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_disabled` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookEndpoints: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *           "url": "https://shop.example.com/lacre",
                     *           "event_types": [
                     *             "invoice.registered",
                     *             "invoice.rejected"
                     *           ],
                     *           "description": "The shop",
                     *           "status": "active",
                     *           "disabled_reason": null,
                     *           "created_at": "2026-11-20T12:00:00.000Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    createWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointRequest"];
            };
        };
        responses: {
            /** @description Created */
            201: {
                headers: {
                    /** @description Path of the created object. */
                    Location?: string;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://shop.example.com/lacre",
                     *       "event_types": [
                     *         "invoice.registered",
                     *         "invoice.rejected"
                     *       ],
                     *       "description": "The shop",
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDcmFuZG9tbG8="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_limit_reached` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    retrieveWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://shop.example.com/lacre",
                     *       "event_types": [
                     *         "invoice.registered",
                     *         "invoice.rejected"
                     *       ],
                     *       "description": "The shop",
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    deleteWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Deleted */
            204: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    updateWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEndpointChange"];
            };
        };
        responses: {
            /** @description The endpoint */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://shop.example.com/lacre",
                     *       "event_types": [
                     *         "invoice.registered",
                     *         "invoice.rejected"
                     *       ],
                     *       "description": "The shop",
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                /** @description Only results immediately before this one; `next_url` then continues in that direction. Not with `starting_after`. */
                ending_before?: string;
                /** @description The maximum number of results. */
                limit?: number;
                /** @description Only results after this one; take it from `next_cursor`. */
                starting_after?: string;
                /** @description Only deliveries with this status. */
                status?: components["schemas"]["WebhookDeliveryStatusInput"];
            };
            header?: {
                /** @description The `ETag` of your cached answer; 304 if it is still current. */
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page */
            200: {
                headers: {
                    ETag: components["headers"]["ETag"];
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "whd_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e7",
                     *           "endpoint_id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *           "event_id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                     *           "event_type": "invoice.registered",
                     *           "sequence": 7,
                     *           "status": "delivered",
                     *           "attempts": [
                     *             {
                     *               "at": "2026-11-20T13:00:02.080Z",
                     *               "milliseconds": 41,
                     *               "http_status": 204,
                     *               "error": null,
                     *               "response": ""
                     *             }
                     *           ],
                     *           "next_attempt_at": null,
                     *           "created_at": "2026-11-20T13:00:02.080Z"
                     *         }
                     *       ],
                     *       "has_more": false,
                     *       "next_cursor": null,
                     *       "next_url": null
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookDeliveryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    pingWebhookEndpoint: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The endpoint */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://shop.example.com/lacre",
                     *       "event_types": [
                     *         "invoice.registered",
                     *         "invoice.rejected"
                     *       ],
                     *       "description": "The shop",
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_disabled` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    replayWebhookEvents: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookReplayRequest"];
            };
        };
        responses: {
            /** @description The endpoint */
            202: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://shop.example.com/lacre",
                     *       "event_types": [
                     *         "invoice.registered",
                     *         "invoice.rejected"
                     *       ],
                     *       "description": "The shop",
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpoint"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_disabled` */
            409: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The id of the endpoint, as returned in an answer.
                 * @example whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6
                 */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["WebhookSecretRotation"];
            };
        };
        responses: {
            /** @description The new secret */
            200: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                     *       "url": "https://shop.example.com/lacre",
                     *       "event_types": [
                     *         "invoice.registered",
                     *         "invoice.rejected"
                     *       ],
                     *       "description": "The shop",
                     *       "status": "active",
                     *       "disabled_reason": null,
                     *       "created_at": "2026-11-20T12:00:00.000Z",
                     *       "secret": "whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDcmFuZG9tbG8="
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookEndpointWithSecret"];
                };
            };
            /** @description `invalid_request` */
            400: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unauthorized` */
            401: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `forbidden` */
            403: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `webhook_endpoint_not_found` */
            404: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `payload_too_large` */
            413: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `unsupported_media_type` */
            415: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `rate_limited` */
            429: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `internal_error` */
            500: {
                headers: {
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description `service_unavailable` */
            503: {
                headers: {
                    /** @description Seconds to wait. */
                    "Retry-After"?: number;
                    "X-Request-Id": components["headers"]["RequestId"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    receiveCertificateExpiringEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "certificate.expiring",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "cert_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e8",
                 *           "kind": "seal",
                 *           "holder_nif": "B72877814",
                 *           "holder_name": "Talleres Ñandú SL",
                 *           "fingerprint": "97fe1f1c7116d13cea52614c96d608bc95ea0deb728d4f73bb2dac8e60dda165",
                 *           "valid_from": "2024-12-10T00:00:00.000Z",
                 *           "valid_to": "2026-12-10T00:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["CertificateExpiringEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveChainHeldEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "chain.held",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "chain_id": 7,
                 *           "installation_number": "1",
                 *           "hold": "unchecked"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChainHeldEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveChainReleasedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "chain.released",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "chain_id": 7,
                 *           "installation_number": "1",
                 *           "hold": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ChainReleasedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceScheduleFailedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice_schedule.failed",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "sch_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f1",
                 *           "draft_id": "dft_01a1f90e0b7a7cc0a4f1d1a2b3c4d5f0",
                 *           "period": "2026-12-31",
                 *           "code": "invalid_tax_id",
                 *           "detail": "The tax id is not registered."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceScheduleFailedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceAmendedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.amended",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceAmendedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceAmendmentRejectedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.amendment_rejected",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceAmendmentRejectedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceDocumentReadyEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.document_ready",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceDocumentReadyEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceEmailFailedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.email_failed",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         },
                 *         "email": {
                 *           "id": "eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                 *           "kind": "invoice",
                 *           "reason": "refused"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceEmailFailedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceImportedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.imported",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceImportedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceIssuedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.issued",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceIssuedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceOverdueEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.overdue",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceOverdueEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoicePaidEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.paid",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoicePaidEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoicePaymentRecordedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.payment_recorded",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoicePaymentRecordedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoicePaymentRemovedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.payment_removed",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoicePaymentRemovedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceRecipientPaidEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.recipient_paid",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         },
                 *         "recipient_status": {
                 *           "status": "paid",
                 *           "on": "2026-11-20",
                 *           "told_on": "2026-11-20",
                 *           "told_by": "2026-11-26",
                 *           "is_late": false,
                 *           "status_reason": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRecipientPaidEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceRecipientRejectedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.recipient_rejected",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         },
                 *         "recipient_status": {
                 *           "status": "rejected",
                 *           "on": "2026-11-20",
                 *           "told_on": "2026-11-20",
                 *           "told_by": "2026-11-26",
                 *           "is_late": false,
                 *           "status_reason": "The goods did not arrive."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRecipientRejectedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceRecipientStatusWithdrawnEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.recipient_status_withdrawn",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         },
                 *         "recipient_status": {
                 *           "status": "withdrawn",
                 *           "on": "2026-11-20",
                 *           "told_on": "2026-11-20",
                 *           "told_by": null,
                 *           "is_late": false,
                 *           "status_reason": "They arrived later."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRecipientStatusWithdrawnEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceRegisteredEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.registered",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         },
                 *         "previous": {
                 *           "verifactu": {
                 *             "status": "pending",
                 *             "error": null
                 *           }
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRegisteredEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceRegisteredWithErrorsEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.registered_with_errors",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRegisteredWithErrorsEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceRejectedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.rejected",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceRejectedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceSentEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.sent",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         },
                 *         "email": {
                 *           "id": "eml_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e9",
                 *           "kind": "invoice",
                 *           "reason": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceSentEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceSkippedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.skipped",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceSkippedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceVoidRejectedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.void_rejected",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceVoidRejectedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveInvoiceVoidedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "invoice.voided",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "inv_01a1f90d57b775a9bcbf9e6e9e922e2d",
                 *           "status": "issued",
                 *           "number": "F-2026-42",
                 *           "currency": "eur",
                 *           "subtotal": 50000,
                 *           "tax": 10500,
                 *           "total": 60500,
                 *           "recipient_name": "García López Ana",
                 *           "recipient_tax_id": "12345678Z",
                 *           "email": "ana@example.com",
                 *           "external_customer_id": null,
                 *           "external_id": null,
                 *           "invoice_date": "2026-11-20T13:02:43.642Z",
                 *           "operation_date": "2026-11-20T13:02:43.642Z",
                 *           "created_at": "2026-11-20T13:02:43.642Z",
                 *           "type": "complete",
                 *           "number_series_id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "recipient": {
                 *             "name": "García López Ana",
                 *             "company_name": null,
                 *             "tax_id": "12345678Z",
                 *             "tax_id_type": "es_nif",
                 *             "tax_id_country": "ES",
                 *             "email": "ana@example.com",
                 *             "address": {
                 *               "line1": "Gran Vía 1",
                 *               "postal_code": "28013",
                 *               "city": "Madrid",
                 *               "country": "ES",
                 *               "line2": null
                 *             }
                 *           },
                 *           "pdf_url": null,
                 *           "verifactu": {
                 *             "status": "registered",
                 *             "hash": "97FE1F1C7116D13CEA52614C96D608BC95EA0DEB728D4F73BB2DAC8E60DDA165",
                 *             "qr_url": "https://www2.agenciatributaria.gob.es/wlpl/TIKE-CONT/ValidarQR?nif=B72877814&numserie=F-2026-42&fecha=20-11-2026&importe=605.00",
                 *             "error": null
                 *           },
                 *           "line_items": [
                 *             {
                 *               "id": "ili_01a1f90d57b775a9bcbfa078e8f29b44",
                 *               "description": "Web design",
                 *               "sku": "WEB-H",
                 *               "quantity": 10,
                 *               "unit_amount": 5000,
                 *               "subtotal": 50000,
                 *               "tax": 10500,
                 *               "total": 60500,
                 *               "tax_items": [
                 *                 {
                 *                   "name": "IVA 21%",
                 *                   "type": "vat",
                 *                   "rate": 21,
                 *                   "amount": 10500
                 *                 }
                 *               ]
                 *             }
                 *           ],
                 *           "kind": "original",
                 *           "rectifies": [],
                 *           "rectified_by": []
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["InvoiceVoidedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveNumberSeriesCreatedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "number_series.created",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "prefix": "WEB",
                 *           "type": "standard",
                 *           "yearly": true,
                 *           "is_default": false,
                 *           "created_at": "2026-11-20T13:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NumberSeriesCreatedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveNumberSeriesDeletedEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "number_series.deleted",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "ns_01a1f90c894f74b495221ab4d079b5f8",
                 *           "prefix": "WEB",
                 *           "type": "standard",
                 *           "yearly": true,
                 *           "is_default": false,
                 *           "created_at": "2026-11-20T13:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["NumberSeriesDeletedEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receivePingEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "ping",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                 *           "url": "https://shop.example.com/lacre",
                 *           "event_types": [
                 *             "invoice.registered",
                 *             "invoice.rejected"
                 *           ],
                 *           "description": "The shop",
                 *           "status": "active",
                 *           "disabled_reason": null,
                 *           "created_at": "2026-11-20T12:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["PingEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    receiveWebhookEndpointDisabledEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the event, the same at every attempt. */
                "webhook-id": string;
                /** @description `v1,` and the signature; one for each valid secret. */
                "webhook-signature": string;
                /** @description When it was sent, in seconds since 1970. */
                "webhook-timestamp": string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_3f1d0c7a9b8e4d2f6a5c1b0e00000007",
                 *       "type": "webhook_endpoint.disabled",
                 *       "sequence": 7,
                 *       "created_at": "2026-11-20T13:00:02.000Z",
                 *       "environment": "live",
                 *       "data": {
                 *         "object": {
                 *           "id": "whe_01a1f90e0b7a7cc0a4f1d1a2b3c4d5e6",
                 *           "url": "https://shop.example.com/lacre",
                 *           "event_types": [
                 *             "invoice.registered",
                 *             "invoice.rejected"
                 *           ],
                 *           "description": "The shop",
                 *           "status": "disabled",
                 *           "disabled_reason": "it answered 410 Gone",
                 *           "created_at": "2026-11-20T12:00:00.000Z"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookEndpointDisabledEvent"];
            };
        };
        responses: {
            /** @description Accepted. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The endpoint refuses further deliveries and is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
