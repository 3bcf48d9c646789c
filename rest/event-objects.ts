import { z } from 'zod';
import type { Context, ContextFactory } from '../src/faces/graphql/context.ts';
import { invoiceOperations } from '../src/faces/graphql/invoice-operations.ts';
import { isRefusal, type Outcome } from '../src/ground/errors/refusal.ts';
import { dayIn } from '../src/ground/lib/calendar.ts';
import { newId } from '../src/ground/lib/ids.ts';
import type { Services } from '../src/services.ts';
import type { Scope } from '../src/subjects/accounts/entry/caller.ts';
import { type Change, type InvoiceStateThen, stateAfter } from '../src/subjects/events/as-of.ts';
import type { Event, EventData, EventObjects } from '../src/subjects/events/event.ts';
import { type PaymentAsOf, paymentAsOf } from '../src/subjects/events/payment-as-of.ts';
import { changesOf, defaultsBegan } from '../src/subjects/events/read.ts';
import { RECIPIENT_STATUSES, STATUS_EVENTS } from '../src/subjects/payments/types.ts';
import { EMAIL_TYPES, RECIPIENT_STATUS_TYPES } from './event-schemas.ts';
import { dueOnShown, type InvoiceBody, invoiceBody } from './invoice-body.ts';

/** Invoices that are read together: other requests are served between two such groups. */
const PIECE = 10;

const READING = new Set(['read'] as const);

/**
 * The objects of events, in their REST form: read as the merchant would read them, and set back to their state at that
 * time. `pdf_url` is null: receivers of an event request a link when they need one.
 */
export function createEventObjects(
  { db, eventLoop }: Pick<Services, 'db' | 'eventLoop'>,
  createContext: ContextFactory,
  scopeOf: (environmentId: number) => Promise<Scope>,
): EventObjects {
  return async (environmentId, events) => {
    const ids = [...new Set(events.filter(isOfInvoice).map(({ subjectId }) => subjectId))];
    const [scope, changes, began] = await Promise.all([
      scopeOf(environmentId),
      ids.length > 0 ? changesOf(db, environmentId, ids) : new Map<string, readonly Change[]>(),
      events.some(isOfSeries) ? defaultsBegan(db, environmentId) : null,
    ]);
    const invoices = await readInvoices(eventLoop, createContext, scope, ids);
    if (isRefusal(invoices)) return invoices;
    const otherIds = [...invoices.values()]
      .flatMap(({ rectified_by }) => rectified_by.map((by) => by.invoice_id))
      .filter((id) => !changes.has(id));
    const ofOtherIds = otherIds.length > 0 ? await changesOf(db, environmentId, [...new Set(otherIds)]) : [];
    const byInvoice = new Map([...changes, ...ofOtherIds]);
    const data = events.map((event): [number, EventData] => [
      event.sequence,
      isOfInvoice(event)
        ? invoiceData(event, invoices.get(event.subjectId)!, byInvoice, scope)
        : { object: contentOf(event, began) },
    ]);
    return { environment: scope.environment, data: new Map(data) };
  };
}

/** The contents of entries, in the names of their canonical form; a member that had no value is absent. */
const anyContent = z.record(z.string(), z.unknown());
const recipientStatusContent = z.object({
  ...{ on: z.string(), told_on: z.string(), told_by: z.string().nullable().default(null) },
  reason: z.string().nullable().default(null),
});
const emailContent = z.object({
  ...{ email_id: z.string(), kind: z.string(), reason: z.string().nullable().default(null) },
});

const isOfSeries = ({ type }: Event): boolean => type.startsWith('number_series.');

/** What the journal stores of the object itself; a series in its REST form. */
function contentOf(event: Event, began: ReadonlyMap<string, Date> | null): object {
  const content = anyContent.parse(JSON.parse(event.content ?? '{}'));
  if (isOfEndpoint(event)) return endpointOf(content);
  if (!isOfSeries(event)) return content;
  const { id, prefix, type, yearly, imported, created_at } = content;
  // The first series of a type is its default from the start, and another one is chosen later; a default series is never
  // deleted.
  const first = typeof type === 'string' ? began?.get(type) : undefined;
  const isDefault =
    event.type === 'number_series.created' && imported !== true && created_at === first?.toISOString();
  return {
    ...{ id, prefix, type, yearly, is_default: isDefault },
    ...(imported === true ? { imported } : {}),
    created_at,
  };
}

const isOfEndpoint = ({ type }: Event): boolean => type === 'ping' || type === 'webhook_endpoint.disabled';

/** An endpoint in its REST form; if the journal stored only its address, only that. */
function endpointOf(content: Record<string, unknown>): object {
  if (content['status'] === undefined) return content;
  const { id, url, event_types, description = null, status, disabled_reason = null, created_at } = content;
  return { id, url, event_types, description, status, disabled_reason, created_at };
}

const isOfInvoice = ({ type }: Event): boolean => type.startsWith('invoice.');

async function readInvoices(
  eventLoop: Services['eventLoop'],
  createContext: ContextFactory,
  scope: Scope,
  ids: readonly string[],
): Promise<Outcome<ReadonlyMap<string, InvoiceBody>>> {
  const invoices = new Map<string, InvoiceBody>();
  for (let start = 0; start < ids.length; start += PIECE) {
    const piece = ids.slice(start, start + PIECE);
    const context = contextOf(createContext, scope);
    const answers = await Promise.all(piece.map((id) => invoiceOperations.get(context, { id })));
    for (const answer of answers) {
      if (isRefusal(answer)) return answer;
      const invoice = invoiceBody(answer, context);
      await eventLoop.waitIfLarge(scope.environmentId, invoice.line_items.length);
      invoices.set(invoice.id, invoice);
    }
    await new Promise(setImmediate);
  }
  return invoices;
}

/** Reads as a key of the environment with the scope `read` would. */
function contextOf(createContext: ContextFactory, scope: Scope): Context {
  return createContext({
    caller: {
      ...{ ...scope, kind: 'merchant', keyId: 'events', keyPrefix: 'events', scopes: READING },
      ...{ keyExpiresAt: null, accessToken: null },
    },
    requestId: newId('req'),
    bounded: false,
  });
}

function invoiceData(
  { subjectId, sequence, createdAt, type, content }: Event,
  invoice: InvoiceBody,
  changes: ReadonlyMap<string, readonly Change[]>,
  { environment, timeZone }: Scope,
): EventData {
  const own = changes.get(subjectId) ?? [];
  const now = stateAfter(own, sequence, environment);
  const payable = { ...invoice, dueOn: dueOnShown(invoice) };
  const object = {
    ...invoice,
    status: now.status,
    ...paymentAsOf(payable, now, dayIn(timeZone, createdAt)),
    pdf_url: null,
    verifactu: invoice.verifactu === null ? null : { ...invoice.verifactu, ...now.registration },
    rectified_by: invoice.rectified_by.filter(({ invoice_id: id }) => isIssuedBy(changes.get(id), sequence)),
  };
  const isFirst = own[0]?.sequence === sequence;
  const before = stateAfter(own, sequence - 1, environment);
  const previous = isFirst
    ? {}
    : {
        ...moved(before, now),
        ...paymentMoved(paymentAsOf(payable, before, dayIn(timeZone, createdAt)), object),
      };
  const data = { object, ...additionalData(type, content) };
  return Object.keys(previous).length === 0 ? data : { ...data, previous };
}

/** What an event contains in addition to the invoice. */
function additionalData(type: string, content: string | null): object {
  if (EMAIL_TYPES.includes(type)) return { email: emailOf(content) };
  return RECIPIENT_STATUS_TYPES.includes(type) ? { recipient_status: recipientStatusOf(type, content) } : {};
}

/** The status that the recipient has reported. */
function recipientStatusOf(type: string, content: string | null): object {
  const reported = recipientStatusContent.parse(JSON.parse(content ?? '{}'));
  const { on, told_on, told_by, reason: status_reason } = reported;
  const status = RECIPIENT_STATUSES.find((name) => STATUS_EVENTS[name] === type);
  const is_late = told_by !== null && told_on > told_by;
  return { status, on, told_on, told_by, is_late, status_reason };
}

/** The e-mail that was sent or has failed; its addresses are read from the list of e-mails. */
function emailOf(content: string | null): object {
  const { email_id: id, kind, reason } = emailContent.parse(JSON.parse(content ?? '{}'));
  return { id, kind, reason };
}

/** The previous values of the payment fields that changed; fields that did not exist then are omitted. */
function paymentMoved(before: PaymentAsOf, now: PaymentAsOf): Partial<PaymentAsOf> {
  const names = Object.keys(before) as (keyof PaymentAsOf)[];
  const changed = names.filter((name) => before[name] !== undefined && before[name] !== now[name]);
  return Object.fromEntries(changed.map((name) => [name, before[name]]));
}

const isIssuedBy = (changes: readonly Change[] | undefined, sequence: number): boolean =>
  changes?.[0] !== undefined && changes[0].sequence <= sequence;

/** The previous values of the fields that changed. */
function moved(before: InvoiceStateThen, now: InvoiceStateThen): object {
  const status = before.status === now.status ? {} : { status: before.status };
  if (before.registration === null || before.registration.status === now.registration?.status) return status;
  return { ...status, verifactu: before.registration };
}
