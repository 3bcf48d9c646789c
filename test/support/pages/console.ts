import { createOperatorKey } from '../../../src/subjects/accounts/keys.ts';
import type { TestService } from '../http/http-service.ts';
import { Visitor } from '../http/visitor.ts';

/** A browser before the console's login. */
export function anonymousVisitor(service: TestService, headers: Record<string, string> = {}): Visitor {
  return new Visitor(service.url, headers, '/console');
}

export type TestOperator = { readonly key: string; readonly id: string };

export function anOperator(service: TestService, name = 'Ada Lovelace'): Promise<TestOperator> {
  return createOperatorKey(service.db.pool, name);
}

/** An operator's browser that has come in. */
export async function operatorIn(service: TestService, operator?: TestOperator): Promise<Visitor> {
  const { key } = operator ?? (await anOperator(service));
  const visitor = anonymousVisitor(service);
  const { status } = await visitor.post('/console/login', { key });
  if (status !== 303) throw new Error(`the console does not open: ${status}`);
  return visitor;
}
