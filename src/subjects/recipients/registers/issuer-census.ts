import { type Outcome, Refusal } from '../../../ground/errors/refusal.ts';
import type { Registers } from './registers.ts';

/** No environment has it: the census is asked with the certificate that all share. */
const NONE = 0;

/**
 * Asks the census whether a NIF has a name, for a company that is created or renamed: null, `invalid_tax_id`, or
 * `tax_id_validation_unavailable` when it does not answer.
 */
export function issuerCensus({ validateTaxId }: Pick<Registers, 'validateTaxId'>) {
  return async (
    { nif, name }: { readonly nif: string; readonly name: string },
    environmentId: number | null,
  ): Promise<Refusal | null> => {
    const question = { taxId: nif, taxIdType: 'es_nif' as const, name };
    const answer: Outcome<{ valid: boolean; registeredName: string | null }> = await validateTaxId(
      question,
      environmentId ?? NONE,
    );
    if (answer instanceof Refusal) return answer;
    if (answer.valid) return null;
    const { registeredName } = answer;
    const known = registeredName === null ? '' : ` It knows a similar one, ${registeredName}.`;
    return new Refusal(
      'invalid_tax_id',
      `The census does not know the NIF ${nif} under the name ${name}.${known}`,
    );
  };
}
