import type { Outcome } from '../../../ground/errors/refusal.ts';
import type { ActorAndReason } from '../../../ground/journal/audit-log.ts';
import { findEnvironment } from '../../../subjects/accounts/store/read-environments.ts';
import { readRecord } from '../../../subjects/invoices/reader.ts';
import { park, pause, resume, retry, unpark } from '../../../subjects/operations/controls.ts';
import {
  checkAfterRestore,
  type NewInstallation,
  openNewInstallation,
} from '../../../subjects/operations/installation.ts';
import { listHeldChains } from '../../../subjects/operations/store/read-lists.ts';
import { chainHealthOf } from '../../../subjects/operations/store/read-views.ts';
import type { ChainKey, Jump } from '../../../subjects/registration/shapes.ts';
import { builder } from '../builder.ts';
import { connectionOf } from '../connections.ts';
import { valueOrThrow } from '../errors.ts';
import { GRAPHQL_LIMITS } from '../limits.ts';
import { OPERATORS_PAGE, pageCost } from '../paging.ts';
import type { AuthContexts } from '../permissions.ts';
import { EnvironmentType } from './companies.ts';
import { ChainHealthConnection, ChainHealthType, READING_ALL } from './operations.ts';
import { RegistrationRecordType } from './registration.ts';

/** What operators do to chains and their records. */

/** A chain, and the record of it that something was done to. */
type ChangedChain = ChainKey & { readonly recordId?: string };

const ChainReference = builder.objectRef<ChangedChain>('ChainReference').implement({
  fields: (t) => ({
    chain: t.field({
      type: ChainHealthType,
      nullable: true,
      complexity: READING_ALL,
      description: 'The chain’s current status; null in a test environment, which sends nothing.',
      resolve: ({ chainId }, _args, { services }) => chainHealthOf(services.db.pool, chainId),
    }),
    record: t.field({
      type: RegistrationRecordType,
      nullable: true,
      description: 'The record in its current state; null if the operation concerned the chain itself.',
      resolve: ({ recordId }, _args, { services }) =>
        recordId === undefined ? null : readRecord(services.db, recordId),
    }),
    environmentId: t.exposeInt('environmentId'),
    chainId: t.exposeInt('chainId'),
  }),
});

function actorAndReason({ caller }: AuthContexts['role'], reason: string): ActorAndReason {
  return { actor: caller.keyId, reason };
}

const CHAIN_OPERATIONS = {
  retryChain: [retry, 'Retries a failed or stopped chain as soon as the agency’s waiting time allows.'],
  pauseChain: [pause, 'Pauses the submission of a chain until it is resumed.'],
  resumeChain: [resume, 'Resumes the submission of a paused chain.'],
} as const;

for (const [name, [work, description]] of Object.entries(CHAIN_OPERATIONS)) {
  builder.mutationField(name, (t) =>
    t.withAuth({ role: 'operator' }).field({
      type: ChainReference,
      description: `${description} The actor and the reason are kept in the audit log.`,
      args: { chainId: t.arg.int({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: async (_root, { chainId, reason }, context): Promise<ChainKey> =>
        valueOrThrow<ChainKey>(await work(context.services.db, chainId, actorAndReason(context, reason))),
    }),
  );
}

const RECORD_OPERATIONS = {
  parkRecord: [park, 'Parks a pending record, so that the others can be sent.'],
  unparkRecord: [unpark, 'Returns a parked record to those that are sent.'],
} as const;

for (const [name, [work, description]] of Object.entries(RECORD_OPERATIONS)) {
  builder.mutationField(name, (t) =>
    t.withAuth({ role: 'operator' }).field({
      type: ChainReference,
      description: `${description} The actor and the reason are kept in the audit log.`,
      args: { recordId: t.arg.id({ required: true }), reason: t.arg.string({ required: true }) },
      resolve: async (_root, { recordId, reason }, context): Promise<ChangedChain> => ({
        ...valueOrThrow<ChainKey>(await work(context.services.db, recordId, actorAndReason(context, reason))),
        recordId,
      }),
    }),
  );
}

const CounterJumpType = builder.objectRef<Jump>('CounterJump').implement({
  fields: (t) => ({
    seriesId: t.exposeID('seriesId'),
    year: t.exposeInt('year'),
    from: t.exposeInt('from'),
    to: t.exposeInt('to'),
  }),
});

const NewInstallationType = builder.objectRef<NewInstallation>('NewInstallation').implement({
  fields: (t) => ({
    environment: t.field({
      type: EnvironmentType,
      description: 'The environment in its current state.',
      resolve: async ({ environmentId }, _args, { services }) => {
        const environment = await findEnvironment(services.db.pool, environmentId);
        if (environment === null) throw new Error('the environment of a new installation is gone');
        return environment;
      },
    }),
    chain: t.field({
      type: ChainHealthType,
      nullable: true,
      complexity: READING_ALL,
      description: 'The new chain; null in a test environment, which sends nothing.',
      resolve: ({ chainId }, _args, { services }) => chainHealthOf(services.db.pool, chainId),
    }),
    closedChain: t.field({
      type: ChainHealthType,
      nullable: true,
      complexity: READING_ALL,
      description: 'The closed chain, as long as it has records to be sent; otherwise null.',
      resolve: ({ closedChainId }, _args, { services }) => chainHealthOf(services.db.pool, closedChainId),
    }),
    environmentId: t.exposeInt('environmentId'),
    closedChainId: t.exposeInt('closedChainId'),
    chainId: t.exposeInt('chainId'),
    installationNumber: t.exposeString('installationNumber'),
    jumps: t.field({
      type: [CounterJumpType],
      // One for each series, of which there are seldom more than some hundred.
      complexity: { multiplier: GRAPHQL_LIMITS.listRows.value },
      description: 'The numbers that the series skip because the agency holds invoices with them.',
      resolve: (opened) => [...opened.jumps],
    }),
  }),
});

builder.mutationField('openNewInstallation', (t) =>
  t.withAuth({ role: 'admin' }).field({
    type: NewInstallationType,
    description:
      'Closes the chain of an environment and opens another under a new installation number: the remedy for a forked chain. The actor and the reason are kept in the audit log.',
    args: { environmentId: t.arg.int({ required: true }), reason: t.arg.string({ required: true }) },
    resolve: async (_root, { environmentId, reason }, context) =>
      valueOrThrow<NewInstallation>(
        await openNewInstallation(context.services, environmentId, actorAndReason(context, reason)),
      ),
  }),
);

const RestoreCheck = builder.objectRef<{ readonly heldChains: number }>('RestoreCheck').implement({
  description: 'Chains that are held until they have been compared with the agency.',
  fields: (t) => ({
    heldChains: t.exposeInt('heldChains', { description: 'The number.' }),
    chains: t.connection(
      {
        type: ChainHealthType,
        description:
          'These chains, the longest waiting first. `first` and `last` are 1 to 200, 50 by default.',
        complexity: (args) => ({ ...pageCost(args, OPERATORS_PAGE), field: READING_ALL }),
        resolve: (_root, paging, context) =>
          connectionOf(context, paging, listHeldChains(context.services.db.pool), {
            ...{ idOf: ({ chainId }) => String(chainId), bounds: OPERATORS_PAGE },
          }),
      },
      ChainHealthConnection,
    ),
  }),
});

builder.mutationField('checkAfterRestore', (t) =>
  t.withAuth({ role: 'operator' }).field({
    type: RestoreCheck,
    description:
      'Holds every live chain until it has been compared with the agency’s records: for a restore that the service could not detect.',
    args: { reason: t.arg.string({ required: true }) },
    resolve: async (_root, { reason }, context) => {
      const count: Outcome<number> = await checkAfterRestore(
        context.services.db,
        actorAndReason(context, reason),
      );
      return { heldChains: valueOrThrow(count) };
    },
  }),
);
