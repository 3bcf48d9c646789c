import type pg from 'pg';
import type { Db } from '../../ground/db/client.ts';
import { inTransaction } from '../../ground/db/transaction.ts';
import { invalidField, isRefusal, type Outcome } from '../../ground/errors/refusal.ts';
import { type ActorAndReason, addAuditEntry, readReason } from '../../ground/journal/audit-log.ts';
import { enqueue } from '../../ground/queue/enqueue.ts';
import type { ChainKey } from '../registration/shapes.ts';
import {
  findChain,
  parkPending,
  pauseChain,
  resumeChain,
  retryChain,
  unparkPending,
} from './store/controls.ts';

type ChainOperation = {
  readonly action: string;
  readonly subject: string;
  /** The field of the subject in the refusal. */
  readonly field: string;
  readonly missing: string;
  /** Whether the chain may continue to send now. */
  readonly startsSending: boolean;
  readonly work: (client: pg.PoolClient, reason: string) => Promise<ChainKey | null>;
};

/**
 * Performs the action, records it and wakes the chain, in one transaction. 400 `invalid_request` when the subject
 * or the reason is invalid.
 */
async function perform(
  db: Pick<Db, 'pool'>,
  by: ActorAndReason,
  operation: ChainOperation,
): Promise<Outcome<ChainKey>> {
  const reason = readReason(by);
  if (isRefusal(reason)) return reason;
  return inTransaction(db.pool, async (client): Promise<Outcome<ChainKey>> => {
    const chain = await operation.work(client, reason);
    if (chain === null) return invalidField(operation.field, 'not_found', operation.missing);
    const { action, subject } = operation;
    await addAuditEntry(client, {
      ...{ environmentId: chain.environmentId, actor: by.actor, action, subject },
      ...{ reason, details: { chainId: chain.chainId } },
    });
    if (operation.startsSending) await enqueue(client, [{ task: 'register', payload: chain }]);
    return chain;
  });
}

function onChain(
  chainId: number,
  action: string,
  change: (client: pg.ClientBase, chain: ChainKey, reason: string) => Promise<boolean>,
): ChainOperation {
  return {
    ...{ action, subject: `chain ${chainId}`, field: 'chainId', startsSending: action !== 'pause_chain' },
    missing:
      action === 'resume_chain' ? 'there is no such chain, or it is not paused' : 'there is no such chain',
    async work(client, reason) {
      const chain = await findChain(client, chainId);
      return chain !== null && (await change(client, chain, reason)) ? chain : null;
    },
  };
}

/** Sends nothing more of a chain until it is resumed. Its records wait, which the merchant can see. */
export function pause(db: Pick<Db, 'pool'>, chainId: number, by: ActorAndReason): Promise<Outcome<ChainKey>> {
  return perform(db, by, onChain(chainId, 'pause_chain', pauseChain));
}

/** Lets a paused chain send again. */
export function resume(
  db: Pick<Db, 'pool'>,
  chainId: number,
  by: ActorAndReason,
): Promise<Outcome<ChainKey>> {
  return perform(db, by, onChain(chainId, 'resume_chain', resumeChain));
}

/**
 * Lets a chain that failed, or was stopped because of the agency, retry now (as soon as the agency's wait allows).
 */
export function retry(db: Pick<Db, 'pool'>, chainId: number, by: ActorAndReason): Promise<Outcome<ChainKey>> {
  return perform(db, by, onChain(chainId, 'retry_chain', retryChain));
}

/** Excludes a pending record from sending, so that the others continue. It stays pending until it is put back. */
export function park(db: Pick<Db, 'pool'>, recordId: string, by: ActorAndReason): Promise<Outcome<ChainKey>> {
  return perform(db, by, {
    ...{ action: 'park_record', subject: recordId, field: 'recordId', startsSending: true },
    missing: 'there is no pending record of this id',
    work: (client, reason) => parkPending(client, recordId, reason),
  });
}

/** Includes a parked record in sending again. */
export function unpark(
  db: Pick<Db, 'pool'>,
  recordId: string,
  by: ActorAndReason,
): Promise<Outcome<ChainKey>> {
  return perform(db, by, {
    ...{ action: 'unpark_record', subject: recordId, field: 'recordId', startsSending: true },
    missing: 'there is no parked record of this id',
    work: (client) => unparkPending(client, recordId),
  });
}
