import pg from 'pg';

/** A statement as it was sent, and how long its answer took; its text without the numbers that differ between environments. */
export type TimedStatement = {
  readonly label: string;
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | null;
  readonly ms: number;
};

type Query = (...args: unknown[]) => unknown;

/** The statements that are answered while `work` runs, over every connection of this process, with the time of each. */
export async function timedDuring(work: () => Promise<unknown>): Promise<TimedStatement[]> {
  const statements: TimedStatement[] = [];
  const prototype = pg.Client.prototype as { query: Query };
  const { query } = prototype;
  prototype.query = function noted(this: unknown, ...args: unknown[]) {
    const [first, second] = args;
    const config = typeof first === 'string' ? { text: first } : (first as Partial<TimedStatement>);
    const values = config.values ?? (Array.isArray(second) ? second : []);
    const begun = performance.now();
    const note = () => {
      const text = config.text ?? '';
      const label =
        config.name ??
        text
          .replace(/\s+/g, ' ')
          .replace(/\b\d+\b/g, '#')
          .trim();
      statements.push({ label, text, values, name: config.name ?? null, ms: performance.now() - begun });
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      args[args.length - 1] = (...answer: unknown[]) => {
        note();
        return (callback as Query)(...answer);
      };
      return query.apply(this, args);
    }
    const answer = query.apply(this, args);
    if (answer instanceof Promise) answer.then(note, note);
    return answer;
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return statements;
}
