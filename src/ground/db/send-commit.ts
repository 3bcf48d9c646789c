import type pg from 'pg';

/** The outcome of a transaction is unknown: its connection, or that to the server that has its rows, was lost during the commit. */
export class UnknownCommit extends Error {
  constructor(options?: ErrorOptions) {
    super('the outcome of a commit is unknown', options);
    this.name = 'UnknownCommit';
  }
}

/** What Citus warns of when it has lost a worker during the commit; it answers as if all was committed. */
const LOST = /^failed to commit transaction/;

/** What it fails with where the rows are on that worker alone, which may have committed. */
const MAYBE_LOST = /^could not commit transaction for shard/;

/** Sends the COMMIT of a connection's transaction. Throws `UnknownCommit` when a worker may not have committed. */
export async function sendCommit(client: pg.ClientBase): Promise<void> {
  let lost = false;
  const heed = ({ message }: { message: string | undefined }) => {
    lost ||= LOST.test(message ?? '');
  };
  client.on('notice', heed);
  try {
    await client.query('commit');
  } catch (error) {
    if (error instanceof Error && MAYBE_LOST.test(error.message)) throw new UnknownCommit({ cause: error });
    throw error;
  } finally {
    client.off('notice', heed);
  }
  if (lost) throw new UnknownCommit();
}
