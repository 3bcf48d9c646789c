import { brandWithType } from '@pothos/core';
import { queryFromInfo } from '@pothos/plugin-prisma';
import type { GraphQLResolveInfo } from 'graphql';
import type PrismaTypes from '../../../../generated/pothos.ts';
import { invalidField, isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { isOfEnvironment } from '../../../ground/journal/audit-log.ts';
import { invoiceOfLine } from '../../../ground/lib/ids.ts';
import type { Environment } from '../../../subjects/accounts/store/read-environments.ts';
import { findClock } from '../../../subjects/accounts/test-clock.ts';
import { placeOfResult } from '../../../subjects/batches/request.ts';
import { isInvoiceId } from '../../../subjects/invoices/list.ts';
import { isPaymentId } from '../../../subjects/payments/request.ts';
import { builder } from '../builder.ts';
import { chargeInvoices } from '../charged-rows.ts';
import type { Context } from '../context.ts';
import { refusedError, valueOrThrow } from '../errors.ts';
import { loadersOf } from '../loaders.ts';
import { nodeLoadersOf } from '../node-loaders.ts';
import { refusalFor } from '../permissions.ts';
import { prismaRowOf } from '../prisma-row.ts';
import { AllowedOriginsType, shownOrigins } from './access.ts';
import { ApprovalType } from './approvals.ts';
import { AuditEntryType } from './audit-log.ts';
import { ClientCertificate } from './certificates.ts';
import { AccountType, CompanyType, EnvironmentType } from './companies.ts';
import { CompanyBranding, shownBranding } from './company-branding.ts';
import { CustomerType } from './customers.ts';
import { InvoiceDraft } from './drafts.ts';
import { EmailSettingsType, shownEmailSettings } from './email-settings.ts';
import { InvoiceEmail } from './emails.ts';
import { EventType, findOneEvent } from './events.ts';
import { IntegrationType } from './integrations.ts';
import { Invoice, LineItem } from './invoice.ts';
import { InvoiceBatch, InvoiceBatchResult } from './invoice-batches.ts';
import { JobType, jobNumber } from './jobs.ts';
import { KeyType } from './keys.ts';
import { Node } from './node-interface.ts';
import { NumberSeries } from './number-series.ts';
import { ChainHealthType, VerificationStateType } from './operations.ts';
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

type Finding = (
  context: Context,
  id: string,
  reach: Reach,
  info: GraphQLResolveInfo,
) => Promise<object | null>;

/** Looked for in the caller's environment, or for an operator in the one that it, or what it is part of, is in. */
function within(
  find: (
    context: Context,
    environmentId: number,
    id: string,
    info: GraphQLResolveInfo,
  ) => Promise<object | null>,
  partOf: (id: string) => string | null = (id) => id,
): Finding {
  return async (context, id, reach, info) => {
    const located = partOf(id);
    if (located === null) return null;
    const environmentId = reach.environmentId ?? (await nodeLoadersOf(context).environmentOf(located));
    return environmentId === null ? null : find(context, environmentId, id, info);
  };
}

/** A row, as far as it is selected: else Prisma's plugin reads that when a field is asked for. */
const row = (model: keyof PrismaTypes): Finding =>
  within((context, environmentId, id, info) =>
    prismaRowOf(context, model, selectedOf(model, context, info), { environmentId, id }),
  );

/** What is selected of a row: else Prisma's plugin reads that when a field is asked for. */
function selectedOf(typeName: keyof PrismaTypes, context: Context, info: GraphQLResolveInfo): object {
  return queryFromInfo({ context, info, typeName });
}

type Kind = keyof ReturnType<typeof nodeLoadersOf>['inEnvironment'];

const loaded = (kind: Kind, partOf?: (id: string) => string | null): Finding =>
  within(
    (context, environmentId, id) => nodeLoadersOf(context).inEnvironment[kind](environmentId, id),
    partOf,
  );

/** The property by which GraphQL recognises the type of a value. */
type Brand = Parameters<typeof brandWithType>[1];

const orNull = <Found extends object>(found: Found | Refusal): Found | null =>
  isRefusal(found) ? null : found;

/** By the beginning of the id. */
const FINDINGS = new Map<string, readonly [type: Brand, find: Finding]>(
  Object.entries({
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
    int: [IntegrationType, row('Integration')],
    cus: [CustomerType, row('Customer')],
    bat: [InvoiceBatch, row('InvoiceBatch')],
    bar: [InvoiceBatchResult, loaded('batchResult', (id) => placeOfResult(id)?.batchId ?? null)],
    eml: [InvoiceEmail, loaded('email')],
    whe: [WebhookEndpoint, row('WebhookEndpoint')],
    whd: [WebhookDelivery, row('WebhookDelivery')],
    dft: [InvoiceDraft, row('InvoiceDraft')],
    sch: [InvoiceSchedule, row('InvoiceSchedule')],
    rec: [RegistrationRecordType, loaded('record')],
    sub: [SubmissionType, row('Submission')],
    pay: [PaymentType, loaded('payment', (id) => (isPaymentId(id) ? id : null))],
    evt: [
      EventType,
      async (context, id, { environmentId }) =>
        environmentId === null ? null : findOneEvent(context, environmentId, id),
    ],
    acc: [
      AccountType,
      (context, id, { companyId }, info) => {
        const own = companyId === null ? {} : { companies: { some: { id: companyId } } };
        return context.services.db.prisma.account.findUnique({
          ...selectedOf('Account', context, info),
          where: { id, ...own },
        });
      },
    ],
    co: [
      CompanyType,
      async (context, id, { companyId }, info) =>
        companyId === null || companyId === id
          ? context.services.db.prisma.company.findUnique({
              ...selectedOf('Company', context, info),
              where: { id },
            })
          : null,
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
    brd: [CompanyBranding, ofEnvironment((context, { id }) => shownBranding(context, id))],
    tcr: [
      TaxCatalogRow,
      async (context, id, { companyId }) => {
        const found = await findCatalogRow(context, id);
        return companyId === null || found?.companyId === companyId ? found : null;
      },
    ],
    key: [KeyType, forOperators((context, id) => nodeLoadersOf(context).key(id))],
    opk: [KeyType, forOperators((context, id) => nodeLoadersOf(context).key(id))],
    cert: [ClientCertificate, forOperators((context, id) => nodeLoadersOf(context).certificate(id))],
    aud: [
      AuditEntryType,
      async (context, id, reach) => {
        const found = await nodeLoadersOf(context).auditEntry(id);
        if (found === null || reach.environmentId === null) return found;
        const isOwn = found.environmentId === reach.environmentId && isOfEnvironment(found.actor);
        return isOwn && refusalFor(context, { scope: 'manage' }) === null ? found : null;
      },
    ],
    apr: [ApprovalType, forOperators((context, id) => nodeLoadersOf(context).approval(id))],
    job: [
      JobType,
      forOperators(async (context, id) =>
        /^job_\d{1,18}$/.test(id) ? nodeLoadersOf(context).job(jobNumber(id)) : null,
      ),
    ],
    chain: [
      ChainHealthType,
      forOperators((context, id) => numbered(id, (n) => nodeLoadersOf(context).chain(String(n)))),
    ],
    ver: [
      VerificationStateType,
      forOperators((context, id) => numbered(id, (n) => nodeLoadersOf(context).verification(n, id))),
    ],
  }),
);

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
        ? loadersOf(context).environment(number)
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

/** The form of every id. */
const IS_ID = /^[a-z]+_[\w-]{1,100}$/;

async function found(context: Context, id: string, info: GraphQLResolveInfo): Promise<object | Error> {
  const { caller } = context;
  const reach: Reach = caller?.kind === 'merchant' ? caller : { environmentId: null, companyId: null };
  // Ids that are looked for together must not make each other’s statement fail.
  const finding = IS_ID.test(id) ? FINDINGS.get(id.slice(0, id.indexOf('_'))) : undefined;
  const value = finding === undefined ? null : await finding[1](context, id, reach, info);
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
    resolve: async (_root, { id }, context, info) => {
      if (isInvoiceId(id)) await chargeInvoices(context, info, [id]);
      const value = await found(context, id, info);
      if (value instanceof Error) throw value;
      return value;
    },
  }),
  nodes: t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: [Node],
    nullable: { list: false, items: true },
    // Too many cost as much as the most, so that the refusal names them.
    complexity: ({ ids }) => ({ field: 10, multiplier: Math.min(MAX_NODES, Math.max(1, ids.length)) }),
    description: `Several objects by their ids, at most ${MAX_NODES}, in the order of the ids: null with an error for each that is not found.`,
    args: { ids: t.arg.idList({ required: true, description: 'The ids.' }) },
    resolve: async (_root, { ids }, context, info) => {
      if (ids.length > MAX_NODES) {
        return valueOrThrow<never>(invalidField('ids', 'too_big', `must have at most ${MAX_NODES} elements`));
      }
      await chargeInvoices(context, info, ids.filter(isInvoiceId));
      return ids.map(async (id) => {
        const value = await found(context, id, info);
        if (value instanceof Error) throw value;
        return value;
      });
    },
  }),
}));
