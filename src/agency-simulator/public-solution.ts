import { createHash } from 'node:crypto';
import {
  type Handler,
  JSON_BODY_LIMIT,
  readBody,
  refuseBody,
  send,
  sendJson,
  sendMethodNotAllowed,
} from './http.ts';
import { childOf, childrenOf, escaped, MalformedXml, parseXml, textAt, type XmlElement } from './xml.ts';

/**
 * The public solution of electronic invoices by our own reading of Orden HAC/1028/2026: it takes invoices as UBL and statuses as
 * ApplicationResponse, each under an id of the sender, and returns the statuses of recipients. The real one's interface is not published.
 * Everything is in memory.
 */

/** A document is no larger than an invoice of 1,000 lines in UBL. */
const DOCUMENT_LIMIT = 4 * 1_024 * 1_024;

/** The oldest is forgotten beyond them. */
const MAX_MESSAGES = 10_000;

type Invoice = {
  readonly message: string;
  readonly number: string;
  readonly issuer: string;
  readonly recipient: string;
  readonly statuses: string[];
};

type Answer = { readonly code: 'AP' | 'RE'; readonly reason: string | null };

type Status = {
  readonly sequence: number;
  readonly issuer: string;
  readonly invoice: string;
  readonly code: 'PAYMENT' | 'REJECTION';
  readonly on: string;
  readonly reason: string | null;
};

const PREFIX = '/public-solution';

const COMMON = 'urn:oasis:names:specification:ubl:schema:xsd';

/** What may follow what of the issuer's statuses. */
const FOLLOWS: ReadonlyMap<string, readonly (string | null)[]> = new Map([
  ['SETTLEMENT', [null, 'CANCELSETTLEMENT', 'CANCELDEFAULT']],
  ['DEFAULT', [null, 'CANCELSETTLEMENT', 'CANCELDEFAULT']],
  ['CANCELSETTLEMENT', ['SETTLEMENT']],
  ['CANCELDEFAULT', ['DEFAULT']],
]);

/** The simulator's paths of the public solution; their caller decides who has access. */
export function publicSolution({ now }: { readonly now: () => Date }): [path: string, handler: Handler][] {
  const state = new ExchangeState(now);
  return [
    [`${PREFIX}/invoices`, documents(state, (id, root) => state.takeInvoice(id, root))],
    [`${PREFIX}/statuses`, statuses(state)],
    [`${PREFIX}/received.json`, (_request, response) => sendJson(response, 200, state.received())],
    [`${PREFIX}/_recipient`, recipient(state)],
  ];
}

class ExchangeState {
  readonly #answers = new Map<string, { readonly digest: string; readonly answer: Answer }>();
  readonly #invoices = new Map<string, Invoice>();
  /** What recipients have reported, oldest first. */
  readonly #reported: Status[] = [];
  /** Starts at the present time, so that it is higher after a restart than before. */
  #sequence: number;
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
    this.#sequence = now().getTime();
  }

  get today(): string {
    return this.#now().toISOString().slice(0, 10);
  }

  /** Takes a document once: the same under the same id is answered as before. */
  once(id: string, bytes: Buffer, take: () => Answer): Answer {
    const digest = createHash('sha256').update(bytes).digest('hex');
    const known = this.#answers.get(id);
    if (known !== undefined) {
      return known.digest === digest ? known.answer : { code: 'RE', reason: 'another document had this id' };
    }
    const answer = take();
    this.#answers.set(id, { digest, answer });
    dropOldest(this.#answers);
    return answer;
  }

  takeInvoice(message: string, root: XmlElement): Answer {
    if (!isRoot(root, 'Invoice') && !isRoot(root, 'CreditNote'))
      return { code: 'RE', reason: 'no UBL invoice' };
    const number = textAt(root, 'ID');
    const issuer = nifOf(root, 'AccountingSupplierParty');
    const recipientNif = nifOf(root, 'AccountingCustomerParty');
    if (number === null || issuer === null || recipientNif === null) {
      return { code: 'RE', reason: 'an invoice names its number, its issuer and its recipient' };
    }
    this.#invoices.set(message, { message, number, issuer, recipient: recipientNif, statuses: [] });
    dropOldest(this.#invoices);
    return { code: 'AP', reason: null };
  }

  takeStatus(_id: string, root: XmlElement): Answer {
    if (!isRoot(root, 'ApplicationResponse')) return { code: 'RE', reason: 'no ApplicationResponse' };
    const answered = childOf(root, 'DocumentResponse');
    const code = textAt(answered, 'Response', 'ResponseCode') ?? '';
    const invoice = this.#invoices.get(textAt(answered, 'DocumentReference', 'UUID') ?? '');
    if (invoice === undefined) return { code: 'RE', reason: 'the invoice is not known' };
    const allowed = FOLLOWS.get(code);
    if (allowed === undefined) return { code: 'RE', reason: `no status ${code}` };
    const last = invoice.statuses.at(-1) ?? null;
    if (!allowed.includes(last))
      return { code: 'RE', reason: `${code} does not follow ${last ?? 'nothing'}` };
    invoice.statuses.push(code);
    return { code: 'AP', reason: null };
  }

  /** Records a status that the recipient of an invoice reports; false when there is no such invoice. */
  report(message: string, status: Pick<Status, 'code' | 'on' | 'reason'>): boolean {
    const invoice = this.#invoices.get(message);
    if (invoice === undefined) return false;
    this.#sequence += 1;
    this.#reported.push({ sequence: this.#sequence, issuer: invoice.issuer, invoice: message, ...status });
    if (this.#reported.length > MAX_MESSAGES) this.#reported.shift();
    return true;
  }

  /** The first status reported of an issuer's invoices after a position. */
  next(issuer: string, after: number): Status | null {
    return this.#reported.find((one) => one.issuer === issuer && one.sequence > after) ?? null;
  }

  received(): readonly Invoice[] {
    return [...this.#invoices.values()];
  }
}

function dropOldest(entries: Map<string, unknown>): void {
  if (entries.size > MAX_MESSAGES) entries.delete(entries.keys().next().value!);
}

const isRoot = (root: XmlElement, name: string): boolean =>
  root.name === name && root.namespace === `${COMMON}:${name}-2`;

/** Of an issuer the number under LOC (BT-32), else that of VAT; of a recipient its registration (BT-47), else the same. */
function nifOf(root: XmlElement, role: string): string | null {
  const party = childOf(childOf(root, role), 'Party');
  const taxed = childrenOf(party, 'PartyTaxScheme');
  const local = taxed.find((scheme) => textAt(scheme, 'TaxScheme', 'ID') === 'LOC') ?? taxed[0];
  const number = textAt(party, 'PartyLegalEntity', 'CompanyID') ?? textAt(local, 'CompanyID');
  return number === null ? null : number.replace(/^ES/, '');
}

function documents(state: ExchangeState, take: (id: string, root: XmlElement) => Answer): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
    const bytes = await readBody(request, DOCUMENT_LIMIT);
    if (!Buffer.isBuffer(bytes)) return refuseBody(response, bytes);
    const id = String(request.headers['message-id'] ?? '');
    if (!/^[\w-]{1,64}$/.test(id)) return sendJson(response, 400, { error: 'message-id is missing' });
    const answer = state.once(id, bytes, () => {
      const root = parseXml(bytes.toString('utf8').replace(/\r\n?/g, '\n'));
      return root instanceof MalformedXml ? { code: 'RE', reason: root.reason } : take(id, root);
    });
    sendDocument(response, state.today, {
      id: `answer-${id}`,
      code: answer.code,
      reason: answer.reason,
      on: null,
      message: id,
    });
  };
}

function statuses(state: ExchangeState): Handler {
  const take = documents(state, (id, root) => state.takeStatus(id, root));
  return (request, response, url) => {
    if (request.method !== 'GET') return take(request, response, url);
    const after = Number(url.searchParams.get('after') ?? 0);
    const status = state.next(url.searchParams.get('issuer') ?? '', after);
    if (status === null) return send(response, 204, 'text/plain; charset=utf-8', '');
    const { sequence, code, reason, on, invoice: message } = status;
    sendDocument(
      response,
      state.today,
      { id: `status-${sequence}`, code, reason, on, message },
      { sequence: String(sequence) },
    );
  };
}

function sendDocument(
  response: Parameters<Handler>[1],
  today: string,
  status: { id: string; code: string; reason: string | null; on: string | null; message: string },
  headers: Record<string, string> = {},
): void {
  const description =
    status.reason === null ? '' : `<cbc:Description>${escaped(status.reason)}</cbc:Description>`;
  const effective = status.on === null ? '' : `<cbc:EffectiveDate>${escaped(status.on)}</cbc:EffectiveDate>`;
  const body = `<?xml version="1.0" encoding="UTF-8"?>
<ApplicationResponse xmlns="${COMMON}:ApplicationResponse-2" xmlns:cac="${COMMON}:CommonAggregateComponents-2" xmlns:cbc="${COMMON}:CommonBasicComponents-2">
<cbc:ID>${escaped(status.id)}</cbc:ID><cbc:IssueDate>${today}</cbc:IssueDate>
<cac:DocumentResponse><cac:Response><cbc:ResponseCode>${status.code}</cbc:ResponseCode>${description}${effective}</cac:Response>
<cac:DocumentReference><cbc:ID>${escaped(status.message)}</cbc:ID><cbc:UUID>${escaped(status.message)}</cbc:UUID></cac:DocumentReference></cac:DocumentResponse>
</ApplicationResponse>
`;
  send(response, 200, 'application/xml; charset=utf-8', body, headers);
}

/** Takes a status that a recipient reports: `{ "invoice": message, "status": "paid"|"rejected", "on", "reason"? }`. */
function recipient(state: ExchangeState): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
    const bytes = await readBody(request, JSON_BODY_LIMIT);
    if (!Buffer.isBuffer(bytes)) return refuseBody(response, bytes);
    const received = readReported(bytes);
    if (received === null) return sendJson(response, 400, { error: 'invoice, status, on and reason' });
    const { invoice, ...status } = received;
    const known = state.report(invoice, status);
    sendJson(response, known ? 200 : 404, { recorded: known });
  };
}

function readReported(bytes: Buffer): (Pick<Status, 'code' | 'on' | 'reason'> & { invoice: string }) | null {
  try {
    const { invoice, status, on, reason = null } = JSON.parse(bytes.toString()) as Record<string, unknown>;
    const isText = (value: unknown): value is string => typeof value === 'string' && value.length <= 500;
    if (!isText(invoice) || !isText(on) || !(reason === null || isText(reason))) return null;
    if (status !== 'paid' && status !== 'rejected') return null;
    return { invoice, code: status === 'paid' ? 'PAYMENT' : 'REJECTION', on, reason };
  } catch {
    return null;
  }
}
