import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { splitName } from '../../src/subjects/formats/facturae/person-name.ts';
import type { FacturaeSource } from '../../src/subjects/formats/facturae/source.ts';
import { countryCode } from '../../src/subjects/formats/facturae/tables/countries.ts';
import { ACCEPTED_COUNTRIES } from '../../src/subjects/recipients/countries.ts';
import { documentOf, invoiceOf, refusalOf, type Tree } from '../support/formats/facturae-documents.ts';
import { HAVE_SCHEMAS, schemaText } from '../support/formats/facturae-schema.ts';
import { COMPANY_BUYER, facturaeSource } from '../support/formats/facturae-source.ts';

const fieldsOf = (given: Partial<FacturaeSource>) => refusalOf(given).errors.map(({ field }) => field);

describe('parties', () => {
  test('companies with their names, addresses and provinces', () => {
    const { SellerParty, BuyerParty } = documentOf().Parties;
    expect(SellerParty).toEqual({
      TaxIdentification: {
        PersonTypeCode: 'J',
        ResidenceTypeCode: 'R',
        TaxIdentificationNumber: 'B72877814',
      },
      LegalEntity: {
        CorporateName: 'Talleres Ñandú & Cía SL',
        AddressInSpain: {
          Address: 'Calle Mayor 1',
          PostCode: '28001',
          Town: 'Madrid',
          Province: 'Madrid',
          CountryCode: 'ESP',
        },
      },
    });
    expect(BuyerParty.LegalEntity).toMatchObject({
      CorporateName: 'Construcciones del Norte SA',
      AddressInSpain: { Address: 'Avenida de la Constitución 25, 3.º B', Province: 'Asturias' },
      ContactDetails: { ContactPersons: 'Ana Müller García' },
    });
  });

  test('a natural person by the letter of the NIF, its name in parts', () => {
    const recipient = {
      ...COMPANY_BUYER,
      taxId: '12345678Z',
      companyName: null,
      name: 'Peña de la Torre María del Mar',
    };
    const { BuyerParty } = documentOf({ recipient }).Parties;
    expect(BuyerParty.TaxIdentification.PersonTypeCode).toBe('F');
    expect(BuyerParty.Individual).toMatchObject({
      Name: 'María del Mar',
      FirstSurname: 'Peña',
      SecondSurname: 'de la Torre',
    });
  });

  test('the parts that were sent come before those of the order', () => {
    const person = {
      ...COMPANY_BUYER,
      companyName: null,
      givenName: 'Ana María',
      surnames: 'Ruiz de la Torre',
    };
    const inParts = { Name: 'Ana María', FirstSurname: 'Ruiz', SecondSurname: 'de la Torre' };
    const named = { ...person, taxId: '12345678Z', name: 'Ana María Ruiz de la Torre' };
    expect(documentOf({ recipient: named }).Parties.BuyerParty.Individual).toMatchObject(inParts);
    const foreign = { ...named, taxId: '12-3456789', taxIdType: 'other', taxIdCountry: 'US' };
    expect(documentOf({ recipient: foreign }).Parties.BuyerParty.Individual).toMatchObject(inParts);
  });

  test.each([
    ['GARCIA LOPEZ ANA', 'ANA', 'GARCIA', 'LOPEZ'],
    ['García López Juan Carlos', 'Juan Carlos', 'García', 'López'],
    ['DE LA FUENTE RUIZ MARIA DEL CARMEN', 'MARIA DEL CARMEN', 'DE LA FUENTE', 'RUIZ'],
    ['GARCIA DE LA TORRE MARIA JOSE', 'MARIA JOSE', 'GARCIA', 'DE LA TORRE'],
    ['ORTEGA Y GASSET JOSE', 'JOSE', 'ORTEGA', 'Y GASSET'],
    ['GARCIA MARIA DEL CARMEN', 'MARIA DEL CARMEN', 'GARCIA', null],
    ['GARCIA ANA', 'ANA', 'GARCIA', null],
    ['LOPEZ, ANA', 'ANA', 'LOPEZ', null],
    ['LOPEZ, MARIA JOSE', 'MARIA JOSE', 'LOPEZ', null],
    ['DE LA TORRE PEÑA, EVA', 'EVA', 'DE LA TORRE', 'PEÑA'],
  ])('with a Spanish NIF in the order of the census: %s', (full, name, firstSurname, secondSurname) => {
    expect(splitName(full, { registered: true })).toEqual({ name, firstSurname, secondSurname });
  });

  test.each([
    ['Jane Doe', 'Jane', 'Doe', null],
    ['José Antonio de la Fuente Ruiz', 'José Antonio', 'de la Fuente', 'Ruiz'],
    ['García López, Ana María', 'Ana María', 'García', 'López'],
    ['Müller, Jörg', 'Jörg', 'Müller', null],
  ])('with another id, surnames last: %s', (full, name, firstSurname, secondSurname) => {
    expect(splitName(full, { registered: false })).toEqual({ name, firstSurname, secondSurname });
  });

  test('a single word is not divided', () => {
    expect([true, false].map((registered) => splitName('MADONNA', { registered }))).toEqual([null, null]);
  });

  test('the issuer is a person of the census too', () => {
    const { issuer } = facturaeSource();
    const { SellerParty } = documentOf({
      issuer: { ...issuer, nif: '12345678Z', legalName: 'GARCIA LOPEZ ANA' },
    }).Parties;
    expect(SellerParty.Individual).toMatchObject({
      ...{ Name: 'ANA', FirstSurname: 'GARCIA', SecondSurname: 'LOPEZ' },
    });
  });

  test('no word of a name is lost or moved', () => {
    const word = fc.constantFrom('Ana', 'de', 'la', 'Peña', 'DEL', 'Ruiz', 'y', 'O’Neill');
    fc.assert(
      fc.property(fc.array(word, { minLength: 2, maxLength: 7 }), fc.boolean(), (words, registered) => {
        const parts = splitName(words.join(' '), { registered });
        fc.pre(parts !== null);
        const { name, firstSurname, secondSurname } = parts;
        const joined = registered ? [firstSurname, secondSurname, name] : [name, firstSurname, secondSurname];
        expect(joined.filter((part) => part !== null).join(' ')).toBe(words.join(' '));
        for (const part of [name, firstSurname]) expect(part).not.toBe('');
      }),
    );
  });

  test('of another member state: residence U, both numbers under their country, an address abroad', () => {
    const recipient = {
      ...COMPANY_BUYER,
      taxId: 'PL5261040828',
      taxIdType: 'eu_vat',
      taxIdCountry: 'PL',
      country: 'PL',
      postalCode: '90-001',
      city: 'Łódź',
    };
    const { SellerParty, BuyerParty } = documentOf({ recipient }).Parties;
    expect(SellerParty.TaxIdentification.TaxIdentificationNumber).toBe('ESB72877814');
    expect(BuyerParty.TaxIdentification).toEqual({
      PersonTypeCode: 'J',
      ResidenceTypeCode: 'U',
      TaxIdentificationNumber: 'PL5261040828',
    });
    expect(BuyerParty.LegalEntity.OverseasAddress).toEqual({
      Address: 'Avenida de la Constitución 25, 3.º B',
      PostCodeAndTown: '90-001 Łódź',
      Province: 'Łódź',
      CountryCode: 'POL',
    });
  });

  test('from elsewhere: residence E, a passport is a person’s', () => {
    const recipient = {
      ...COMPANY_BUYER,
      name: 'Jane Doe',
      companyName: null,
      taxId: 'X123456',
      taxIdType: 'passport',
      taxIdCountry: 'GB',
      country: 'GB',
      postalCode: 'SW1A 1AA',
      city: 'London',
    };
    const { BuyerParty } = documentOf({ recipient }).Parties;
    expect(BuyerParty.TaxIdentification).toMatchObject({ PersonTypeCode: 'F', ResidenceTypeCode: 'E' });
    expect(BuyerParty.Individual).toMatchObject({ Name: 'Jane', FirstSurname: 'Doe' });
  });

  test.skipIf(!HAVE_SCHEMAS)('every country is one of the schema’s, or refused', () => {
    const [list = ''] =
      /<xs:simpleType name="CountryType">[\s\S]*?<\/xs:simpleType>/.exec(schemaText()) ?? [];
    const known = new Set([...list.matchAll(/enumeration value="(\w{3})"/g)].map(([, code]) => code));
    expect(known.size).toBeGreaterThan(200);
    const refused = [...ACCEPTED_COUNTRIES].filter((country) => countryCode(country) === null);
    for (const country of ACCEPTED_COUNTRIES) {
      if (refused.includes(country)) continue;
      expect(known, country).toContain(countryCode(country));
    }
    expect(refused).toEqual(
      'AQ BL BQ BV CC CW CX GS HM IO MF SS SX TF UM'
        .split(' ')
        .filter((country) => ACCEPTED_COUNTRIES.has(country)),
    );
  });

  test('the offices of a public body from the buyer’s reference', () => {
    const buyerReference = 'L01280796 / L01280797 / LA0001337';
    const invoice = documentOf({ references: { ...facturaeSource().references, buyerReference } });
    const centres = invoice.Parties.BuyerParty.AdministrativeCentres.AdministrativeCentre;
    expect(centres.map((centre: Tree) => [centre.RoleTypeCode, centre.CentreCode])).toEqual([
      ['01', 'L01280796'],
      ['02', 'L01280797'],
      ['03', 'LA0001337'],
    ]);
    expect(centres[0].AddressInSpain.PostCode).toBe('33201');
  });

  test('a buyer’s reference of another kind is among the additional information', () => {
    const buyerReference = 'L01280796';
    const document = documentOf({ references: { ...facturaeSource().references, buyerReference } });
    expect(document.Parties.BuyerParty.AdministrativeCentres).toBeUndefined();
    const { AdditionalData } = document.Invoices.Invoice;
    expect(AdditionalData.InvoiceAdditionalInformation).toBe('Referencia del comprador: L01280796');
  });
});

describe('corrections', () => {
  const rectification = {
    reason: 'insolvency',
    corrected: [
      { number: 'F-2026-9', issuedOn: '2026-02-10', operationOn: '2026-01-31' },
      { number: 'R-2026-1', issuedOn: '2026-03-01', operationOn: null },
    ],
  } as const;

  test('state what they correct, why, how and of which period', () => {
    const { InvoiceHeader } = invoiceOf({
      kind: 'rectifying_differences',
      number: 'R-2026-2',
      rectification,
    });
    expect(InvoiceHeader.InvoiceClass).toBe('OR');
    expect(InvoiceHeader.Corrective).toEqual({
      InvoiceNumber: '9',
      InvoiceSeriesCode: 'F-2026-',
      ReasonCode: '85',
      ReasonDescription:
        'Base imponible modificada cuotas repercutidas no satisfechas. Auto de declaración de concurso',
      TaxPeriod: { StartDate: '2026-01-01', EndDate: '2026-01-31' },
      CorrectionMethod: '02',
      CorrectionMethodDescription: 'Rectificación por diferencias',
      AdditionalReasonDescription:
        'Concurso de acreedores (art. 80 Tres LIVA). Rectifica también R-2026-1 (2026-03-01)',
      InvoiceIssueDate: '2026-02-10',
    });
  });

  test('a substitution states the whole operation', () => {
    const given = { ...rectification, reason: 'correction' } as const;
    const { Corrective } = invoiceOf({ kind: 'rectifying_substitution', rectification: given }).InvoiceHeader;
    expect(Corrective).toMatchObject({ ReasonCode: '10', CorrectionMethod: '01' });
  });

  test.each([
    ['correction', '10'],
    ['insolvency', '85'],
    ['uncollectible', '16'],
    ['other', '10'],
  ] as const)('of cause %s have the code %s', (reason, code) => {
    const given = { ...rectification, reason };
    const { Corrective } = invoiceOf({ kind: 'rectifying_differences', rectification: given }).InvoiceHeader;
    expect(Corrective).toMatchObject({ ReasonCode: code, CorrectionMethod: '02' });
  });

  test('an exchange names every simplified invoice that it was issued for', () => {
    const exchanged = Array.from({ length: 300 }, (_, index) => ({
      number: `T-2026-${index}`,
      issuedOn: '2026-06-01',
    }));
    const { InvoiceHeader, LegalLiterals } = invoiceOf({ kind: 'exchange', exchanged });
    expect(InvoiceHeader).toMatchObject({ InvoiceDocumentType: 'FC', InvoiceClass: 'OO' });
    expect(LegalLiterals.LegalReference.filter((text: string) => text.startsWith('En canje'))).toHaveLength(
      300,
    );
  });
});

describe('what the format cannot express is refused, naming the element', () => {
  const entity = 'Parties/BuyerParty/LegalEntity';
  const buyer = (more: Partial<typeof COMPANY_BUYER>) => ({ recipient: { ...COMPANY_BUYER, ...more } });

  test.each<[string, Partial<FacturaeSource>]>([
    ['Parties/BuyerParty', { recipient: null }],
    ['Parties/BuyerParty/TaxIdentification/TaxIdentificationNumber', buyer({ taxId: null })],
    [
      'Parties/BuyerParty/TaxIdentification/TaxIdentificationNumber',
      buyer({ taxId: 'X'.repeat(31), taxIdType: 'other' }),
    ],
    [`${entity}/CorporateName`, buyer({ companyName: 'X'.repeat(81) })],
    [`${entity}/AddressInSpain/Address`, buyer({ line1: 'X'.repeat(81) })],
    [`${entity}/AddressInSpain/PostCode`, buyer({ postalCode: '99999' })],
    [`${entity}/AddressInSpain/Town`, buyer({ city: 'X'.repeat(51) })],
    [`${entity}/OverseasAddress/CountryCode`, buyer({ country: 'CW', taxIdType: 'other' })],
    [
      'Parties/BuyerParty/Individual/FirstSurname',
      buyer({ taxId: '12345678Z', companyName: null, name: 'Madonna' }),
    ],
    [
      'Invoices/Invoice/InvoiceIssueData/ReceiverTransactionReference',
      { references: { ...facturaeSource().references, purchaseOrder: 'X'.repeat(21) } },
    ],
    ['Invoices/Invoice/AdditionalData/InvoiceAdditionalInformation', { notes: 'X'.repeat(2_501) }],
  ])('%s', (field, given) => {
    expect(fieldsOf(given)).toEqual([field]);
    expect(refusalOf(given).detail).toContain(field);
  });

  test('all of them at once', () => {
    expect(fieldsOf(buyer({ companyName: 'X'.repeat(81), city: 'X'.repeat(51) }))).toHaveLength(2);
  });

  test('a number of another system that is longer than both elements', () => {
    const corrected = [{ number: 'X'.repeat(41), issuedOn: '2026-01-01', operationOn: null }];
    const given = { kind: 'rectifying_differences', rectification: { reason: 'other', corrected } } as const;
    expect(fieldsOf(given)).toEqual(['Invoices/Invoice/InvoiceHeader/Corrective/InvoiceNumber']);
  });

  test('an invoice that was voided, or that another system issued', () => {
    expect(refusalOf({ voidedOn: '2026-07-02' }).detail).toMatch(/voided on 2026-07-02/);
    expect(refusalOf({ imported: true }).detail).toMatch(/another system/);
  });

  test('an invoice of a third party, whose address is not known', () => {
    expect(refusalOf({ issuedBy: 'third_party' }).detail).toMatch(/third party.*address the format demands/);
  });
});
