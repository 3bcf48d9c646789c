import { startEmbeddedPostgres } from '../../src/ground/db/embedded/postgres.ts';
import { testLog } from '../support/processes/run-log.ts';

/** A service that does nothing but have its Postgres running, until it is killed. Says its URL on standard output. */
const [dataDir = ''] = process.argv.slice(2);
const postgres = await startEmbeddedPostgres({ dataDir, log: testLog() });
console.log(postgres.url);
setInterval(() => {}, 60_000);
