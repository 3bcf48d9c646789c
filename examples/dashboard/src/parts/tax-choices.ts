import { useQuery } from 'urql';
import { TaxTypes } from '../documents-settings.ts';
import { inNumbers } from '../format.ts';
import { t, words } from '../language.ts';
import { type Tax, VAT } from './draft.ts';

export type TaxChoice = {
  readonly name: string;
  readonly tax: Tax;
  /** Whether any rate may be typed. */
  readonly isAnyRate: boolean;
  /** How it may be classified beside its standard. */
  readonly treatments: readonly Tax['treatment'][];
};

const usual = (rate: number): TaxChoice => ({
  name: `${inNumbers(rate)} %`,
  tax: { ...VAT, rate: String(rate) },
  ...{ isAnyRate: false, treatments: [] },
});

/** The taxes that the company may put on a line: until they are known, the rates of VAT. */
export function useTaxChoices(): readonly TaxChoice[] {
  const [{ data }] = useQuery({ query: TaxTypes });
  const types = data?.taxTypes;
  if (types == null) return [21, 10, 4].map(usual);
  const choices = types
    .filter(({ type }) => type !== 'es_recargo_equivalencia')
    .flatMap(({ type, rates, treatments }): TaxChoice[] => {
      const others = treatments.map(({ regimeKey, operationClass, exemption }) => ({
        ...(regimeKey === null ? {} : { regimeKey }),
        ...(operationClass === null ? {} : { operationClass }),
        ...(exemption === null ? {} : { exemption }),
      }));
      const shared = { treatments: others, isAnyRate: rates === null };
      const named = (rate: number) =>
        type === 'vat' ? usual(rate).name : `${words(type)} ${inNumbers(rate)} %`;
      const isFree = rates?.every((rate) => rate === 0) === true;
      if (isFree && type !== 'vat' && type !== 'igic')
        return [{ ...shared, name: words(type), tax: { type, rate: '', treatment: {} } }];
      if (rates === null)
        return [
          { ...shared, name: `${words(type)}, ${t('other rate')}`, tax: { type, rate: '', treatment: {} } },
        ];
      return rates.map((rate) => ({
        ...shared,
        name: named(rate),
        tax: { type, rate: String(rate), treatment: {} },
      }));
    });
  return choices.sort((one, other) => orderOf(one.tax) - orderOf(other.tax));
}

/** VAT first, from its highest rate, so that what is chosen most often is at the top. */
const orderOf = ({ type, rate }: Tax) => (type === 'vat' ? -Number(rate) : 1);

/** The choice that a tax is, or one of its own where the form does not offer it. */
export function choiceOf(choices: readonly TaxChoice[], { type, rate }: Tax): TaxChoice {
  const of = choices.filter(({ tax }) => tax.type === type);
  const found =
    of.find(({ tax }) => Number(tax.rate) === Number(rate)) ?? of.find(({ isAnyRate }) => isAnyRate);
  const name = rate === '' || Number(rate) === 0 ? words(type) : `${words(type)} ${rate} %`;
  return found ?? { name, tax: { type, rate, treatment: {} }, isAnyRate: false, treatments: [] };
}

/** `S1 · 01` */
export const treatmentName = ({ operationClass, exemption, regimeKey }: Tax['treatment']) =>
  [operationClass ?? exemption, regimeKey].filter(Boolean).join(' · ');
