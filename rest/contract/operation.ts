import type { z } from 'zod';
import type { OpeningServices } from '../../src/faces/graphql/document-export.ts';
import type { BookServices } from '../../src/faces/graphql/register-book.ts';
import type { Code } from '../../src/ground/errors/catalogue.ts';
import { camelCase } from '../../src/ground/lib/case.ts';
import type { Services } from '../../src/services.ts';
import type { LimitedOperation } from '../../src/subjects/accounts/entry/rate-limit.ts';
import type { Guard } from '../guards.ts';
import type { BodyBounds } from '../json-body.ts';
import type { HandlerServices } from '../operation.ts';
import type { Handler } from '../route.ts';

/** What the guards and handlers of operations work with. */
export type RouteServices = OpeningServices &
  BookServices &
  Pick<Services, 'authenticator' | 'attempts' | 'shares' | 'rateLimits' | 'config' | 'db'>;

export type Values = Readonly<Record<string, unknown>>;
type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

type Body = {
  readonly schema: z.ZodType;
  readonly examples: Examples;
  /** What is read in place of the body that was sent. */
  readonly read?: (body: unknown) => unknown;
};

export type Answer = {
  readonly status: 200 | 201 | 202 | 204;
  readonly description: string;
  /** None of 204. */
  readonly schema?: z.ZodObject;
  readonly example?: object;
  /** In place of a schema: the media types of a file, each with its schema in the document. */
  readonly files?: Values;
  /** Headers beside those that follow from the operation. */
  readonly headers?: Values;
};

type Segment = { readonly value: z.ZodType; readonly example: string };

/** An operation by its name elsewhere: `drafts list`. */
type Offered = {
  readonly name: string;
  /** Options that are not called like their parameter or field, with what is shown for their value: `schedule <sch_…>`. */
  readonly options?: Readonly<Record<string, string>>;
};

/**
 * An operation of REST, said once. Its route, the validation of its parameters and body, its stored query and its part of the
 * OpenAPI document are made of this.
 */
export type Operation = {
  /** Its name in generated clients: a verb and a noun. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** `/v1/number_series/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The field of GraphQL that does it, with the permission that it needs; below the root by a path, `invoice.emails`. */
  readonly field: string;
  /** What the ids of the path are of, each with an example; or what else stands there. */
  readonly ids?: Readonly<Record<string, readonly [of: string, example: string] | Segment>>;
  /** The parameters of the query, each with its description; one that must be given is `nonoptional`. */
  readonly query?: Readonly<Record<string, z.ZodType>>;
  readonly body?: Body;
  readonly answer: Answer;
  /** Codes of its own, beside those of every operation, of bodies, and of keys. */
  readonly codes?: readonly Code[];
  /**
   * The field, an instant, by which what it answers has its `ETag`; without one, a GET's is a digest. A change compares it
   * with `If-Match`, the argument `expected…`.
   */
  readonly state?: string;
  /** Whether it takes an `Idempotency-Key`. */
  readonly isKeyed?: true;
  /** The limit of each key that it counts against. */
  readonly limit?: LimitedOperation;
  /** Whether it needs no key. */
  readonly isOpen?: true;
  /** Whether the answer holds what is shown only once. */
  readonly isSecret?: true;
  /** The command of the command line that passes on what it is given, and does nothing else (`rest/commands.ts`). */
  readonly command?: Offered & {
    /** Each with what it does; a test runs them. */
    readonly examples: readonly (readonly [description: string, line: string])[];
  };
  /** The same as a tool of agents; `rows` is what a list is called there. */
  readonly tool?: Offered & { readonly rows?: string };

  /** Parameters whose argument in GraphQL is not the same word in camelCase. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields of the answer that GraphQL has by another name (`attemptLog`), or what is selected for them. */
  readonly selected?: Readonly<Record<string, string>>;
  // A method: its parameter may be declared as what is selected.
  /** What was selected (one item of a list) as the answer's schema has it. */
  shown?(selected: object, baseUrl: string): object;
  /** The field that says where what it creates is found, if not below its own path. */
  readonly location?: string;

  /** What checks a request after its key, before its body is read. */
  readonly guards?: readonly ((services: RouteServices) => Guard)[];
  /** How much its body may hold, if more than others. */
  readonly bounds?: BodyBounds;
  /** What answers in place of a stored query. */
  readonly handler?: (handling: HandlerServices, services: RouteServices) => Handler;
};

export type Tagged = Operation & { readonly tag: string };

/** The operations of a noun, in the order of the document. */
export function operations(tag: string, list: readonly Operation[]): readonly Tagged[] {
  return list.map((operation) => ({ ...operation, tag }));
}

/** What is selected and shown of an answer if GraphQL has some of its fields in `field`, beside the others. */
export const within = (field: string, names: readonly string[]): Pick<Operation, 'selected' | 'shown'> => ({
  selected: Object.fromEntries(names.map((name) => [name, `${field} { ${name}: ${camelCase(name)} }`])),
  shown: ({ [field]: inner, ...beside }: Values) => ({ ...(inner as object), ...beside }),
});

/** Whether the body may be left out: that of a POST, if no field of it must be sent. */
export const mayBeEmpty = ({ method, body }: Operation): boolean =>
  method === 'POST' && body?.schema.safeParse({}).success === true;

/** The path as the router has it. */
export const urlOf = ({ path }: Operation): string => path.replace(/\{(\w+)\}/g, ':$1');
