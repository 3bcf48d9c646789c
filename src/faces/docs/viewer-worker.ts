import { gzipSync } from 'node:zlib';
import plugin from '@scalar/fastify-api-reference';
import Fastify from 'fastify';
import { serveThread } from '../../ground/lib/run-in-thread.ts';

/** The viewer's package offers its script only through a plugin. */
serveThread(async () => {
  const host = Fastify();
  await host.register(plugin, { routePrefix: '/viewer', configuration: { url: '/' } });
  const { rawPayload } = await host.inject('/viewer/js/scalar.js');
  await host.close();
  return gzipSync(rawPayload);
});
