import { invalidField } from '../../../ground/errors/refusal.ts';
import { CONSISTENCY_FORMAT } from '../../../subjects/journal/consistency-file.ts';
import { proveInvoice } from '../../../subjects/journal/invoice-proof.ts';
import { type CheckpointNote, newestCheckpointNote } from '../../../subjects/journal/keep-checkpoints.ts';
import { verifierKey } from '../../../subjects/journal/note.ts';
import { proveConsistency } from '../../../subjects/journal/prove-consistency.ts';
import { builder } from '../builder.ts';
import { environmentArguments, environmentFromArguments } from '../environment.ts';
import { valueOrThrow } from '../errors.ts';
import { READS_NOTHING } from '../null-at-own-path.ts';
import { Invoice } from './invoice.ts';

/** Some two thousand hashes are read, and half as many made: as long as a hundred invoices take. So a query has a few. */
const PROOF_COST = 2_000;

builder.objectField(Invoice, 'proof', (t) =>
  t.field({
    type: 'JSON',
    nullable: true,
    complexity: PROOF_COST,
    description:
      'A proof of inclusion: the issued content, and that the newest checkpoint of the journal covers it. `lacre verify-proof` checks it without a database. Null until the first checkpoint after its issue; checkpoints are taken every night.',
    resolve: ({ invoice: { environment_id: environmentId, id: invoiceId } }, _args, { services }) =>
      proveInvoice(services.db.pool, services.checkpoints.signer, { environmentId, invoiceId }),
  }),
);

const Checkpoint = builder.objectRef<CheckpointNote>('Checkpoint').implement({
  description: 'A signed statement of the size and the Merkle root of an environment’s journal.',
  fields: (t) => ({
    origin: t.exposeString('origin', { description: 'The name of the journal: company and environment.' }),
    size: t.exposeInt('size', { description: 'Number of entries that the checkpoint covers.' }),
    root: t.exposeString('root', { description: 'The root of the Merkle tree over the entries, in base64.' }),
    note: t.exposeString('note', { description: 'The signed note (C2SP tlog-checkpoint).' }),
    takenAt: t.expose('takenAt', { type: 'DateTime' }),
    consistencyProof: t.field({
      type: 'JSON',
      complexity: PROOF_COST,
      description:
        'A proof that this checkpoint extends an earlier one whose note you have kept: no entry that the earlier one covers was changed or removed. `lacre verify-consistency` checks it without a database.',
      args: {
        since: t.arg.int({ required: true, description: 'The `size` of the earlier checkpoint.' }),
      },
      resolve: async ({ environmentId, size }, { since }, { services }) => {
        const proof = await proveConsistency(services.db.pool, environmentId, since);
        if (proof !== null) return { format: CONSISTENCY_FORMAT, proofs: [proof] };
        return valueOrThrow(
          invalidField('since', 'invalid_value', `must be the size of an earlier checkpoint, 1 to ${size}`),
        );
      },
    }),
    verifierKey: t.string({
      description: 'The public key with which anyone can verify the note: `<name>+<id>+<key>`.',
      extensions: READS_NOTHING,
      resolve: (_checkpoint, _args, { services }) => verifierKey(services.checkpoints.signer),
    }),
  }),
});

builder.queryField('checkpoint', (t) =>
  t.withAuth({ scope: 'read', role: 'viewer' }).field({
    type: Checkpoint,
    nullable: true,
    description:
      'The newest checkpoint of the environment’s journal; null before the first. A copy kept elsewhere later shows whether any entry that it covers was changed or removed.',
    args: { ...environmentArguments },
    resolve: async (_root, args, context) =>
      newestCheckpointNote(context.services.db, await environmentFromArguments(context, args)),
  }),
);
