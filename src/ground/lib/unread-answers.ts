import { LIMITS } from './limits.ts';

/** Of the bytes that may wait, the part that must be free before a large answer is made: one of the largest. */
const FREE_FOR_A_LARGE_ONE = LIMITS.answer.value / LIMITS.waitingBytes.value;

/** Bytes of answers that a process has made and nobody has read: whoever sends counts them, whoever makes large ones asks. */
export class UnreadAnswers {
  bytes = 0;
  /** How many may wait. */
  most: number = LIMITS.waitingBytes.value;

  /** Whether a large answer would be made in vain. */
  get isFull(): boolean {
    return this.bytes > this.most * (1 - FREE_FOR_A_LARGE_ONE);
  }
}
