import { expect, test } from 'vitest';
import { warningsOf } from '../../src/subjects/issuing/warnings.ts';

type Facts = Parameters<typeof warningsOf>[0];

const TODAY = '2026-11-20';

/** A company's invoice in order, with one thing changed. */
function codesOf({ request = {}, pricing = {} }: { request?: object; pricing?: object }): string[] {
  const facts = {
    request: { type: 'complete', qualifiedSimplified: false, ...request },
    pricing: { lines: [], breakdown: [], total: 10_000, ...pricing },
    today: TODAY,
  } as unknown as Facts;
  return warningsOf(facts).map(({ field, code }) => `${field} ${code}`);
}

const at = (postalCode: string, country = 'ES') => ({ recipient: { address: { postalCode, country } } });
const exported = (agencyTax = '01') => ({
  lines: [{ taxItems: [{ type: 'vat' }] }, { taxItems: [{ type: 'export' }] }],
  breakdown: [
    { type: 'vat', agencyTax: '01' },
    { type: 'export', agencyTax },
  ],
});
const ticket = (total: number, more = {}) => ({
  request: { type: 'simplified', ...more },
  pricing: { total },
});
const EXPORT = 'lineItems[1].taxItems export_within_spain';
const TICKET = 'lineItems simplified_above_400';
const DUE = 'dueDate due_date_past';
const RATE = 'withholding.rate unknown_withholding_rate';
const PLACE = 'recipient.address.postalCode unknown_postal_code';

test.each([
  ['nothing unusual', {}, []],
  ['an export to Madrid', { request: at('28001'), pricing: exported() }, [EXPORT]],
  [
    'an export to Madrid, the country in lower case',
    { request: at('28001', 'es'), pricing: exported() },
    [EXPORT],
  ],
  ...['35001', '38001', '51001', '52001'].map(
    (code) => [`an export to ${code}`, { request: at(code), pricing: exported() }, []] as const,
  ),
  ['an export to Andorra', { request: at('AD500', 'AD'), pricing: exported() }, []],
  ['an export out of the Canary Islands', { request: at('28001'), pricing: exported('03') }, []],
  ['an export to nobody known', { pricing: exported() }, []],
  ['a ticket of 400 EUR', ticket(40_000), []],
  ['a ticket of a cent more', ticket(40_001), [TICKET]],
  [
    'a simplified invoice with its recipient',
    ticket(40_001, { type: 'complete', qualifiedSimplified: true }),
    [TICKET],
  ],
  ['a complete invoice of more', { pricing: { total: 40_001 } }, []],
  ['due today', { request: { dueDate: TODAY } }, []],
  ['due yesterday', { request: { dueDate: '2026-11-19' } }, [DUE]],
  ...[1, 2, 2.8, 6, 7, 7.6, 15, 19, 24, 35].map(
    (rate) => [`${rate} % withheld`, { request: { withholding: { rate } } }, []] as const,
  ),
  ['21 % withheld', { request: { withholding: { rate: 21 } } }, [RATE]],
  ['the first province', { request: at('01001') }, []],
  ['no province', { request: at('53001') }, [PLACE]],
  ['a letter among the digits', { request: at('2800O') }, [PLACE]],
  ['zeros', { request: at('00100') }, [PLACE]],
  ['the same abroad', { request: at('00100', 'IT') }, []],
  [
    'all at once',
    {
      request: {
        ...at('99999'),
        qualifiedSimplified: true,
        dueDate: '2026-01-01',
        withholding: { rate: 99 },
      },
      pricing: { ...exported(), total: 50_000 },
    },
    [EXPORT, TICKET, DUE, RATE, PLACE],
  ],
] as [string, object, string[]][])('%s is warned of as it should be', (_, facts, expected) => {
  expect(codesOf(facts)).toEqual(expected);
});
