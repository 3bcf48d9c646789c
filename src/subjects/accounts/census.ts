import type { Refusal } from '../../ground/errors/refusal.ts';
import { flag } from '../../ground/lib/request-fields.ts';

/**
 * Asks the census whether a NIF has a name: null, `invalid_tax_id`, or `tax_id_validation_unavailable` when it does not
 * answer. It is asked with the certificate of the environment, or with the platform's for a company that has none yet.
 */
export type AsksCensus = (
  issuer: { readonly nif: string; readonly name: string },
  environmentId: number | null,
) => Promise<Refusal | null>;

export const withoutCensus = flag.describe(
  'True: the census is not asked whether the NIF has this name, and the audit log says so. For a company that it does not know yet, or while it does not answer.',
);
