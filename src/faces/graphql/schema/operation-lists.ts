import {
  type FailedRecord,
  listChains,
  listFailedRecords,
  listParkedRecords,
  listVerifications,
  type ParkedRecord,
} from '../../../subjects/operations/store/read-lists.ts';
import { locateChain } from '../../../subjects/operations/store/read-location.ts';
import { builder } from '../builder.ts';
import { connectionOf, namesOf } from '../connections.ts';
import { type ConnectionArguments, pageCost } from '../paging.ts';
import { prismaListOf } from '../prisma-list.ts';
import { RecordKindEnum, RegistrationStatusEnum } from './enums.ts';
import {
  ChainHealthConnection,
  ChainHealthType,
  Operations,
  READING_ALL,
  VerificationStateType,
} from './operations.ts';
import { SubmissionType } from './registration.ts';

/** Lists for operators that may be long, as connections. */

const PAGE = { default: 50, max: 500 };
const SIZES = `\`first\` and \`last\` are 1 to ${PAGE.max}, ${PAGE.default} by default.`;

/** The list is over a view of everything, whatever the page. */
const costOfView = (args: ConnectionArguments) => ({ ...pageCost(args, PAGE), field: READING_ALL });

const FailedRecordType = builder.objectRef<FailedRecord>('FailedRecord').implement({
  description: 'A record that the agency refused or flagged and that has not been corrected since.',
  fields: (t) => ({
    recordId: t.exposeID('recordId'),
    environmentId: t.exposeInt('environmentId'),
    companyId: t.exposeID('companyId'),
    legalName: t.exposeString('legalName'),
    chainId: t.exposeInt('chainId'),
    position: t.exposeInt('position'),
    kind: t.expose('kind', { type: RecordKindEnum }),
    invoiceId: t.exposeID('invoiceId'),
    number: t.exposeString('number'),
    status: t.expose('status', { type: RegistrationStatusEnum }),
    code: t.exposeString('code', { nullable: true }),
    message: t.exposeString('message', {
      nullable: true,
      description: 'The agency’s message; null if it stated none.',
    }),
    settledAt: t.expose('settledAt', { type: 'DateTime', nullable: true }),
  }),
});

const ParkedRecordType = builder.objectRef<ParkedRecord>('ParkedRecord').implement({
  description: 'A parked record.',
  fields: (t) => ({
    recordId: t.exposeID('recordId'),
    environmentId: t.exposeInt('environmentId'),
    companyId: t.exposeID('companyId'),
    legalName: t.exposeString('legalName'),
    chainId: t.exposeInt('chainId'),
    position: t.exposeInt('position'),
    kind: t.expose('kind', { type: RecordKindEnum }),
    invoiceId: t.exposeID('invoiceId'),
    number: t.exposeString('number'),
    generatedAt: t.expose('generatedAt', { type: 'DateTime' }),
    attempts: t.exposeInt('attempts'),
    reason: t.exposeString('parkedReason'),
  }),
});

const LATEST_FIRST = [
  ['startedAt', 'desc'],
  ['id', 'desc'],
] as const;

builder.objectFields(Operations, (t) => ({
  chainList: t.connection(
    {
      type: ChainHealthType,
      description: `Chains with pending records, or with \`troubled\` those that need attention; for one company all its live chains. The longest waiting come first. ${SIZES}`,
      args: { troubled: t.arg.boolean(), companyId: t.arg.id() },
      complexity: costOfView,
      resolve: (_root, { troubled, companyId, ...paging }, context) => {
        const filter = { troubled: troubled ?? false, companyId: companyId ?? null };
        return connectionOf(context, paging, listChains(context.services.db.pool, filter), {
          ...{ idOf: ({ chainId }) => String(chainId), filter: { troubled, companyId }, bounds: PAGE },
        });
      },
    },
    ChainHealthConnection,
  ),
  failedRecordList: t.connection(
    {
      type: FailedRecordType,
      description: `Records that were refused, then those accepted with errors, newest first. ${SIZES}`,
      args: { companyId: t.arg.id() },
      complexity: costOfView,
      resolve: (_root, { companyId, ...paging }, context) =>
        connectionOf(context, paging, listFailedRecords(context.services.db.pool, companyId ?? null), {
          ...{ idOf: ({ recordId }) => recordId, filter: { companyId }, bounds: PAGE },
        }),
    },
    ...namesOf('FailedRecord'),
  ),
  parkedRecordList: t.connection(
    {
      type: ParkedRecordType,
      description: `Parked records, oldest first. ${SIZES}`,
      complexity: costOfView,
      resolve: (_root, paging, context) =>
        connectionOf(context, paging, listParkedRecords(context.services.db.pool), {
          ...{ idOf: ({ recordId }) => recordId, bounds: PAGE },
        }),
    },
    ...namesOf('ParkedRecord'),
  ),
  submissionList: t.connection(
    {
      type: SubmissionType,
      description: `The envelopes of a chain, the newest first. ${SIZES}`,
      args: { chainId: t.arg.int({ required: true }) },
      complexity: (args) => pageCost(args, PAGE),
      resolve: async (_root, { chainId, ...paging }, context, info) => {
        const located = await locateChain(context.services.db.pool, chainId);
        // Of a chain that does not exist there are none.
        const where = located === null ? { OR: [] } : { environmentId: located.environmentId, chainId };
        return prismaListOf(context, info, paging, {
          ...{ model: 'Submission', where, order: LATEST_FIRST, bounds: PAGE },
        });
      },
    },
    ...namesOf('Submission'),
  ),
  verificationList: t.connection(
    {
      type: VerificationStateType,
      description: `Environments whose last verification has findings, then those whose verification is oldest. ${SIZES}`,
      args: { companyId: t.arg.id() },
      complexity: costOfView,
      resolve: (_root, { companyId, ...paging }, context) =>
        connectionOf(context, paging, listVerifications(context.services.db.pool, companyId ?? null), {
          ...{ idOf: ({ environmentId }) => String(environmentId), filter: { companyId }, bounds: PAGE },
        }),
    },
    ...namesOf('VerificationState'),
  ),
}));
