import type { FastifyRequest } from 'fastify';
import { LARGE_BODY } from '../src/ground/lib/event-loop-scheduler.ts';
import { CONTRACT } from './contract/all.ts';
import { urlOf } from './contract/operation.ts';
import type { BodyBounds } from './json-body.ts';
import { REQUEST_LIMITS } from './limits.ts';

const ORDINARY = {
  bytes: REQUEST_LIMITS.body.value,
  values: REQUEST_LIMITS.bodyValues.value,
  fields: REQUEST_LIMITS.bodyFields.value,
};

const OWN = new Map(
  CONTRACT.flatMap((one) => (one.bounds ? [[`${one.method} ${urlOf(one)}`, one.bounds]] : [])),
);

/** The maximum size of a request's body, and how much JSON it may hold. */
export function bodyBounds(method: string, route: string | undefined): BodyBounds {
  return OWN.get(`${method} ${route}`) ?? ORDINARY;
}

/** The bytes to count for the body of a request: its length, or the maximum if that is unknown; 0 for a small one. */
export function largeBodyOf({ headers, method, routeOptions }: FastifyRequest): number {
  const { bytes: max } = bodyBounds(method, routeOptions.url);
  const length = headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : max;
  return length > LARGE_BODY ? Math.min(length, max) : 0;
}

/** Whether a request has a body. */
export function hasBody({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
