import type { Envelope, Envelopes } from './envelopes.ts';
import { html, type Markup, page } from './html.ts';
import type { Settings, Statistics } from './settings.ts';
import type { Entry, Store } from './store.ts';

/** Rows of the page for people. */
const ROWS = 50;
/** Records in one answer for machines, unless fewer are requested. */
const MAX_RECORDS = 1_000;

function positiveInteger(text: string | null): number | null {
  return text !== null && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : null;
}

/** What the filters of a request keep. */
function filterOf(parameters: URLSearchParams): (entry: Entry) => boolean {
  const nif = parameters.get('nif');
  const number = parameters.get('number');
  const state = parameters.get('state');
  return (entry) =>
    (nif === null || entry.nif === nif) &&
    (number === null || entry.number === number) &&
    (state === null || entry.state === state);
}

/**
 * Received records as data, newest first: `limit` (at most and by default 1000), `before` (a sequence), and the
 * filters `nif`, `number`, `state`. `next` leads to the older ones.
 */
export function recordsJson(parameters: URLSearchParams, store: Store): Record<string, unknown> {
  const limit = Math.min(positiveInteger(parameters.get('limit')) ?? MAX_RECORDS, MAX_RECORDS);
  const before = positiveInteger(parameters.get('before')) ?? undefined;
  const found = store.newest(limit + 1, before, filterOf(parameters));
  const shown = found.slice(0, limit);
  const next = new URLSearchParams(parameters);
  next.set('before', String(shown.at(-1)?.sequence));
  return {
    total: store.count,
    records: shown.map((entry) => recordJson(entry, store.xmlOf(entry))),
    next: found.length > limit ? `/records.json?${next}` : null,
  };
}

function recordJson(entry: Entry, xml: string): Record<string, unknown> {
  return {
    sequence: entry.sequence,
    kind: entry.kind,
    nif: entry.nif,
    number: entry.number,
    date: entry.date,
    invoice_type: entry.invoiceType,
    total: entry.total,
    reference: entry.reference,
    amendment: entry.amendment,
    previously_rejected: entry.previouslyRejected,
    installation: entry.installation,
    fingerprint: entry.fingerprint,
    previous_fingerprint: entry.previousFingerprint,
    link: entry.link,
    state: entry.state,
    code: entry.code,
    description: entry.description,
    incident: entry.incident,
    received_at: entry.receivedAt,
    request_id: entry.requestId,
    csv: entry.csv,
    presenter_nif: entry.presenterNif,
    xml,
  };
}

/** The newest envelopes as data, oldest first: all that came after the number `after`, and of one `nif` if it is given. */
export function envelopesJson(parameters: URLSearchParams, envelopes: Envelopes): Record<string, unknown> {
  const nif = parameters.get('nif');
  const found = envelopes.after(positiveInteger(parameters.get('after')) ?? 0);
  return { envelopes: found.filter((one) => nif === null || one.nif === nif).map(envelopeJson) };
}

function envelopeJson(envelope: Envelope): Record<string, unknown> {
  return {
    sequence: envelope.sequence,
    request_id: envelope.requestId,
    csv: envelope.csv,
    nif: envelope.nif,
    records: envelope.records,
    received_at: envelope.receivedAt,
    answered_at: envelope.answeredAt,
    early: envelope.early,
    wait_seconds: envelope.waitSeconds,
  };
}

/** The page that lists what was received, newest first. */
export function overviewPage(
  parameters: URLSearchParams,
  store: Store,
  settings: Settings,
  statistics: Statistics,
): string {
  const before = positiveInteger(parameters.get('before')) ?? undefined;
  const found = store.newest(ROWS + 1, before);
  const shown = found.slice(0, ROWS);
  const older = found.length > ROWS ? html`<a href="/?before=${shown.at(-1)!.sequence}">Older</a>` : null;
  const newest = before === undefined ? null : html`<a href="/">Newest</a>`;
  const content = html`<h1>Tax agency simulator</h1>
<p>${store.count} records received, ${store.invoiceCount} invoices held. Since the start: ${statistics.envelopes} envelopes,
${statistics.earlyEnvelopes} of them before their time. The registration service is in mode
<strong>${settings.mode}</strong> and asks for ${settings.waitSeconds ?? 'no other number of'} seconds between envelopes.</p>
<nav><a href="/records.json">Records as JSON</a><a href="/envelopes.json">Envelopes as JSON</a><a href="/_control">Settings</a></nav>
${shown.length === 0 ? html`<p>Nothing has been received yet.</p>` : tableOf(shown)}
<nav>${newest}${older}</nav>`;
  return page('en', 'Tax agency simulator', 'SIMULATOR: this is not the tax agency', content);
}

function tableOf(entries: readonly Entry[]): Markup {
  return html`<div class="scroll"><table>
<thead><tr><th>#</th><th>Received (UTC)</th><th>Issuer</th><th>Invoice</th><th>Date</th><th>Record</th><th>Total</th>
<th>State</th><th>Link</th><th>Fingerprint</th></tr></thead>
<tbody>${entries.map(rowOf)}</tbody>
</table></div>`;
}

function rowOf(entry: Entry): Markup {
  const kind = entry.amendment ? `${entry.kind} (subsanación)` : entry.kind;
  const reason = entry.code === null ? '' : `${entry.code} ${entry.description ?? ''}`;
  return html`<tr><td>${entry.sequence}</td><td>${entry.receivedAt.slice(0, 19).replace('T', ' ')}</td><td>${entry.nif}</td>
<td>${entry.number}</td><td>${entry.date}</td><td>${kind} ${entry.invoiceType}</td><td>${entry.total}</td>
<td><strong>${entry.state}</strong> ${reason}</td><td>${entry.link}</td><td class="mono">${entry.fingerprint}</td></tr>
`;
}
