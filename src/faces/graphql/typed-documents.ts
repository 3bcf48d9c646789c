import type { initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { introspection } from '../../../generated/schema-types.d.ts';

/** The types of a stored query's variables and result, derived from its text and the printed schema. Types only. */

type Typed = initGraphQLTada<{
  introspection: introspection;
  scalars: { ID: string; SafeInt: number; DateTime: string; Date: string; Decimal: string; JSON: unknown };
  disableMasking: true;
}>;

declare const typed: Typed;
type FragmentDocuments = NonNullable<Parameters<Typed>[1]>;
const documentOf = <const Source extends string, const Fragments extends FragmentDocuments>(
  source: Source,
  fragments: Fragments,
) => typed(source, fragments);

/** A fragment is parsed once for all queries that spread it: the type of the same text is computed once. */
type FragmentOf<Source extends string> = ReturnType<typeof documentOf<Source, []>>;

/** `Fragments` are the texts of the fragments that it spreads. */
type DocumentOf<Source extends string, Fragments extends readonly string[]> = ReturnType<
  typeof documentOf<Source, { [Index in keyof Fragments]: FragmentOf<Fragments[Index]> }>
>;

/** The fields of the answer, as JSON. */
export type AnswerOf<Source extends string, Fragments extends readonly string[] = []> = ResultOf<
  DocumentOf<Source, Fragments>
>;

/** The values of an enumeration of the schema. */
export type EnumOf<Name extends 'TaxType' | 'AgencyTax' | 'RegistrationStatus'> =
  introspection['types'][Name]['enumValues'];

/** GraphQL makes no difference between what is left out and what is undefined. */
type AllowUndefined<Value> = Value extends readonly (infer Item)[]
  ? readonly AllowUndefined<Item>[]
  : Value extends object
    ? {
        readonly [Name in keyof Value]:
          | AllowUndefined<Value[Name]>
          | (object extends Pick<Value, Name> ? undefined : never);
      }
    : Value;

/** Its variables. */
export type VariablesFor<Source extends string, Fragments extends readonly string[] = []> = AllowUndefined<
  VariablesOf<DocumentOf<Source, Fragments>>
>;
