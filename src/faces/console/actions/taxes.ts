import { invalidField, isRefusal, Refusal } from '../../../ground/errors/refusal.ts';
import { chosen } from '../choices.ts';
import { companyScopeOf } from '../company.ts';
import type { Action, ActionField } from '../page.ts';
import { stored } from '../query.ts';
import { AGENCY_TAXES, CLASSES, EXEMPTIONS, isTaxType, TAX_CATALOG, type TaxRow } from '../taxes.ts';
import { said } from '../words.ts';

const SET = stored(
  'mutation ConsoleSetTax($input: TaxCatalogRowInput!) { setTaxCatalogRow(input: $input) { taxType } }',
);

const unknownType = () => new Refusal('not_found', 'There is no such tax type.');

function fields(row: TaxRow | undefined): readonly ActionField[] {
  return [
    { name: 'label', label: 'Printed name', value: row?.label ?? '', max: 60, width: 'half' },
    {
      ...({ name: 'agencyTax', label: 'Tax', hint: 'Impuesto', width: 'half' } as const),
      ...{ value: row?.agencyTax ?? 'vat', choices: AGENCY_TAXES },
    },
    {
      ...({ name: 'operationClass', label: 'Class', hint: 'CalificacionOperacion', width: 'half' } as const),
      ...{ value: row?.operationClass ?? '', choices: CLASSES, optional: true },
    },
    {
      ...({ name: 'exemption', label: 'Exemption', hint: 'OperacionExenta', width: 'half' } as const),
      ...{ value: row?.exemption ?? '', choices: EXEMPTIONS, optional: true },
    },
    {
      ...({
        name: 'regimeKey',
        label: 'Regime key',
        hint: 'ClaveRegimen, two digits',
        width: 'half',
      } as const),
      ...{ value: row?.regimeKey ?? '', max: 2, optional: true },
    },
    {
      ...({
        name: 'legalMention',
        label: 'Legal mention',
        hint: 'Printed below the breakdown, in Spanish.',
      } as const),
      ...{ value: row?.legalMention ?? '', max: 300, optional: true },
    },
  ];
}

export const setTax: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const taxType = context.param('taxType');
    if (!isTaxType(taxType)) return unknownType();
    const found = await TAX_CATALOG(context, { companyId: companyScope.companyId });
    if (isRefusal(found)) return found;
    const row = found.taxCatalog.find((one) => one.taxType === taxType);
    return {
      title:
        row === undefined ? said('Add {type}', { type: taxType }) : said('Change {type}', { type: taxType }),
      companyScope: companyScope,
      lead: 'It counts for invoices from now on; what was issued stays as it was declared. Exactly one of class and exemption is set. What the agency would reject is refused.',
      fields: fields(row),
      submit: 'Save it',
      back: `/companies/${companyScope.companyId}/taxes`,
    };
  },
  async perform(context, entries) {
    const entryOrNull = (name: string) => entries(name) || null;
    const taxType = context.param('taxType');
    if (!isTaxType(taxType)) return unknownType();
    const agencyTax = chosen(AGENCY_TAXES, entries('agencyTax'));
    if (agencyTax === null) return invalidField('agencyTax', 'invalid_value', 'is no tax of the agency');
    const input = {
      ...{ companyId: context.param('companyId'), taxType },
      ...{ agencyTax, label: entries('label'), regimeKey: entryOrNull('regimeKey') },
      ...{ operationClass: chosen(CLASSES, entries('operationClass')) || null },
      ...{ exemption: chosen(EXEMPTIONS, entries('exemption')) || null },
      ...{ legalMention: entryOrNull('legalMention'), reason: entries('reason') },
    };
    const done = await SET(context, { input });
    return isRefusal(done) ? done : { flash: said('{type} is saved.', { type: taxType }) };
  },
};

const REMOVE = stored(
  `mutation ConsoleRemoveTax($companyId: ID!, $taxType: TaxType!, $reason: String!) {
    removeTaxCatalogRow(companyId: $companyId, taxType: $taxType, reason: $reason) { taxType }
  }`,
);

export const removeTax: Action = {
  async prepare(context) {
    const companyScope = await companyScopeOf(context);
    if (isRefusal(companyScope)) return companyScope;
    const taxType = context.param('taxType');
    if (!isTaxType(taxType)) return unknownType();
    return {
      title: said('Remove {type}', { type: taxType }),
      companyScope: companyScope,
      lead: 'Invoices with this tax are refused until it is added again.',
      submit: 'Take it out',
      irreversible: true,
      back: `/companies/${companyScope.companyId}/taxes`,
    };
  },
  async perform(context, entries) {
    const [companyId, taxType] = [context.param('companyId'), context.param('taxType')];
    if (!isTaxType(taxType)) return unknownType();
    const done = await REMOVE(context, { companyId, taxType, reason: entries('reason') });
    return isRefusal(done) ? done : { flash: said('{type} was removed.', { type: taxType }) };
  },
};
