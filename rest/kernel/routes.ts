import { type Operation, type RouteServices, urlOf } from '../contract/operation.ts';
import { countAgainstLimit, type Guard, readIdempotencyKey, requireKey } from '../guards.ts';
import type { HandlerServices } from '../operation.ts';
import type { Parameters } from '../query.ts';
import type { Route } from '../route.ts';
import { handlerOf } from './handler.ts';
import { argumentOf } from './stored-text.ts';

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
  const entries = Object.entries(operation.query ?? {}).map(
    ([name, value]) => [name, { variable: argumentOf(operation, name), value }] as const,
  );
  return Object.fromEntries(entries);
}
