import { z } from 'zod';
import { type Operation, type RouteServices, urlOf } from '../contract/operation.ts';
import { countAgainstLimit, type Guard, readIdempotencyKey, requireKey } from '../guards.ts';
import type { HandlerServices } from '../operation.ts';
import type { Parameters } from '../query.ts';
import type { Route } from '../route.ts';
import { handlerOf } from './handler.ts';
import { argumentOf, unwrapped } from './stored-text.ts';

/** The route of an operation, its guards in the order in which they check a request (docs/contract.md#order-of-checks). */
export function routeOf(operation: Operation, services: RouteServices, handling: HandlerServices): Route {
  const { method, field, isKeyed, limit } = operation;
  const guards: Guard[] = [
    ...(operation.isOpen ? [] : [requireKey(services, field.split('.')[0]!)]),
    ...(isKeyed ? [readIdempotencyKey(services)] : []),
    ...(limit === undefined ? [] : [countAgainstLimit(services, limit)]),
    ...(operation.guards ?? []).map((guard) => guard(services)),
  ];
  const handler = operation.handler?.(handling, services) ?? handlerOf(operation, handling);
  return [method, urlOf(operation), guards, parametersOf(operation), handler];
}

/** How the parameters of the query are read. */
function parametersOf(operation: Operation): Parameters {
  const entries = Object.entries(operation.query ?? {}).map(([name, value]) => {
    if (value instanceof z.ZodRecord) return [name, { variable: name, keyed: true as const }] as const;
    const inner = unwrapped(value);
    const read =
      inner instanceof z.ZodEnum
        ? { oneOf: inner.options as string[] }
        : inner instanceof z.ZodBoolean
          ? { boolean: true as const }
          : { value: inner, ...(inner instanceof z.ZodNumber ? { integer: true as const } : {}) };
    const repeatable = value instanceof z.ZodArray ? { repeatable: true as const } : {};
    return [name, { variable: argumentOf(operation, name), ...read, ...repeatable }] as const;
  });
  return Object.fromEntries(entries);
}
