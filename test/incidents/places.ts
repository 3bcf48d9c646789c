import { setTimeout as pause } from 'node:timers/promises';
import { examine } from '../../src/faces/cli/doctor/examine.ts';
import { readConfig } from '../../src/ground/config/config.ts';
import { CAUSES, type Cause } from '../../src/ground/lib/causes.ts';
import { Samples } from '../support/alerts/evaluate.ts';
import { AlertState, type Firing } from '../support/alerts/rules.ts';
import { labelsOf } from '../support/alerts/scenarios.ts';
import { Visitor } from '../support/http/visitor.ts';
import type { RunningProgram } from '../support/processes/running-program.ts';

/** Where an operator is told: the processes that log and are scraped, the console of one of them, the doctor's settings. */
type Told = {
  readonly programs: () => readonly RunningProgram[];
  readonly metrics: () => readonly string[];
  /** The address of a process that serves, and an operator's key. */
  readonly consoleUrl: () => string;
  readonly operatorKey: string;
  readonly doctor: Readonly<Record<string, string>>;
};

type Place = 'log' | 'doctor' | 'console' | 'alert';
/** Seconds from the incident until the place said its sentence. */
export type Times = Partial<Record<Place, number>>;

/** As the guide has Prometheus do: scrape, and evaluate the group of rules. */
const SCRAPE_SECONDS = 15;
const TICK_MS = 1_000;
/** Whoever has not said it by then never will. */
const LONGEST_SECONDS = 180;

const now = () => performance.now() / 1_000;

export class Places {
  readonly #told: Told;
  readonly #samples = new Samples();
  readonly #alerts = new AlertState(this.#samples);
  #known = new Map<string, string>();
  #scrapedAt = Number.NEGATIVE_INFINITY;
  #firing: readonly Firing[] = [];
  #visitor: Visitor | null = null;

  constructor(told: Told) {
    this.#told = told;
  }

  /** Opens the console, while it can be. */
  async open(): Promise<void> {
    const visitor = new Visitor(this.#told.consoleUrl(), {}, '/console');
    const { status } = await visitor.post('/console/login', { key: this.#told.operatorKey });
    if (status !== 303) throw new Error(`the console does not open: ${status}`);
    this.#visitor = visitor;
    await this.#scrape();
  }

  /** Has the incident happen, and asks all places until each has said the cause's sentence. */
  async timesOf(cause: Cause, happen: () => Promise<void>): Promise<Times> {
    const logged = new Map(this.#told.programs().map((program) => [program, program.output().length]));
    await happen();
    const start = now();
    const times: Times = {};
    const sentence = CAUSES[cause];
    const asks: Readonly<Record<Place, () => boolean | Promise<boolean>>> = {
      log: () =>
        this.#told.programs().some((program) =>
          program
            .output()
            .slice(logged.get(program) ?? 0)
            .includes(sentence.toUpperCase()),
        ),
      alert: () => this.#firing.some(({ summary }) => summary.startsWith(sentence)),
      console: async () => (await this.#consoleText()).includes(sentence),
      doctor: async () => (await this.#findings()).some((summary) => summary.includes(sentence)),
    };
    while (now() - start < LONGEST_SECONDS) {
      await this.#scrape();
      for (const [place, asked] of Object.entries(asks)) {
        if (times[place as Place] === undefined && (await asked())) times[place as Place] = now() - start;
      }
      if (Object.keys(times).length === Object.keys(asks).length) break;
      await pause(TICK_MS);
    }
    return times;
  }

  /** Waits until the console's first page no longer says it. */
  async over(cause: Cause): Promise<void> {
    const start = now();
    for (;;) {
      const text = await this.#consoleText();
      // What is counted over a quarter of an hour fires on.
      const fires =
        cause !== 'certificate_refused' &&
        this.#firing.some(({ summary }) => summary.startsWith(CAUSES[cause]));
      if (text.includes('Overview') && !text.includes(CAUSES[cause]) && !fires) return;
      if (now() - start > LONGEST_SECONDS) throw new Error(`it is not over: ${CAUSES[cause]}`);
      await this.#scrape();
      await pause(TICK_MS);
    }
  }

  async #consoleText(): Promise<string> {
    return (await this.#visitor?.get('/console').catch(() => null))?.text ?? '';
  }

  async #findings(): Promise<string[]> {
    const found: string[] = [];
    for await (const { result, summary } of examine(readConfig(this.#told.doctor)))
      if (result !== 'ok') found.push(summary);
    return found;
  }

  async #scrape(): Promise<void> {
    const at = now();
    if (at - this.#scrapedAt < SCRAPE_SECONDS) return;
    this.#scrapedAt = at;
    const scraped = new Map<string, string>();
    for (const instance of this.#told.metrics()) {
      const answer = await fetch(instance).catch(() => null);
      for (const line of ((await answer?.text()) ?? '').split('\n')) {
        const [, series, value] = /^(lacre_\S+(?: [^{}]*\})?|lacre_\w+\{.*\}) (\S+)$/.exec(line) ?? [];
        if (series === undefined) continue;
        const labels = { ...labelsOf(series), instance };
        scraped.set(JSON.stringify(labels), value!);
        this.#samples.add(labels, at, Number(value));
      }
    }
    // A series that is not there any more has ended.
    for (const key of this.#known.keys())
      if (!scraped.has(key)) this.#samples.add(JSON.parse(key) as Record<string, string>, at, null);
    this.#known = scraped;
    this.#firing = this.#alerts.evaluate(at);
  }
}
