import type { FastifyRequest } from 'fastify';
import { linkOwner } from '../src/faces/graphql/document-link.ts';
import type { Services } from '../src/services.ts';

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
  return linkOwner(config, { id, token });
}
