import type { RecordView } from '../../../subjects/invoices/view.ts';
import { SUBMISSION_OUTCOMES, type SubmissionOutcome } from '../../../subjects/registration/outcome.ts';
import { builder } from '../builder.ts';
import { prismaRowOf } from '../prisma-row.ts';
import { errorOf, type Verifactu } from '../shown-invoice.ts';
import { RecordKindEnum, RegistrationStatusEnum } from './enums.ts';
import { Node } from './node-interface.ts';

const VerifactuError = builder.objectRef<NonNullable<Verifactu['error']>>('VerifactuError').implement({
  description: 'The agency’s message, verbatim in Spanish.',
  fields: (t) => ({
    code: t.exposeString('code', { nullable: true }),
    message: t.exposeString('message', { nullable: true }),
  }),
});

export const VerifactuType = builder.objectRef<Verifactu>('Verifactu').implement({
  description: 'The status of the registration at the tax agency.',
  fields: (t) => ({
    status: t.expose('status', { type: RegistrationStatusEnum }),
    hash: t.exposeString('hash', {
      description: 'The fingerprint of the record sealed when the invoice was issued.',
    }),
    qrUrl: t.exposeString('qrUrl', { description: 'The content of the document’s QR code.' }),
    error: t.expose('error', { type: VerifactuError, nullable: true }),
  }),
});

const SubmissionOutcomeEnum = builder.enumType('SubmissionOutcome', {
  description: 'The result of an envelope.',
  values: {
    processed: { description: 'The agency has answered for each record.' },
    incomplete: { description: 'The agency has answered for some of the records.' },
    content_fault: { description: 'One record makes the envelope fail: it is located and parked.' },
    issuer_fault: {
      description: 'The agency does not know the issuer, or has no mandate from it: the chain stops.',
    },
    suspended: { description: 'The agency has suspended the access: all sending stops.' },
    technical_fault: { description: 'A failure at the agency: the envelope is sent again.' },
    not_sent: { description: 'The envelope was not sent.' },
    unknown: { description: 'It was sent, but no answer was received.' },
    unreadable: { description: 'An unintelligible answer was received.' },
  } as const satisfies Record<SubmissionOutcome, object>,
});

export const SubmissionType = builder.prismaObject('Submission', {
  select: {},
  interfaces: [Node],
  description: 'An envelope sent to the agency, with its answer.',
  fields: (t) => ({
    id: t.exposeID('id'),
    chainId: t.exposeInt('chainId'),
    firstPosition: t.exposeInt('firstPosition'),
    lastPosition: t.exposeInt('lastPosition'),
    recordCount: t.exposeInt('recordCount'),
    incident: t.exposeBoolean('incident', { description: 'Whether it declared an incident (Incidencia).' }),
    startedAt: t.expose('startedAt', { type: 'DateTime' }),
    finishedAt: t.expose('finishedAt', { type: 'DateTime', nullable: true }),
    outcome: t.field({
      type: SubmissionOutcomeEnum,
      nullable: true,
      description: 'The result; null while it is in progress.',
      select: { outcome: true },
      resolve: ({ outcome }) => SUBMISSION_OUTCOMES.find((known) => known === outcome) ?? null,
    }),
    faultCode: t.exposeString('faultCode', { nullable: true }),
    message: t.exposeString('message', {
      nullable: true,
      description:
        'The agency’s message, or why there was no usable answer; null unless the envelope failed.',
    }),
    receipt: t.exposeString('receipt', {
      nullable: true,
      description: 'The agency’s code (CSV); null if it has not processed the envelope.',
    }),
  }),
});

export const RegistrationRecordType = builder.objectRef<RecordView>('RegistrationRecord').implement({
  interfaces: [Node],
  description: 'A record that was or will be sent to the agency.',
  fields: (t) => ({
    id: t.exposeID('id'),
    kind: t.expose('kind', { type: RecordKindEnum }),
    position: t.exposeInt('position', { description: 'The position in the chain, from 1.' }),
    // A record's text is some kilobytes.
    xml: t.exposeString('xml', { complexity: 10 }),
    hash: t.exposeString('fingerprint'),
    previousHash: t.exposeString('previous_fingerprint', { nullable: true }),
    generatedAt: t.field({ type: 'DateTime', resolve: (record) => new Date(record.generated_at) }),
    status: t.expose('status', { type: RegistrationStatusEnum }),
    error: t.field({
      type: VerifactuError,
      nullable: true,
      description:
        'The agency’s error for this record; null unless it refused it or accepted it with errors.',
      resolve: errorOf,
    }),
    chainId: t.exposeInt('chain_id'),
    invoiceId: t.exposeID('invoice_id'),
    attempts: t.exposeInt('attempts', { description: 'Number of times that it was sent.' }),
    parkedReason: t.exposeString('parked_reason', {
      nullable: true,
      description: 'Why it was parked; null if it was not.',
    }),
    receipt: t.exposeString('receipt', {
      nullable: true,
      description:
        'The agency’s code (CSV) for the envelope in which it accepted the record; null if no answer said so.',
    }),
    settledAt: t.field({
      type: 'DateTime',
      nullable: true,
      resolve: ({ settled_at }) => (settled_at === null ? null : new Date(settled_at)),
    }),
    submission: t.prismaField({
      type: SubmissionType,
      nullable: true,
      description:
        'The last envelope in which it was sent; null before the first, and once the agency is known not to have received it.',
      resolve: (query, { environment_id: environmentId, submission_id: id }, _args, context) =>
        id === null ? null : prismaRowOf(context, 'Submission', query, { environmentId, id }),
    }),
  }),
});
