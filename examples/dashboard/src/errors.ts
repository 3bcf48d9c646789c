import type { CombinedError } from '@urql/core';
import { t } from './language.ts';

/** One thing that is wrong with a form: where, by its path in the variables, and what. */
export type Fault = { readonly field: string; readonly message: string };

export type Refused = { readonly message: string; readonly faults: readonly Fault[] };

/** What a refusal says: `extensions.errors` names fields as `input.lineItems[0].description`. */
export function refusalOf(error: CombinedError): Refused {
  const [first] = error.graphQLErrors;
  if (first === undefined) return { message: t('Lacre cannot be reached.'), faults: [] };
  // A value of a wrong type is an error of its own for each field.
  const faults = error.graphQLErrors.flatMap(({ extensions }) => (extensions['errors'] ?? []) as Fault[]);
  return { message: first.message, faults };
}

/** Whether the same request may succeed a little later. */
export function mayPass({ graphQLErrors }: CombinedError): boolean {
  const [first] = graphQLErrors;
  const status = Number(first?.extensions['status'] ?? 503);
  return status >= 500 || status === 429;
}

/** Whether it was refused with a code of the service. */
export const hasCode = ({ graphQLErrors }: CombinedError, code: string): boolean =>
  graphQLErrors.some(({ extensions }) => extensions['code'] === code);
