import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findOrStartDemo } from '../demo.ts';
import { demoAccounts } from './server/accounts.ts';
import { buildPage } from './server/build.ts';
import { publishDocuments } from './server/documents.ts';
import { allowOrigin } from './server/lacre.ts';
import { issueYear } from './server/samples.ts';
import { serve } from './server/serve.ts';

/**
 * `npm run example`: builds the dashboard and serves it, for the Lacre of `LACRE_URL` and `LACRE_KEY`, else for the demo that
 * `npm start` is running here, else for a demo that is started for it, with a year of a small shop.
 */

const { lacre: found, test, isOwn, end } = await findOrStartDemo();
// Only a test environment has a time that a year can be lived through in.
const lacre = isOwn ? test : found;
try {
  if (isOwn) {
    console.log('Living through a year of a small shop…');
    await issueYear(lacre);
  }
  const folder = join(import.meta.dirname, 'dist');
  await buildPage(folder);
  const server = await serve(folder, lacre, Number(process.env['PORT'] ?? '5173'));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await allowOrigin(lacre, origin);
  await publishDocuments(lacre);
  console.log(`The dashboard is at ${origin}, its invoices are those of ${lacre.url}.`);
  for (const { name, role } of demoAccounts()) console.log(`${role}: ${name}, password demo-${role}`);
} catch (error) {
  await end();
  throw error;
}
