import type { MessageKind } from './types.ts';

/** The facts of an invoice's payment that are reported. */
export type ReportedState = 'settled' | 'not_paid' | null;

const AFTER: Readonly<Record<MessageKind, ReportedState>> = {
  invoice: null,
  settled: 'settled',
  settlement_cancelled: null,
  not_paid: 'not_paid',
  not_paid_cancelled: null,
};

/** The facts after a message. */
export const statusAfter = (kind: MessageKind): ReportedState => AFTER[kind];

const CANCELS = { settled: 'settlement_cancelled', not_paid: 'not_paid_cancelled' } as const;

/**
 * The messages that lead from the reported facts to the current ones: reported facts that no longer hold are
 * cancelled first. Facts that came and went between two reads are not reported.
 */
export function messagesFrom(reported: ReportedState, now: ReportedState): Exclude<MessageKind, 'invoice'>[] {
  if (reported === now) return [];
  return [...(reported === null ? [] : [CANCELS[reported]]), ...(now === null ? [] : [now])];
}
