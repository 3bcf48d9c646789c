import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { findOrStartDemo } from '../demo.ts';
import { buildPage } from './server/build.ts';
import { publishDocuments } from './server/documents.ts';
import { allowOrigin } from './server/lacre.ts';
import { issueSamples } from './server/samples.ts';
import { serve } from './server/serve.ts';

/**
 * `npm run example`: builds the dashboard and serves it, for the Lacre of `LACRE_URL` and `LACRE_KEY`, else for the demo that
 * `npm start` is running here, else for a demo that is started for it, with some invoices to look at.
 */

const { lacre, isOwn, end } = await findOrStartDemo();
try {
  if (isOwn) await issueSamples(lacre);
  const folder = join(import.meta.dirname, 'dist');
  await buildPage(folder);
  const server = await serve(folder, lacre, Number(process.env['PORT'] ?? '5173'));
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`;
  await allowOrigin(lacre, origin);
  await publishDocuments(lacre);
  console.log(`The dashboard is at ${origin}, its invoices are those of ${lacre.url}.`);
} catch (error) {
  await end();
  throw error;
}
