import type { FastifyRequest } from 'fastify';
import { linkOwner } from '../src/faces/graphql/document-link.ts';
import type { Services } from '../src/services.ts';

const FILE_ROUTE = '/v1/invoices/:id/file';

type RequestParts = Pick<FastifyRequest, 'headers' | 'params' | 'query'> & {
  readonly routeOptions: { readonly url?: string | undefined };
};

/**
 * To whom a request in progress counts: to the owner of its key, if the key was valid before, or the environment of its
 * document link. Null for all others. Does not query the database and grants no rights.
 */
export function knownOwner(
  { authenticator, linkSecrets }: Pick<Services, 'authenticator' | 'linkSecrets'>,
  { headers, routeOptions, params, query }: RequestParts,
): number | string | null {
  const ofKey = authenticator.knownOwner(headers.authorization);
  if (ofKey !== null || routeOptions.url !== FILE_ROUTE) return ofKey;
  const { id } = params as { readonly id: string };
  const { token } = query as { readonly token?: unknown };
  if (typeof token !== 'string') return null;
  return linkOwner(linkSecrets, { id, token });
}
