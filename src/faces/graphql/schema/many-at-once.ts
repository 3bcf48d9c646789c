import { type BulkChange, CHANGED_AT_ONCE } from '../../../ground/db/many-at-once.ts';
import { retryChains, unparkRecords } from '../../../subjects/operations/together.ts';
import { builder } from '../builder.ts';
import { valueOrThrow } from '../errors.ts';

export const BulkChangeType = builder.objectRef<BulkChange>('BulkChange').implement({
  description:
    'What an operation on all that match found and changed. It names none of them: read again what a page shows of them.',
  fields: (t) => ({
    matching: t.exposeInt('matching', { description: 'How many match.' }),
    changed: t.exposeInt('changed', { description: 'How many of them were changed; 0 with `dryRun`.' }),
    again: t.exposeBoolean('again', {
      description: 'Whether more match than are changed at once, so that it has to be repeated.',
    }),
  }),
});

export const DRY_RUN = 'Only count those that match, and change nothing.';

const MANY = {
  retryChains: [
    retryChains,
    'Retries all live chains that failed or stopped and match',
    'Only chains whose reason to be stopped contains this, in upper or lower case.',
  ],
  unparkRecords: [
    unparkRecords,
    'Returns all parked records that match to those that are sent',
    'Only records whose reason to be parked contains this, in upper or lower case.',
  ],
} as const;

for (const [name, [work, description, ofCause]] of Object.entries(MANY)) {
  builder.mutationField(name, (t) =>
    t.withAuth({ role: 'operator' }).field({
      type: BulkChangeType,
      description: `${description}: at most ${CHANGED_AT_ONCE}, those that waited longest. The actor and the reason are kept in the audit log with each.`,
      args: {
        cause: t.arg.string({ description: ofCause }),
        companyId: t.arg.id({ description: 'Only those of this company.' }),
        dryRun: t.arg.boolean({ description: DRY_RUN }),
        reason: t.arg.string({ required: true }),
      },
      resolve: async (_root, { cause, companyId, dryRun, reason }, context): Promise<BulkChange> => {
        const filter = { cause: cause ?? null, companyId: companyId ?? null };
        const by = { actor: context.caller.keyId, reason };
        return valueOrThrow<BulkChange>(
          await work(context.services.db, by, { filter, dryRun: dryRun ?? false }),
        );
      },
    }),
  );
}
