import type { FastifyRequest } from 'fastify';
import { clock } from '../src/ground/lib/clock.ts';
import type { Services } from '../src/services.ts';
import { verifyDownload } from '../src/subjects/documents/links.ts';

const FILE_ROUTE = '/v1/invoices/:id/file';

type Asked = Pick<FastifyRequest, 'headers' | 'params' | 'query'> & {
  readonly routeOptions: { readonly url?: string | undefined };
};

/**
 * Whose turn a request takes: the owner of the key that it shows, when that was in force, or the environment that its link to
 * a document opens. Null for all others. Asks no database and gives no right to anything.
 */
export function knownOwner(
  { authenticator, config }: Pick<Services, 'authenticator' | 'config'>,
  { headers, routeOptions, params, query }: Asked,
): number | string | null {
  const ofKey = authenticator.knownOwner(headers.authorization);
  if (ofKey !== null || routeOptions.url !== FILE_ROUTE) return ofKey;
  const { id } = params as { readonly id: string };
  const { token } = query as { readonly token?: unknown };
  if (typeof token !== 'string') return null;
  const opened = verifyDownload(config.linkSecret, id, token, clock.now());
  return typeof opened === 'string' ? null : opened.environmentId;
}
