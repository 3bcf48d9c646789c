import { invalidField } from '../../../ground/errors/refusal.ts';
import {
  firstRows,
  listChains,
  listFailedRecords,
  listParkedRecords,
  listVerifications,
} from '../../../subjects/operations/store/read-lists.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { pageCost } from '../paging.ts';
import { FailedRecordType, ParkedRecordType } from './operation-lists.ts';
import { ChainHealthType, Operations, READING_ALL, VerificationStateType } from './operations.ts';
import { SubmissionType } from './registration.ts';

/** The same lists as they were before they were connections: their first rows. */

const PAGE = { default: 50, max: 500 };
const first = { description: `Maximum number of items: 1 to ${PAGE.max}, default ${PAGE.default}.` };

type PageArgs = { readonly first?: number | null | undefined };

function sizeOf({ first: requested }: PageArgs): number {
  const size = requested ?? PAGE.default;
  if (size >= 1 && size <= PAGE.max) return size;
  return valueOrThrow<number>(invalidField('first', 'out_of_range', `must be 1 to ${PAGE.max}`));
}

const costOfRows = ({ first }: PageArgs) => pageCost({ first }, PAGE);
const costOfView = (args: PageArgs) => ({ ...costOfRows(args), field: READING_ALL });

builder.objectFields(Operations, (t) => ({
  chains: t.field({
    type: [ChainHealthType],
    description:
      'Chains with pending records, or with `troubled` those that need attention; for one company all its live chains.',
    deprecationReason: 'Use `chainList`.',
    args: { first: t.arg.int(first), troubled: t.arg.boolean(), companyId: t.arg.id() },
    complexity: costOfView,
    resolve: (_root, args, { services }) => {
      const filter = { troubled: args.troubled ?? false, companyId: args.companyId ?? null };
      return firstRows(listChains(services.db.pool, filter), sizeOf(args));
    },
  }),
  failedRecords: t.field({
    type: [FailedRecordType],
    description: 'Records that were refused, then those accepted with errors, newest first.',
    deprecationReason: 'Use `failedRecordList`.',
    args: { first: t.arg.int(first), companyId: t.arg.id() },
    complexity: costOfRows,
    resolve: (_root, args, { services }) =>
      firstRows(listFailedRecords(services.db.pool, args.companyId ?? null), sizeOf(args)),
  }),
  parkedRecords: t.field({
    type: [ParkedRecordType],
    deprecationReason: 'Use `parkedRecordList`.',
    args: { first: t.arg.int(first) },
    complexity: costOfView,
    resolve: (_root, args, { services }) => firstRows(listParkedRecords(services.db.pool), sizeOf(args)),
  }),
  submissions: t.prismaField({
    type: [SubmissionType],
    description: 'The envelopes of a chain, newest first.',
    deprecationReason: 'Use `submissionList`.',
    args: { chainId: t.arg.int({ required: true }), first: t.arg.int(first) },
    complexity: costOfRows,
    resolve: (query, _root, { chainId, ...args }, { services }) =>
      services.db.prisma.submission.findMany({
        ...query,
        ...{ where: { chainId }, orderBy: [{ startedAt: 'desc' }, { id: 'desc' }] },
        take: sizeOf(args),
      }),
  }),
  verifications: t.field({
    type: [VerificationStateType],
    deprecationReason: 'Use `verificationList`.',
    args: { first: t.arg.int(first), companyId: t.arg.id() },
    complexity: costOfView,
    resolve: (_root, args, { services }) =>
      firstRows(listVerifications(services.db.pool, args.companyId ?? null), sizeOf(args)),
  }),
}));
