import { type Operation, type RouteServices, urlOf } from '../contract/operation.ts';
import { countAgainstLimit, type Guard, readIdempotencyKey, requireKey } from '../guards.ts';
import type { HandlerServices } from '../operation.ts';
import type { Route } from '../route.ts';
import { handlerOf } from './handler.ts';
import { argumentOf } from './stored-text.ts';

/** The route of an operation, its guards in the order in which they check a request (docs/contract.md#order-of-checks). */
export function routeOf(operation: Operation, services: RouteServices, handling: HandlerServices): Route {
  const { method, field, isOpen, isKeyed, limit, guards = [], query = {} } = operation;
  const checks: Guard[] = [
    ...(isOpen ? [] : [requireKey(services, field.split('.')[0]!)]),
    ...(isKeyed ? [readIdempotencyKey(services)] : []),
    ...(limit === undefined ? [] : [countAgainstLimit(services, limit)]),
    ...guards.map((guard) => guard(services)),
  ];
  const parameters = Object.entries(query).map(
    ([name, value]) => [name, { variable: argumentOf(operation, name), value }] as const,
  );
  const handler = operation.handler?.(handling, services) ?? handlerOf(operation, handling);
  return [method, urlOf(operation), checks, Object.fromEntries(parameters), handler];
}
