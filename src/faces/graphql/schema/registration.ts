import { dayOfDate } from '../../../ground/lib/calendar.ts';
import type { Caller } from '../../../subjects/accounts/authenticate.ts';
import { qrUrl } from '../../../subjects/chain/qr-url.ts';
import type { IssuerSnapshot } from '../../../subjects/invoices/rows.ts';
import { builder } from '../builder.ts';
import type { Context } from '../context.ts';
import { RecordKindEnum, RegistrationStatusEnum } from './enums.ts';

type Verifactu = {
  status: (typeof RegistrationStatusEnum)['$inferType'];
  hash: string;
  qrUrl: string;
  error: { code: string | null; message: string | null } | null;
};

const VerifactuError = builder.objectRef<NonNullable<Verifactu['error']>>('VerifactuError').implement({
  description: 'What the agency said, verbatim and in Spanish.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: true }),
    message: t.exposeString('message', { nullable: true }),
  }),
});

export const VerifactuType = builder.objectRef<Verifactu>('Verifactu').implement({
  description: 'Where the registration at the tax agency stands.',
  fields: (t) => ({
    status: t.expose('status', { type: RegistrationStatusEnum }),
    hash: t.exposeString('hash', {
      description: 'Fingerprint of the record sealed when the invoice was issued.',
    }),
    qrUrl: t.exposeString('qrUrl', { description: 'What the QR code of the document holds.' }),
    error: t.expose('error', { type: VerifactuError, nullable: true }),
  }),
});

export const SubmissionType = builder.prismaObject('Submission', {
  select: {},
  description: 'An envelope that was sent to the agency, and what came back.',
  fields: (t) => ({
    id: t.exposeID('id'),
    chainId: t.exposeInt('chainId'),
    firstPosition: t.exposeInt('firstPosition'),
    lastPosition: t.exposeInt('lastPosition'),
    recordCount: t.exposeInt('recordCount'),
    incident: t.exposeBoolean('incident', { description: 'Whether it told of an incident (Incidencia).' }),
    startedAt: t.expose('startedAt', { type: 'Timestamp' }),
    finishedAt: t.expose('finishedAt', { type: 'Timestamp', nullable: true }),
    outcome: t.exposeString('outcome', {
      nullable: true,
      description:
        'processed, incomplete, content_fault, issuer_fault, suspended, technical_fault, not_sent, unknown or unreadable; null while it is on its way.',
    }),
    faultCode: t.exposeString('faultCode', { nullable: true }),
    message: t.exposeString('message', {
      nullable: true,
      description: "The agency's words, or why it could not be reached.",
    }),
    receipt: t.exposeString('receipt', { nullable: true, description: 'CSV of the agency.' }),
  }),
});

const STATE = {
  status: true,
  errorCode: true,
  errorMessage: true,
  attempts: true,
  parkedReason: true,
  receipt: true,
  settledAt: true,
} as const;

export const RegistrationRecordType = builder.prismaObject('RegistrationRecord', {
  select: {},
  description: 'A record as it was, or will be, sent to the agency.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: RecordKindEnum }),
    position: t.exposeInt('position', { description: 'Its place in the chain, from 1.' }),
    // A record's text is some kilobytes.
    xml: t.exposeString('xml', { extensions: { values: 100 } }),
    hash: t.exposeString('fingerprint'),
    previousHash: t.exposeString('previousFingerprint', { nullable: true }),
    generatedAt: t.expose('generatedAt', { type: 'Timestamp' }),
    status: t.field({
      type: RegistrationStatusEnum,
      select: { state: { select: { status: true } } },
      resolve: (record) => record.state?.status ?? 'pending',
    }),
    error: t.field({
      type: VerifactuError,
      nullable: true,
      description: 'What the agency had against this record.',
      select: { state: { select: { status: true, errorCode: true, errorMessage: true } } },
      resolve: (record) => errorOf(record.state),
    }),
    chainId: t.exposeInt('chainId'),
    invoiceId: t.exposeID('invoiceId'),
    attempts: t.int({
      description: 'How often it was sent.',
      select: { state: { select: STATE } },
      resolve: ({ state }) => state?.attempts ?? 0,
    }),
    parkedReason: t.string({
      nullable: true,
      description: 'Why it was taken out of the way; null unless it was.',
      select: { state: { select: STATE } },
      resolve: ({ state }) => state?.parkedReason ?? null,
    }),
    receipt: t.string({
      nullable: true,
      description: 'CSV of the envelope with which the agency took it.',
      select: { state: { select: STATE } },
      resolve: ({ state }) => state?.receipt ?? null,
    }),
    settledAt: t.field({
      type: 'Timestamp',
      nullable: true,
      select: { state: { select: STATE } },
      resolve: ({ state }) => state?.settledAt ?? null,
    }),
    submission: t.field({
      type: SubmissionType,
      nullable: true,
      description: 'The last envelope that it was sent in.',
      select: { state: { select: { ...STATE, submission: true } } },
      resolve: (record) => record.state?.submission ?? null,
    }),
  }),
});

/** What of the records an invoice shows; the same selection for `verifactu` and `records`, so that one read serves both. */
export const RECORDS = {
  orderBy: [{ chainId: 'asc' }, { position: 'asc' }],
  select: {
    kind: true,
    fingerprint: true,
    state: { select: { status: true, errorCode: true, errorMessage: true } },
  },
} as const;

type EnvironmentColumns = { kind: Caller['environment']; companyId: string };

/** A merchant's key says of which environment all is that it reads; an operator's reads of any. */
export function environmentColumns(context: Context) {
  const columns = { environment: { select: { kind: true, companyId: true } } } as const;
  return (context.caller?.kind === 'merchant' ? {} : columns) as typeof columns;
}

export function environmentOf(
  invoice: { environment?: EnvironmentColumns | null },
  { caller }: Context,
): EnvironmentColumns {
  if (caller?.kind === 'merchant') return { kind: caller.environment, companyId: caller.companyId };
  if (invoice.environment) return invoice.environment;
  throw new Error('an invoice was read without its environment');
}

type RecordStateColumns = {
  status: Verifactu['status'];
  errorCode: string | null;
  errorMessage: string | null;
};

type VerifactuSource = {
  number: string;
  issuedOn: Date;
  total: bigint;
  issuer: unknown;
  environment?: EnvironmentColumns | null;
  records: {
    kind: 'registration' | 'cancellation';
    fingerprint: string;
    state: RecordStateColumns | null;
  }[];
};

/** The hash is that of the record sealed at issue; the status that of the newest record of the invoice. */
export function verifactuOf(invoice: VerifactuSource, context: Context): Verifactu | null {
  const records = invoice.records.filter((record) => record.kind === 'registration');
  const first = records[0];
  const newest = records.at(-1);
  if (first === undefined || newest === undefined) return null;
  return {
    status: newest.state!.status,
    hash: first.fingerprint,
    qrUrl: qrUrl({
      base: context.services.qrBases[environmentOf(invoice, context).kind],
      nif: (invoice.issuer as IssuerSnapshot).nif,
      number: invoice.number,
      issuedOn: dayOfDate(invoice.issuedOn),
      total: Number(invoice.total),
    }),
    error: errorOf(newest.state),
  };
}

function errorOf(state: RecordStateColumns | null): Verifactu['error'] {
  if (state?.status !== 'rejected' && state?.status !== 'registered_with_errors') return null;
  const { errorCode: code, errorMessage: message } = state;
  return code === null && message === null ? null : { code, message };
}
