import type { z } from 'zod';
import type { Code } from '../../src/ground/errors/catalogue.ts';
import type { Outcome } from '../../src/ground/errors/refusal.ts';
import type { LimitedOperation } from '../../src/subjects/accounts/entry/rate-limit.ts';

type Examples = Readonly<Record<string, { readonly summary: string; readonly value: object }>>;

export type Body = {
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
};

/**
 * An operation of REST, said once. Its route, the validation of its parameters and body, its stored query and its part of the
 * OpenAPI document are made of this.
 */
export type Operation = {
  /** Its name in generated clients: a verb and a noun. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** `/v1/number_series/{id}`. */
  readonly path: string;
  readonly summary: string;
  readonly description: string;
  /** The field of GraphQL that does it, with the permission that it needs; below the root by a path, `invoice.emails`. */
  readonly field: string;
  /** What the ids of the path are of, each with an example. */
  readonly ids?: Readonly<Record<string, readonly [of: string, example: string]>>;
  /** The parameters of the query, each with its description. */
  readonly query?: Readonly<Record<string, z.ZodType>>;
  readonly body?: Body;
  readonly answer: Answer;
  /** Codes of its own, beside those of every operation, of bodies, and of keys. */
  readonly codes?: readonly Code[];
  /** Whether it takes an `Idempotency-Key`. */
  readonly isKeyed?: true;
  /** The limit of each key that it counts against. */
  readonly limit?: LimitedOperation;
  /** Whether the answer holds what is shown only once. */
  readonly isSecret?: true;

  /** Parameters whose argument in GraphQL is not the same word in camelCase. */
  readonly renamed?: Readonly<Record<string, string>>;
  /** Fields of the answer that GraphQL has by another name (`attemptLog`), or what is selected for them. */
  readonly selected?: Readonly<Record<string, string>>;
  /** What was selected (one item of a list) as the answer's schema has it. */
  readonly shown?: (selected: never) => object;
  /** The list that was selected as a page of it. */
  readonly paged?: (selected: never, place: Readonly<Record<string, unknown>>) => Outcome<object>;
  /** Where what it creates is found, if not below its own path. */
  readonly location?: (answer: never) => string;
};

export type Tagged = Operation & { readonly tag: string };

/** The operations of a noun, in the order of the document. */
export function operations(tag: string, list: readonly Operation[]): readonly Tagged[] {
  return list.map((operation) => ({ ...operation, tag }));
}

/** Whether an answer is a page of a list, or has `data` alone. */
export const isPage = ({ shape }: z.ZodObject): boolean => 'next_cursor' in shape;
export const isList = ({ shape }: z.ZodObject): boolean => Object.keys(shape).join() === 'data';
