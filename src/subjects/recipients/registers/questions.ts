import { LRUCache } from 'lru-cache';
import { clock } from '../../../ground/lib/clock.ts';
import type { Verdict } from './verdict.ts';

/** Enough for the customers that a process invoices within the time; an entry is some hundred bytes. */
const MAX_REMEMBERED = 10_000;
/**
 * Registers change from one day to the next, so ten minutes more add little to that; and a merchant who issues a run of
 * invoices to the same customer asks once. Only good answers are kept: a correction there must count at once.
 */
const REMEMBERED_MS = 10 * 60_000;

type Known = Extract<Verdict, { kind: 'known' }>;

/** Questions to one register, each asked once at a time, with the good answers remembered for a while. */
export class Questions {
  readonly #known = new LRUCache<string, Known>({
    max: MAX_REMEMBERED,
    ttl: REMEMBERED_MS,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
  });
  readonly #underWay = new Map<string, Promise<Verdict>>();

  /** The remembered verdict, or that of a question under way with the same key, or that of `ask`. */
  put(key: string, ask: () => Promise<Verdict>): Verdict | Promise<Verdict> {
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const underWay = this.#underWay.get(key);
    if (underWay !== undefined) return underWay;
    const question = this.#ask(key, ask).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, question);
    return question;
  }

  async #ask(key: string, ask: () => Promise<Verdict>): Promise<Verdict> {
    const verdict = await ask();
    if (verdict.kind === 'known') this.#known.set(key, verdict);
    return verdict;
  }
}
