import type { LacreClient } from '@lacre/client';
import OFFERED from './operations.json' with { type: 'json' };

/** The schema of a value, as far as it is said. */
export type ValueSchema = {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array';
  readonly enum?: string[];
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Omit<ValueSchema, 'items' | 'description'>;
  readonly description: string;
};

type Names = { readonly name: string; readonly options?: Readonly<Record<string, string>> };

/** An operation of REST that has a command or a tool of agents, as `npm run openapi` writes it from the contract. */
export type Operation = {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  readonly operands: readonly { readonly name: string; readonly of: string; readonly description: string }[];
  readonly options: readonly {
    readonly name: string;
    readonly place: 'query' | 'body';
    readonly schema: ValueSchema;
    readonly isRequired?: boolean;
  }[];
  /** Whether its body is more than options can say. */
  readonly hasFile: boolean;
  readonly isKeyed: boolean;
  readonly isPage: boolean;
  /** The name of what it answers, or lists; null for nothing. */
  readonly shows: string | null;
  readonly command?: Names & { readonly examples: readonly (readonly [description: string, line: string])[] };
  readonly tool?: Names & { readonly rows?: string };
};

const offered: readonly object[] = OFFERED;
export const OPERATIONS = offered as readonly Operation[];

/** What an operation is given, by the names of REST; `body` where that is a file. */
export type Given = Readonly<Record<string, unknown>>;

/** `sends an invoice`, of the summary `Send an invoice`. */
export function doing({ summary }: Operation): string {
  const [verb = '', ...object] = summary.split(' ');
  return [`${verb.toLowerCase()}${/(s|sh|ch|x)$/.test(verb) ? 'es' : 's'}`, ...object].join(' ');
}

/** What it does, in sentences. */
export function about(operation: Operation): string {
  const text = plain(operation.description);
  const does = doing(operation).replace(/^./, (letter) => letter.toUpperCase());
  return text.startsWith(`${does.split(' ')[0]} `) ? text : `${does}. ${text}`;
}

/** With quotes in place of the marks of code. */
export const plain = (text: string): string => text.replaceAll('`', '"');

type Call = (path: string, init: object) => Promise<{ readonly data: unknown }>;

/** Calls an operation; what is refused is thrown. */
export async function call({ http }: LacreClient, operation: Operation, given: Given): Promise<unknown> {
  const { method, path, operands, options, hasFile } = operation;
  const taken = (names: readonly { readonly name: string }[]) =>
    Object.fromEntries(names.flatMap(({ name }) => (given[name] === undefined ? [] : [[name, given[name]]])));
  const fields = options.filter(({ place }) => place === 'body');
  const body = hasFile ? given['body'] : fields.length > 0 ? taken(fields) : undefined;
  const { limit, starting_after, idempotencyKey } = given;
  const query = { ...taken(options.filter(({ place }) => place === 'query')), limit, starting_after };
  const init = {
    params: { path: taken(operands), query },
    ...(body === undefined ? {} : { body }),
    ...(idempotencyKey === undefined ? {} : { headers: { 'Idempotency-Key': String(idempotencyKey) } }),
  };
  // The client's types know each endpoint by its own name.
  const calls: object = http;
  return (await (calls as Readonly<Record<Operation['method'], Call>>)[method](path, init)).data;
}

type Page = {
  readonly data: readonly object[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
};
export type Rows = { readonly rows: readonly object[]; readonly hasMore: boolean };

/** So many of a list, and whether there are more. */
export async function collect(
  client: LacreClient,
  operation: Operation,
  given: Given,
  max: number,
): Promise<Rows> {
  const rows: object[] = [];
  let place: { readonly starting_after?: string } = {};
  for (;;) {
    const limit = Math.min(100, max - rows.length);
    const page = (await call(client, operation, { ...given, ...place, limit })) as Page;
    rows.push(...page.data);
    if (!page.has_more || page.next_cursor === null || rows.length >= max)
      return { rows, hasMore: page.has_more };
    place = { starting_after: page.next_cursor };
  }
}
