import type { z } from 'zod';
import type { OpeningServices } from '../../src/faces/graphql/document-export.ts';
import type { BookServices } from '../../src/faces/graphql/register-book.ts';
import type { Code } from '../../src/ground/errors/catalogue.ts';
import type { Outcome } from '../../src/ground/errors/refusal.ts';
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
  /** All fields are optional, and so is the body. */
  readonly mayBeEmpty?: true;
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
  /** The parameters of the query, each with its description. */
  readonly query?: Readonly<Record<string, z.ZodType>>;
  /** Those that must be given. */
  readonly required?: readonly string[];
  readonly body?: Body;
  readonly answer: Answer;
  /** Codes of its own, beside those of every operation, of bodies, and of keys. */
  readonly codes?: readonly Code[];
  /** The argument, an instant, that `If-Match` gives: the state in which alone the object is changed. */
  readonly ifMatch?: string;
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
  /** Arguments that are always the same. */
  readonly constant?: Values;
  /** The field beside which GraphQL has some of the answer's fields, and in which it has the others. */
  readonly within?: string;
  /** Fields of the answer that GraphQL has by another name (`attemptLog`), or what is selected for them. */
  readonly selected?: Readonly<Record<string, string>>;
  // Methods: their parameters may be declared as what is selected.
  /** What answers, of all that was selected: a page of a list, or one of its items. */
  picked?(selected: unknown, from: { readonly place: Values; readonly params: Values }): Outcome<object>;
  /** What was selected (one item of a list) as the answer's schema has it. */
  shown?(selected: object, baseUrl: string): object;
  /** The state of what it answers, for `ETag` and `If-Match`; by default a GET's tag is a digest of the answer. */
  entityTag?(body: object): string;
  /** Where what it creates is found, if not below its own path. */
  location?(answer: object): string;

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

/** Whether an answer is a page of a list, or has `data` alone. */
export const isPage = ({ shape }: z.ZodObject): boolean => 'next_cursor' in shape;
export const isList = ({ shape }: z.ZodObject): boolean => Object.keys(shape).join() === 'data';

/** The schema of what is in a list; of another answer its own. */
export const itemOf = (schema: z.ZodObject): z.ZodType =>
  isPage(schema) || isList(schema) ? (schema.shape['data'] as z.ZodArray<z.ZodType>).element : schema;

/** The path as the router has it. */
export const urlOf = ({ path }: Operation): string => path.replace(/\{(\w+)\}/g, ':$1');
