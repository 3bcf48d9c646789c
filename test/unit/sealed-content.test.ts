import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DeclaredTax,
  type Link,
  prepareRegistration,
  type RegistrationContent,
} from '../../src/subjects/chain/record-xml.ts';
import { sealedContent } from '../../src/subjects/chain/sealed-content.ts';

const text = (max: number) =>
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: max })
    .filter((t) => !/[\p{Cc}\ufffe\uffff]/u.test(t));
const number = fc.stringMatching(/^[!#-&(-;?-~]{1,20}$/);
const cents = fc.integer({ min: -99_999_999_999_999, max: 99_999_999_999_999 });
const rate = fc.integer({ min: 0, max: 99_999 });
const day = fc
  .date({ min: new Date('2024-11-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
const reference = fc.record({ nif: fc.constant('B72877814'), number, issuedOn: day });
const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: null });

const tax: fc.Arbitrary<DeclaredTax> = fc
  .record({
    agencyTax: fc.constantFrom('01', '02', '03', '05'),
    regimeKey: optional(fc.constantFrom('01', '08', '17')),
    class: fc.constantFrom('S1', 'S2', 'N1', 'N2', 'E1', 'E5'),
    rate: optional(rate),
    base: cents,
    tax: optional(cents),
    surcharge: optional(fc.record({ rate, amount: cents })),
  })
  .map(({ class: treatment, surcharge, ...rest }) => ({
    ...rest,
    operationClass: treatment.startsWith('E') ? null : treatment,
    exemption: treatment.startsWith('E') ? treatment : null,
    surchargeRate: surcharge?.rate ?? null,
    surcharge: surcharge?.amount ?? null,
  }));

const person = fc.record({
  name: text(120),
  identity: fc.oneof(
    fc.record({ nif: fc.constant('12345678Z') }),
    fc.record({
      documentType: fc.constantFrom('02', '03', '07'),
      country: optional(fc.constantFrom('ES', 'US')),
      id: text(20),
    }),
  ),
});

const content: fc.Arbitrary<RegistrationContent> = fc.record({
  issuer: fc.record({ nif: fc.constant('B72877814'), name: text(120) }),
  reference: text(60),
  invoiceType: fc.constantFrom('F1', 'F2', 'F3', 'R1', 'R2', 'R3', 'R4', 'R5'),
  amendment: optional(fc.record({ previouslyRejected: fc.constantFrom('S' as const, 'X' as const, null) })),
  rectification: optional(
    fc.record({
      method: fc.constantFrom('I' as const, 'S' as const),
      rectified: fc.array(reference, { maxLength: 3 }),
      amounts: optional(fc.record({ base: cents, tax: cents, surcharge: optional(cents) })),
    }),
  ),
  exchanged: fc.array(reference, { maxLength: 3 }),
  operationOn: optional(day),
  description: text(500),
  qualifiedSimplified: fc.boolean(),
  recipientUnidentified: fc.boolean(),
  issuedBy: optional(fc.oneof(fc.constant('recipient' as const), person)),
  recipient: optional(person),
  breakdown: fc.array(tax, { minLength: 1, maxLength: 12 }),
  total: cents,
  software: fc.record({
    producerName: text(120),
    producerNif: fc.constant('B72877814'),
    name: text(30),
    id: fc.constant('LC'),
    version: text(50),
    installationNumber: text(100),
    severalBillings: fc.boolean(),
  }),
});

const invoice = { number: 'F-2026-1', issuedOn: '2026-07-01' };
const link: Link = {
  previous: {
    reference: { nif: 'B72877814', number: 'F-2026-0', issuedOn: '2026-06-30' },
    fingerprint: 'A'.repeat(64),
  },
  generatedAt: new Date('2026-07-01T10:00:00Z'),
  timeZone: 'Europe/Madrid',
};

const sealed = (what: RegistrationContent) => prepareRegistration(what).seal(invoice, link);

describe('what a sealed record says', () => {
  test('builds an identical record again', () => {
    fc.assert(
      fc.property(content, (what) => {
        const { xml, fingerprint } = sealed(what);
        expect(sealed(sealedContent(xml))).toEqual({ xml, fingerprint });
      }),
    );
  });

  test('is read as intended', () => {
    const what: RegistrationContent = {
      issuer: { nif: 'B72877814', name: 'Niños & Cía <SL>' },
      reference: 'inv_1',
      invoiceType: 'R1',
      amendment: { previouslyRejected: 'X' },
      rectification: {
        method: 'S',
        rectified: [{ nif: 'B72877814', number: 'F-2026-1', issuedOn: '2026-01-31' }],
        amounts: { base: -105, tax: 5, surcharge: null },
      },
      exchanged: [],
      operationOn: '2026-02-28',
      description: ' "Obra"  menor ',
      qualifiedSimplified: true,
      recipientUnidentified: false,
      issuedBy: 'recipient',
      recipient: { name: 'O’Neill', identity: { documentType: '02', country: null, id: 'IE1234567FA' } },
      breakdown: [
        {
          ...{ agencyTax: '01', regimeKey: '01', operationClass: 'S1', exemption: null },
          ...{ rate: 2_100, base: 10_000, tax: 2_100, surchargeRate: 520, surcharge: 520 },
        },
      ],
      total: 12_620,
      software: {
        ...{ producerName: 'Lacre SL', producerNif: 'B72877814', name: 'Lacre', id: 'LC', version: '1' },
        ...{ installationNumber: '7', severalBillings: true },
      },
    };
    expect(sealedContent(sealed(what).xml)).toEqual(what);
  });
});
