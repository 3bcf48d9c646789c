import { TAX_ID, withFieldsOf } from '../../../ground/errors/fields.ts';
import { parseRequest } from '../../../ground/errors/issues.ts';
import type { TaxIdAnswer } from '../../../subjects/recipients/registers/registers.ts';
import { taxIdRequest } from '../../../subjects/recipients/tax-id-request.ts';
import { builder } from '../builder.ts';
import { countRequest, valueOrThrow } from '../errors.ts';
import { inputType } from '../input-type.ts';
import { TaxIdTypeEnum } from './enums.ts';

const RegisterEnum = builder.enumType('Register', { values: ['aeat_census', 'vies'] as const });
const ReasonEnum = builder.enumType('TaxIdReason', {
  values: ['format', 'not_registered', 'name_mismatch'] as const,
});

const TaxIdValidation = builder.objectRef<TaxIdAnswer>('TaxIdValidation').implement({
  fields: (t) => ({
    taxId: t.exposeString('taxId'),
    taxIdType: t.expose('taxIdType', { type: TaxIdTypeEnum, nullable: true }),
    taxIdCountry: t.exposeString('taxIdCountry', { nullable: true }),
    valid: t.exposeBoolean('valid'),
    reason: t.expose('reason', { type: ReasonEnum, nullable: true }),
    register: t.expose('register', {
      type: RegisterEnum,
      nullable: true,
      description: 'The queried register; null if only the format was checked.',
    }),
    registeredName: t.exposeString('registeredName', {
      nullable: true,
      description:
        'The name under which the census knows the NIF, if a similar one was sent; null otherwise.',
    }),
  }),
});

const ValidateTaxIdInput = inputType(taxIdRequest, 'ValidateTaxIdInput');

builder.queryField('validateTaxId', (t) =>
  t.withAuth({ scope: 'issue' }).field({
    type: TaxIdValidation,
    description:
      'Whether a tax id is well formed and, if a register can be queried, registered. Limited per key.',
    args: { input: t.arg({ type: ValidateTaxIdInput, required: true }) },
    resolve: async (_root, { input }, context) => {
      const { caller } = context;
      valueOrThrow(await countRequest(context, caller, 'validate_tax_id'));
      const question = valueOrThrow(parseRequest(taxIdRequest, input));
      const registers = context.services.registers[caller.environment];
      return valueOrThrow(
        withFieldsOf(TAX_ID, await registers.validateTaxId(question, caller.environmentId)),
      );
    },
  }),
);
