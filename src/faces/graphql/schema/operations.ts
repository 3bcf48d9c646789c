import { readFromStandby } from '../../../ground/db/standby/read-from.ts';
import { invalidField, Refusal } from '../../../ground/errors/refusal.ts';
import { CAUSE_NAMES } from '../../../ground/lib/causes.ts';
import { tasks } from '../../../ground/queue/tasks.ts';
import { type Verification, verifyEnvironment } from '../../../subjects/chain/verify.ts';
import { checkpointsOf } from '../../../subjects/journal/keep-checkpoints.ts';
import { historyOf, type Stretch } from '../../../subjects/operations/history.ts';
import { standingCauses } from '../../../subjects/operations/standing-causes.ts';
import type { VerificationState } from '../../../subjects/operations/store/read-lists.ts';
import { invoicesNumbered, NUMBERED } from '../../../subjects/operations/store/read-location.ts';
import {
  CAUSES,
  type ChainHealth,
  type DocumentsWaiting,
  documentsWaiting,
  type FailureCause,
  failuresByCause,
  type HoldComparison,
  type QueueHealth,
  queueHealth,
  type SendingIncident,
  sendingIncident,
} from '../../../subjects/operations/store/read-views.ts';
import type { ExpensiveOperation } from '../bounds.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { ChainHoldEnum, EnvironmentEnum } from './enums.ts';
import { FindingType } from './findings.ts';
import { Node } from './node-interface.ts';

/** What operators see and do about the sending of records, the chains and the queue. */

/** The cost of a view over all chains, records or jobs in addition to its rows; a query can contain twenty. */
export const READING_ALL = 1_000;

/** A verification that somebody waits for ends after this long, with what it has found by then. */
const VERIFY_MS = 10_000;

const SendingIncidentType = builder.objectRef<SendingIncident>('SendingIncident').implement({
  description:
    'An incident that delays sending records to the tax agency. It must be shown to the issuer while it lasts (Orden HAC/1177/2024 art. 16.4).',
  fields: (t) => ({
    since: t.expose('since', { type: 'DateTime' }),
    pendingRecords: t.exposeInt('pendingRecords', {
      description: 'Number of records that have not been sent yet.',
    }),
    oldestPendingAt: t.expose('oldestPendingAt', { type: 'DateTime' }),
  }),
});

builder.queryField('sendingIncident', (t) =>
  t.withAuth({ scope: 'read' }).field({
    type: SendingIncidentType,
    nullable: true,
    description: 'The incident of the key’s environment; null while records are sent normally.',
    resolve: (_root, _args, context) =>
      sendingIncident(context.services.db.pool, context.caller.environmentId),
  }),
);

const StandingCauseEnum = builder.enumType('StandingCause', {
  description:
    'What needs an operator within minutes. Log, doctor, console and alerts name it with the same sentence.',
  values: CAUSE_NAMES,
});

const QueueHealthType = builder.objectRef<QueueHealth>('QueueHealth').implement({
  description: 'The jobs of one kind.',
  fields: (t) => ({
    task: t.exposeString('task'),
    due: t.exposeInt('due'),
    scheduled: t.exposeInt('scheduled'),
    running: t.exposeInt('running'),
    givenUp: t.exposeInt('givenUp'),
    failing: t.exposeInt('failing'),
    oldestDueSeconds: t.exposeFloat('oldestDueSeconds'),
  }),
});

const HoldComparisonType = builder.objectRef<HoldComparison>('HoldComparison').implement({
  description: 'Progress of the comparison of a held chain with the agency.',
  fields: (t) => ({
    month: t.exposeString('month', { description: 'YYYY-MM: the month whose pages are being read.' }),
    pages: t.exposeInt('pages'),
    compared: t.exposeInt('compared', {
      description: 'Number of records that the agency has listed so far.',
    }),
    missing: t.exposeInt('missing', { description: 'Number of listed records that are missing here.' }),
    trouble: t.exposeString('trouble', {
      nullable: true,
      description: 'Why the last query to the agency failed; null if it did not fail.',
    }),
  }),
});

export const ChainHealthType = builder.objectRef<ChainHealth>('ChainHealth').implement({
  interfaces: [Node],
  description: 'The submission status of a live chain.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `chain_` and the number of the chain.',
      resolve: ({ chainId }) => `chain_${chainId}`,
    }),
    environmentId: t.exposeInt('environmentId'),
    chainId: t.exposeInt('chainId'),
    companyId: t.exposeID('companyId'),
    legalName: t.exposeString('legalName'),
    installationNumber: t.exposeString('installationNumber'),
    pending: t.exposeInt('pending'),
    parked: t.exposeInt('parked'),
    oldestPendingAt: t.expose('oldestPendingAt', { type: 'DateTime', nullable: true }),
    nextSendAt: t.expose('nextSendAt', {
      type: 'DateTime',
      description: 'The earliest time of the next envelope.',
    }),
    consecutiveFailures: t.exposeInt('consecutiveFailures'),
    sending: t.exposeBoolean('sending'),
    stoppedAt: t.expose('stoppedAt', { type: 'DateTime', nullable: true }),
    stoppedReason: t.exposeString('stoppedReason', { nullable: true }),
    pausedAt: t.expose('pausedAt', { type: 'DateTime', nullable: true }),
    pausedReason: t.exposeString('pausedReason', { nullable: true }),
    incidentSince: t.expose('incidentSince', { type: 'DateTime', nullable: true }),
    hold: t.expose('hold', { type: ChainHoldEnum, nullable: true }),
    heldAt: t.expose('heldAt', { type: 'DateTime', nullable: true }),
    comparison: t.expose('comparison', { type: HoldComparisonType, nullable: true }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
  }),
});

export const ChainHealthConnection = builder.connectionObject({
  type: ChainHealthType,
  name: 'ChainHealthConnection',
});

const FailureKindEnum = builder.enumType('FailureKind', {
  description: 'The failed step of registration.',
  values: {
    rejected: { description: 'Records that the agency refused.' },
    registered_with_errors: { description: 'Records that the agency accepted with errors.' },
    stopped: { description: 'Stopped chains.' },
  } as const,
});

const FailureCauseType = builder.objectRef<FailureCause>('FailureCause').implement({
  description:
    'Records that the agency refused or flagged and that have not been corrected since, or stopped chains.',
  fields: (t) => ({
    kind: t.expose('kind', { type: FailureKindEnum, description: 'The step that failed.' }),
    cause: t.exposeString('cause', {
      description:
        'The agency’s code, or of a stopped chain the first word of the reason; `none` without one.',
    }),
    count: t.exposeInt('count'),
    newestAt: t.expose('newestAt', { type: 'DateTime', nullable: true }),
    newestRecordId: t.exposeID('newestRecordId', { nullable: true }),
  }),
});

const DocumentsWaitingType = builder.objectRef<DocumentsWaiting>('DocumentsWaiting').implement({
  fields: (t) => ({
    waiting: t.exposeInt('waiting'),
    oldestSeconds: t.exposeFloat('oldestSeconds'),
  }),
});

const OperationsSpanEnum = builder.enumType('OperationsSpan', {
  description: 'The period of activity figures.',
  values: ['DAY', 'MONTH'] as const,
});

const OperationsStretchType = builder.objectRef<Stretch>('OperationsStretch').implement({
  description: 'Activity in an interval: half an hour of a day, or a day of a month.',
  fields: (t) => ({
    since: t.expose('since', { type: 'DateTime' }),
    issued: t.exposeInt('issued', { description: 'Number of invoices, including imported ones.' }),
    registered: t.exposeInt('registered', {
      description: 'Number of records settled, including those of test environments.',
    }),
    delivered: t.exposeInt('delivered', {
      description: 'Number of first attempts to deliver an event.',
    }),
    oldestUnsentSeconds: t.exposeInt('oldestUnsentSeconds', {
      description: 'The longest observed waiting time of a record, in seconds.',
    }),
    databaseBytes: t.exposeFloat('databaseBytes', {
      description: 'The size of the database on disk at the end of the interval.',
    }),
  }),
});

export const VerificationStateType = builder.objectRef<VerificationState>('VerificationState').implement({
  interfaces: [Node],
  description: 'The result of an environment’s last verification.',
  fields: (t) => ({
    id: t.id({
      description: 'The id: `ver_` and the number of the environment.',
      resolve: ({ environmentId }) => `ver_${environmentId}`,
    }),
    environmentId: t.exposeInt('environmentId'),
    environment: t.expose('environment', { type: EnvironmentEnum }),
    companyId: t.exposeID('companyId'),
    verifiedAt: t.expose('verifiedAt', { type: 'DateTime', nullable: true }),
    records: t.exposeInt('records', { nullable: true }),
    findings: t.exposeInt('findings'),
    lastSoundAt: t.expose('lastSoundAt', { type: 'DateTime', nullable: true }),
  }),
});

export const Operations = builder.objectRef<object>('Operations').implement({
  description: 'Operational figures for operators. Each field is read on request.',
  fields: (t) => ({
    queue: t.field({
      type: [QueueHealthType],
      complexity: { field: READING_ALL, multiplier: Object.keys(tasks).length },
      resolve: (_root, _args, { services }) => queueHealth(services.db.pool),
    }),
    failures: t.field({
      type: [FailureCauseType],
      complexity: { field: READING_ALL, multiplier: CAUSES },
      resolve: (_root, _args, { services }) => failuresByCause(services.db.pool),
    }),
    documents: t.field({
      type: DocumentsWaitingType,
      complexity: READING_ALL,
      resolve: (_root, _args, { services }) => documentsWaiting(services.db.pool),
    }),
    history: t.field({
      type: [OperationsStretchType],
      description: 'Activity of a day or a month, oldest first; intervals without samples are missing.',
      args: { span: t.arg({ type: OperationsSpanEnum, required: true }) },
      complexity: { field: READING_ALL, multiplier: 60 },
      resolve: (_root, { span }, { services }) => historyOf(services.db.pool, span),
    }),
    invoicesNumbered: t.idList({
      description:
        'The ids of the invoices with this number, of any company or of the one with the NIF: those of live environments first, then the newest, at most twenty.',
      args: {
        number: t.arg.string({ required: true, description: 'The whole number, as it is printed.' }),
        nif: t.arg.string({ description: 'The NIF of the company.' }),
      },
      complexity: { field: READING_ALL, multiplier: NUMBERED },
      resolve: (_root, { number, nif }, { services }) =>
        invoicesNumbered(services.db.pool, { number, nif: nif ?? null }),
    }),
    standingCauses: t.field({
      type: [StandingCauseEnum],
      description: 'What needs an operator now; empty while nothing does.',
      complexity: { field: READING_ALL, multiplier: 1 },
      resolve: (_root, _args, { services }) => standingCauses(services),
    }),
    sendingIncident: t.field({
      type: SendingIncidentType,
      nullable: true,
      description:
        'The incidents of all live environments together: since when, and how many records wait. Null while all records are sent normally.',
      resolve: (_root, _args, { services }) => sendingIncident(services.db.pool, null),
    }),
  }),
});

builder.queryField('operations', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: Operations,
    resolve: () => ({}),
  }),
);

const VerificationType = builder.objectRef<Verification>('ChainVerification').implement({
  fields: (t) => ({
    environmentId: t.exposeInt('environmentId'),
    records: t.exposeInt('records'),
    findingCount: t.exposeInt('findingCount'),
    findings: t.field({
      type: [FindingType],
      complexity: { multiplier: 100 },
      description: 'The first hundred findings.',
      resolve: (verification) => [...verification.findings],
    }),
    complete: t.exposeBoolean('complete', {
      description:
        'False if the time limit was reached before the end, or data older than the journal is still being written into it.',
    }),
    milliseconds: t.exposeInt('milliseconds'),
  }),
});

builder.queryField('verifyChain', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: VerificationType,
    description:
      'Verifies the chains of an environment, for at most ten seconds. `npm run verify-chain` verifies chains of any length.',
    args: { environmentId: t.arg.int({ required: true }) },
    extensions: { work: (): ExpensiveOperation => 'verification' },
    resolve: async (_root, { environmentId }, context) => {
      const { keyId } = context.caller;
      const { db, standby, semaphores, checkpoints } = context.services;
      const verification = await semaphores.verifying.within(keyId, async () => {
        const stored = await checkpointsOf(db, checkpoints, environmentId);
        const found = await readFromStandby({ db, standby }, null, ({ pool }) =>
          verifyEnvironment(pool, environmentId, { milliseconds: VERIFY_MS, ...stored }),
        );
        return found ?? invalidField('environmentId', 'not_found', 'there is no such environment');
      });
      const busy = 'Too many verifications wait already.';
      return valueOrThrow(
        verification ?? new Refusal('rate_limited', busy, { retryAfter: VERIFY_MS / 1_000 }),
      );
    },
  }),
);
