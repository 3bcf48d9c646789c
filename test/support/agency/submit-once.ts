import { readFileSync } from 'node:fs';
import { openDb } from '../../../src/ground/db/client.ts';
import { clock } from '../../../src/ground/lib/clock.ts';
import { testLog } from '../processes/run-log.ts';
import { registrar } from './registration.ts';

/** A worker that sends one chain's records, to be killed at it. */
const [databaseUrl = '', endpointUrl = '', tlsDir = '', environmentId = '', chainId = '', clockAhead = '0'] =
  process.argv.slice(2);
clock.shift(Number(clockAhead));
const db = openDb(databaseUrl, { max: 2, log: testLog() });
const worker = registrar(db, {
  endpointUrl,
  pfx: readFileSync(`${tlsDir}/client.p12`),
  passphrase: readFileSync(`${tlsDir}/client-passphrase.txt`, 'utf8'),
  ca: readFileSync(`${tlsDir}/ca.pem`),
});
await worker.submit({ environmentId: Number(environmentId), chainId: Number(chainId) });
console.log('done');
