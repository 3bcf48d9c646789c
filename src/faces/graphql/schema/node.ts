import { brandWithType } from '@pothos/core';
import { invalidField, isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { findAuditEntry } from '../../../ground/journal/store/audit-log.ts';
import { invoiceOfLine } from '../../../ground/lib/ids.ts';
import { findAccount } from '../../../subjects/accounts/store/read-companies.ts';
import { type Environment, findEnvironment } from '../../../subjects/accounts/store/read-environments.ts';
import { findKey } from '../../../subjects/accounts/store/read-keys.ts';
import { findClock } from '../../../subjects/accounts/test-clock.ts';
import { findBatch } from '../../../subjects/batches/accept-batch.ts';
import { placeOfResult } from '../../../subjects/batches/request.ts';
import { readItem } from '../../../subjects/batches/store/read-batches.ts';
import { findCertificate } from '../../../subjects/certificates/manage.ts';
import { readCustomerById } from '../../../subjects/customers/store/read-customers.ts';
import { readIntegration } from '../../../subjects/customers/store/read-integrations.ts';
import { findDraft } from '../../../subjects/drafts/drafts.ts';
import { findSchedule } from '../../../subjects/drafts/schedules.ts';
import { findEmail } from '../../../subjects/emails/send-invoice.ts';
import { isInvoiceId } from '../../../subjects/invoices/list.ts';
import { readRecord } from '../../../subjects/invoices/reader.ts';
import { findJob } from '../../../subjects/operations/store/read-jobs.ts';
import { findVerification } from '../../../subjects/operations/store/read-lists.ts';
import { locateResource } from '../../../subjects/operations/store/read-location.ts';
import { chainHealthOf } from '../../../subjects/operations/store/read-views.ts';
import { isPaymentId } from '../../../subjects/payments/request.ts';
import { readPayment } from '../../../subjects/payments/store/read-payments.ts';
import { findDelivery } from '../../../subjects/webhooks/deliveries.ts';
import { findEndpoint } from '../../../subjects/webhooks/endpoints.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { refusedError, valueOrThrow } from '../errors.ts';
import { loadersOf } from '../loaders.ts';
import { AllowedOriginsType, shownOrigins } from './access.ts';
import { ClientCertificate } from './certificates.ts';
import { AccountType, accountOf, CompanyType, EnvironmentType } from './companies.ts';
import { CompanyBranding, shownBranding } from './company-branding.ts';
import { InvoiceDraft } from './drafts.ts';
import { EmailSettingsType, shownEmailSettings } from './email-settings.ts';
import { InvoiceEmail } from './emails.ts';
import { EventType, findOneEvent } from './events.ts';
import { CustomerType, IntegrationType } from './integrations.ts';
import { Invoice, LineItem } from './invoice.ts';
import { InvoiceBatch, InvoiceBatchResult } from './invoice-batches.ts';
import { JobType, jobNumber } from './jobs.ts';
import { KeyType } from './keys.ts';
import { Node } from './node-interface.ts';
import { NumberSeries } from './number-series.ts';
import { ChainHealthType, VerificationStateType } from './operations.ts';
import { AuditEntryType } from './operators.ts';
import { PaymentType } from './payments.ts';
import { RegistrationRecordType, SubmissionType } from './registration.ts';
import { InvoiceSchedule } from './schedules.ts';
import { findCatalogRow, TaxCatalogRow } from './tax-catalog.ts';
import { TestClockType } from './test-clock.ts';
import { shownTrustedDocuments, TrustedDocumentsType } from './trusted-documents.ts';
import { WebhookDelivery, WebhookEndpoint } from './webhooks.ts';

/** Finding anything by its id: a merchant what is its environment's, an operator anything. */

/** What of the caller decides what is found: the environment of a merchant, or of an operator null. */
type Reach = { readonly environmentId: number | null; readonly companyId: string | null };

type Finding = (context: Context, id: string, reach: Reach) => Promise<object | null>;

/** Looked for in the caller's environment, or for an operator in the one that it is in. */
function within(
  find: (context: Context, environmentId: number, id: string) => Promise<object | null>,
): Finding {
  return async (context, id, reach) => {
    const { db } = context.services;
    const environmentId = reach.environmentId ?? (await locateResource(db.pool, id))?.environmentId;
    return environmentId === undefined ? null : find(context, environmentId, id);
  };
}

/** The property by which GraphQL recognises the type of a value. */
type Brand = Parameters<typeof brandWithType>[1];

const orNull = <Found extends object>(found: Found | Refusal): Found | null =>
  isRefusal(found) ? null : found;

/** By the beginning of the id. */
const FINDINGS: Readonly<Record<string, readonly [type: Brand, find: Finding]>> = {
  inv: [
    Invoice,
    async ({ services }, id, { environmentId }) =>
      // What a fragment asks of it is not known before it is found.
      isInvoiceId(id) ? services.readInvoice(environmentId, id, 'whole') : null,
  ],
  ili: [
    LineItem,
    async ({ services }, id, { environmentId }) => {
      const invoiceId = invoiceOfLine(id);
      const invoice = invoiceId === null ? null : await services.readInvoice(environmentId, invoiceId);
      return invoice?.lines?.find((line) => line.id === id) ?? null;
    },
  ],
  ns: [
    NumberSeries,
    within(async (context, environmentId, id) => {
      const series = await loadersOf(context).series(environmentId, id);
      return series === null ? null : { ...series, environmentId };
    }),
  ],
  int: [
    IntegrationType,
    within(({ services }, environmentId, id) => readIntegration(services.db.pool, environmentId, id)),
  ],
  cus: [
    CustomerType,
    within(({ services }, environmentId, id) => readCustomerById(services.db.pool, environmentId, id)),
  ],
  bat: [
    InvoiceBatch,
    within(async ({ services }, environmentId, id) =>
      orNull(await findBatch(services.db, environmentId, id)),
    ),
  ],
  bar: [
    InvoiceBatchResult,
    async ({ services: { db } }, id, reach) => {
      const location = placeOfResult(id);
      if (location === null) return null;
      const environmentId =
        reach.environmentId ?? (await locateResource(db.pool, location.batchId))?.environmentId;
      return environmentId === undefined ? null : readItem(db.pool, environmentId, location);
    },
  ],
  eml: [InvoiceEmail, within(({ services }, environmentId, id) => findEmail(services.db, environmentId, id))],
  whe: [
    WebhookEndpoint,
    within(async ({ services }, environmentId, id) =>
      orNull(await findEndpoint(services.db, environmentId, id)),
    ),
  ],
  dft: [
    InvoiceDraft,
    within(async ({ services }, environmentId, id) =>
      orNull(await findDraft(services.db, environmentId, id)),
    ),
  ],
  sch: [
    InvoiceSchedule,
    within(async ({ services }, environmentId, id) =>
      orNull(await findSchedule(services.db, environmentId, id)),
    ),
  ],
  rec: [
    RegistrationRecordType,
    async ({ services }, id, { environmentId }) => {
      const record = await readRecord(services.db, id);
      return environmentId === null || record?.environment_id === environmentId ? record : null;
    },
  ],
  sub: [
    SubmissionType,
    within(({ services }, environmentId, id) =>
      services.db.prisma.submission.findUnique({ where: { environmentId_id: { environmentId, id } } }),
    ),
  ],
  pay: [
    PaymentType,
    ({ services }, id, { environmentId }) =>
      isPaymentId(id) ? readPayment(services.db.pool, environmentId, id) : Promise.resolve(null),
  ],
  evt: [
    EventType,
    async (context, id, { environmentId }) =>
      environmentId === null ? null : findOneEvent(context, environmentId, id),
  ],
  acc: [
    AccountType,
    async (context, id, { companyId }) => {
      if (companyId === null) return findAccount(context.services.db.pool, id);
      const own = await loadersOf(context).company(companyId);
      return own?.accountId === id ? accountOf(own) : null;
    },
  ],
  co: [
    CompanyType,
    async (context, id, { companyId }) =>
      companyId === null || companyId === id ? loadersOf(context).company(id) : null,
  ],
  whd: [
    WebhookDelivery,
    within(({ services }, environmentId, id) => findDelivery(services.db, environmentId, id)),
  ],
  env: [EnvironmentType, ofEnvironment(async (_context, environment) => environment)],
  ems: [EmailSettingsType, ofEnvironment((context, { id }) => shownEmailSettings(context, id))],
  ori: [AllowedOriginsType, ofEnvironment((context, { id }) => shownOrigins(context, id))],
  trd: [TrustedDocumentsType, ofEnvironment((context, { id }) => shownTrustedDocuments(context, id))],
  clk: [
    TestClockType,
    ofEnvironment(async ({ services }, { id: environmentId, kind: environment }) => {
      const found = orNull(await findClock(services.db, { environmentId, environment }));
      return found === null ? null : { ...found, environmentId };
    }),
  ],
  brd: [
    CompanyBranding,
    async (context, id, reach) => {
      const companyId = id.slice('brd_'.length);
      return reach.companyId === null || reach.companyId === companyId
        ? shownBranding(context, companyId)
        : null;
    },
  ],
  tcr: [TaxCatalogRow, forOperators(findCatalogRow)],
  key: [KeyType, forOperators(({ services }, id) => findKey(services.db.pool, id))],
  opk: [KeyType, forOperators(({ services }, id) => findKey(services.db.pool, id))],
  cert: [ClientCertificate, forOperators(({ services }, id) => findCertificate(services, id))],
  aud: [AuditEntryType, forOperators(({ services }, id) => findAuditEntry(services.db.pool, id))],
  job: [JobType, forOperators(({ services }, id) => findJob(services.db.pool, jobNumber(id)))],
  chain: [
    ChainHealthType,
    forOperators(({ services }, id) => numbered(id, (n) => chainHealthOf(services.db.pool, n))),
  ],
  ver: [
    VerificationStateType,
    forOperators(({ services }, id) => numbered(id, (n) => findVerification(services.db.pool, n))),
  ],
};

/** What an id names by the number behind its prefix; null for an id without one. */
function numbered<Found>(id: string, find: (number: number) => Promise<Found | null>): Promise<Found | null> {
  const digits = /^[a-z]+_(\d{1,9})$/.exec(id)?.[1];
  return digits === undefined ? Promise.resolve(null) : find(Number(digits));
}

/** An environment, or what it has one of, by an id with its number: a merchant's own, or for an operator any. */
function ofEnvironment(
  find: (context: Context, environment: Environment) => Promise<object | null>,
): Finding {
  return async (context, id, { environmentId }) => {
    const environment = await numbered(id, (number) =>
      environmentId === null || environmentId === number
        ? findEnvironment(context.services.db.pool, number)
        : Promise.resolve(null),
    );
    return environment === null ? null : find(context, environment);
  };
}

/** Whatever only operators can list. */
function forOperators(find: (context: Context, id: string) => Promise<object | null>): Finding {
  return async (context, id, { environmentId }) => (environmentId === null ? find(context, id) : null);
}

const UNKNOWN = new Refusal('not_found', 'Nothing of this id can be found.');

async function found(context: Context, id: string): Promise<object | Error> {
  const { caller } = context;
  const reach: Reach = caller?.kind === 'merchant' ? caller : { environmentId: null, companyId: null };
  const finding = FINDINGS[id.slice(0, Math.max(0, id.indexOf('_')))];
  const value = finding === undefined ? null : await finding[1](context, id, reach);
  if (finding === undefined || value === null) return refusedError(UNKNOWN);
  brandWithType(value, finding[0]);
  return value;
}

/** A page’s worth. */
const MAX_NODES = 100;

builder.queryFields((t) => ({
  node: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: Node,
    complexity: 10,
    description: 'Any object by its id; `not_found` if it does not exist or the key has no access to it.',
    args: { id: t.arg.id({ required: true, description: 'The id.' }) },
    resolve: async (_root, { id }, context) => {
      const value = await found(context, id);
      if (value instanceof Error) throw value;
      return value;
    },
  }),
  nodes: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: [Node],
    nullable: { list: false, items: true },
    complexity: ({ ids }) => ({ field: 10, multiplier: Math.max(1, ids.length) }),
    description: `Several objects by their ids, at most ${MAX_NODES}, in the order of the ids: null with an error for each that is not found.`,
    args: { ids: t.arg.idList({ required: true, description: 'The ids.' }) },
    resolve: (_root, { ids }, context) => {
      if (ids.length > MAX_NODES) {
        return valueOrThrow<never>(invalidField('ids', 'too_big', `must have at most ${MAX_NODES} elements`));
      }
      return ids.map(async (id) => {
        const value = await found(context, id);
        if (value instanceof Error) throw value;
        return value;
      });
    },
  }),
}));
