import pg from 'pg';

/** A statement as it was sent: with a name it is prepared once and planned for whatever values come. */
export type Sent = {
  readonly text: string;
  readonly values: readonly unknown[];
  readonly name: string | null;
};

/**
 * The SQL statements that are sent while `work` runs, over every connection of this process. Prisma's own go through
 * the same driver.
 */
export async function sentDuring(work: () => Promise<unknown>): Promise<Sent[]> {
  const sent: Sent[] = [];
  const prototype = pg.Client.prototype as { query: (...args: unknown[]) => unknown };
  const { query } = prototype;
  prototype.query = function noted(this: unknown, ...args: unknown[]) {
    const [first, second] = args;
    const config = typeof first === 'string' ? { text: first } : (first as Partial<Sent>);
    const values = config.values ?? (Array.isArray(second) ? second : []);
    sent.push({ text: config.text ?? '', values, name: config.name ?? null });
    return query.apply(this, args);
  };
  try {
    await work();
  } finally {
    prototype.query = query;
  }
  return sent;
}

/** The texts of the statements that are sent while `work` runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<string[]> {
  return (await sentDuring(work)).map(({ text }) => text);
}
