import pg from 'pg';

/**
 * Kills a server of this machine as a crash would: one of its processes is killed without warning, upon which its postmaster ends all
 * sessions and recovers from its log. Resolves when it is recovering, or has recovered.
 */
export async function crash(superuserUrl: string): Promise<void> {
  const client = new pg.Client(superuserUrl);
  const ended = new Promise<void>((resolve) => {
    client.on('error', () => resolve()).on('end', () => resolve());
  });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  process.kill(rows[0]!.pid, 'SIGKILL');
  await ended;
}

/** Whether the server answers. */
export async function answers(superuserUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: superuserUrl, connectionTimeoutMillis: 2_000 });
  client.on('error', () => {});
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}
