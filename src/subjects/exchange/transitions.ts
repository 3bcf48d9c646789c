import type { MessageKind } from './types.ts';

/** What counts of the payment of an invoice. */
export type Standing = 'settled' | 'not_paid' | null;

const AFTER: Readonly<Record<MessageKind, Standing>> = {
  invoice: null,
  settled: 'settled',
  settlement_cancelled: null,
  not_paid: 'not_paid',
  not_paid_cancelled: null,
};

/** What counts after a message. */
export const standingAfter = (kind: MessageKind): Standing => AFTER[kind];

const CANCELS = { settled: 'settlement_cancelled', not_paid: 'not_paid_cancelled' } as const;

/**
 * The messages that lead from what was told to what holds now: what was told and does not hold is cancelled first. What came and
 * went between two looks was told to nobody, and is not told any more.
 */
export function messagesFrom(told: Standing, now: Standing): Exclude<MessageKind, 'invoice'>[] {
  if (told === now) return [];
  return [...(told === null ? [] : [CANCELS[told]]), ...(now === null ? [] : [now])];
}
