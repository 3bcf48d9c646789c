import type { TaxType } from '../../taxes/types.ts';

/** Taxes whose mention is in every company's initial catalog (`issuing/tax-catalog.ts`). */
type MentionedTax = Exclude<TaxType, 'vat' | 'igic' | 'ipsi' | 'es_recargo_equivalencia' | 'other'>;

type Parts = {
  readonly base: string;
  readonly tax: string;
  readonly surcharge: string | null;
  readonly total: string;
};

/**
 * All fixed texts of a document in one language: one file for each language, and a missing text does not compile.
 * Texts under `law` are required by law: documents in another language contain them in Spanish and translated.
 */
export type Texts = {
  /** As in BCP 47; it determines the names of countries. */
  readonly locale: string;
  readonly figures: {
    readonly decimal: string;
    readonly group: string;
    readonly percent: (number: string) => string;
    /** `sign` is empty or a minus, `currency` a sign like € or a code. */
    readonly money: (sign: string, figure: string, currency: string) => string;
    readonly date: (year: string, month: string, day: string) => string;
  };
  readonly law: {
    readonly title: {
      readonly complete: string;
      readonly simplified: string;
      readonly rectifyingComplete: string;
      readonly rectifyingSimplified: string;
    };
    /**
     * The original was issued by the other system: these pages must not be mistaken for it (RD 1619/2012 art.
     * 14.1).
     */
    readonly copyOf: (title: string) => string;
    readonly copy: string;
    readonly test: string;
    readonly voided: (day: string) => string;
    readonly reasons: {
      readonly correction: string;
      readonly insolvency: string;
      readonly uncollectible: string;
      readonly volume_discount: string;
      readonly other: string;
    };
    readonly differences: string;
    readonly substitution: string;
    /** RD 1619/2012 art. 6.1.m requires the Spanish words. */
    readonly reverseCharge: string;
    /** RD 1619/2012 art. 6.1.ñ. */
    readonly cashAccounting: string;
    readonly ossCountry: (country: string) => string;
    /** The names of taxes in the initial tax catalog, without their rates; a company's own names are not translated. */
    readonly taxes: Readonly<Record<TaxType, string>>;
    /** Translations of the mentions in the initial tax catalog; a company's own wording is not translated. */
    readonly mentions: Readonly<Record<MentionedTax, string>>;
    /** What is said of an exemption by the cause that a line or the catalog states; the provision is cited behind it. */
    readonly exempt: (tax: string) => string;
    readonly exemptAsExport: string;
  };
  readonly qrAlternative: (url: string) => string;
  readonly logoAlternative: (company: string) => string;
  readonly issuer: string;
  readonly recipient: string;
  readonly number: string;
  readonly issuedOn: string;
  readonly operationOn: string;
  readonly nif: string;
  readonly vatNumber: string;
  readonly passport: string;
  readonly officialDocument: string;
  readonly residenceCertificate: string;
  readonly otherTaxId: string;
  readonly lines: {
    readonly description: string;
    readonly quantity: string;
    readonly unitAmount: string;
    readonly tax: string;
    readonly amount: string;
    readonly sku: (sku: string) => string;
    /** Of a line: the invoice that it corrects, where several are corrected. */
    readonly corrects: (number: string) => string;
    readonly carriedOver: string;
    readonly broughtForward: string;
  };
  readonly breakdown: {
    readonly tax: string;
    readonly base: string;
    readonly rate: string;
    readonly amount: string;
    readonly surchargeRate: string;
    readonly surcharge: string;
  };
  readonly totals: {
    readonly net: string;
    readonly tax: (name: string) => string;
    readonly taxes: string;
    readonly surcharge: string;
    readonly total: string;
  };
  readonly rectification: {
    readonly reference: string;
    readonly references: string;
    readonly period: string;
    readonly reason: string;
    readonly method: string;
    readonly amounts: string;
    /** By how much a substitution changes them, which RD 1619/2012 art. 15.5 requires beside what they become. */
    readonly difference: string;
    readonly amountsText: (parts: Parts) => string;
  };
  readonly exchange: { readonly ticket: string; readonly tickets: string };
  readonly notes: string;
  readonly page: (page: number, pages: number) => string;
  readonly recordFile: string;
  readonly structuredFile: string;
};
