import { SHARED_LIMITS } from './limits.ts';

/**
 * The part of the permitted unread bytes that must be free before a large answer is built: the size of one of the largest.
 */
const FREE_FOR_A_LARGE_ONE = SHARED_LIMITS.answer.value / SHARED_LIMITS.waitingBytes.value;

/**
 * Bytes of answers that a process has built and that are not read yet: senders count them, and builders of large answers
 * check them.
 */
export class UnreadAnswers {
  bytes = 0;
  /** The maximum. */
  most: number = SHARED_LIMITS.waitingBytes.value;

  /** Whether a large answer would be built in vain. */
  get isFull(): boolean {
    return this.bytes > this.most * (1 - FREE_FOR_A_LARGE_ONE);
  }
}
