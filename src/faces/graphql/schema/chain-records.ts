import { invalidField, Refusal } from '../../../ground/errors/refusal.ts';
import { type InspectedRecord, type Inspection, inspectChain } from '../../../subjects/chain/inspect.ts';
import { readRecord } from '../../../subjects/invoices/reader.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';
import { pageCost } from '../paging.ts';
import { RecordKindEnum, RegistrationStatusEnum } from './enums.ts';
import { FindingType } from './findings.ts';
import { ChainHealthType } from './operations.ts';
import { RegistrationRecordType, SubmissionType } from './registration.ts';

/** Single records, for operators: along a chain with what holds, and the last envelope they went in. */

const ChainStepType = builder.objectRef<InspectedRecord>('ChainStep').implement({
  description: 'A record of a chain, verified against the preceding record.',
  fields: (t) => ({
    recordId: t.exposeID('recordId'),
    position: t.exposeInt('position'),
    kind: t.expose('kind', { type: RecordKindEnum }),
    invoiceId: t.exposeID('invoiceId'),
    number: t.exposeString('number', { nullable: true }),
    status: t.expose('status', { type: RegistrationStatusEnum, nullable: true }),
    generatedAt: t.expose('generatedAt', { type: 'DateTime' }),
    hash: t.exposeString('fingerprint'),
    previousHash: t.exposeString('previousFingerprint', { nullable: true }),
    linkHolds: t.exposeBoolean('linkHolds', { description: 'Whether it refers to the preceding record.' }),
    fingerprintHolds: t.exposeBoolean('fingerprintHolds', {
      description: 'Whether its fingerprint matches its content.',
    }),
    timeHolds: t.exposeBoolean('timeHolds', {
      description: 'Whether its time is not before that of the preceding record.',
    }),
    findings: t.field({
      type: [FindingType],
      description: 'All findings about the record, including those of the three checks above.',
      // Every field that is sealed may differ, and there are some twenty.
      complexity: { multiplier: 20 },
      resolve: ({ findings }) => [...findings],
    }),
  }),
});

const ChainStretchType = builder.objectRef<Inspection>('ChainStretch').implement({
  fields: (t) => ({
    chainId: t.exposeInt('chainId'),
    environmentId: t.exposeInt('environmentId'),
    installationNumber: t.exposeString('installationNumber'),
    lastPosition: t.exposeInt('lastPosition', {
      description: 'The highest position in the chain; 0 if it has no records.',
    }),
    closedAt: t.expose('closedAt', { type: 'DateTime', nullable: true }),
    records: t.field({
      type: [ChainStepType],
      // The stretch counts its records already.
      complexity: { multiplier: 1 },
      resolve: ({ records }) => [...records],
    }),
  }),
});

const STRETCH = { default: 25, max: 200 };
/** The cost of verifying one record, in addition to its fields: its text is read and generated again. */
const VERIFYING = 20;

builder.queryField('chainRecords', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: ChainStretchType,
    description: `Consecutive records of a chain from a position on, each verified by the checks of \`verifyChain\`. \`first\` is 1 to ${STRETCH.max}, ${STRETCH.default} by default.`,
    args: {
      chainId: t.arg.int({ required: true }),
      from: t.arg.int({ description: 'The first position; default 1.' }),
      first: t.arg.int(),
    },
    complexity: ({ first }) => {
      const { multiplier } = pageCost({ first }, STRETCH);
      return { field: VERIFYING * multiplier, multiplier };
    },
    resolve: async (_root, { chainId, from, first: requested }, context) => {
      const count = requested ?? STRETCH.default;
      if (count < 1 || count > STRETCH.max) {
        return valueOrThrow<Inspection>(invalidField('first', 'out_of_range', `must be 1 to ${STRETCH.max}`));
      }
      if (from != null && from < 1) {
        return valueOrThrow<Inspection>(invalidField('from', 'out_of_range', 'must be at least 1'));
      }
      const found = await inspectChain(context.services.db.pool, chainId, { from: from ?? 1, count });
      return valueOrThrow(found ?? invalidField('chainId', 'not_found', 'there is no such chain'));
    },
  }),
);

builder.queryField('registrationRecord', (t) =>
  t.withAuth({ role: 'viewer' }).field({
    type: RegistrationRecordType,
    description: 'One record by its id.',
    args: { id: t.arg.id({ required: true }) },
    resolve: async (_root, { id }, context) => {
      const none = new Refusal('invalid_request', 'There is no record of this id.');
      // Postgres takes no null character in a text.
      if (!/^rec_\w+$/.test(id)) return valueOrThrow<never>(none);
      return valueOrThrow((await readRecord(context.services.db, id)) ?? none);
    },
  }),
);

builder.objectField(ChainHealthType, 'lastSubmission', (t) =>
  t.prismaField({
    type: SubmissionType,
    nullable: true,
    // One statement for each chain: Prisma would join look-ups by key, and each chain is of another environment.
    resolve: (query, { environmentId, chainId }, _args, { services }) =>
      services.db.prisma.submission.findFirst({
        ...query,
        where: { environmentId, chainId },
        orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
      }),
  }),
);
