import type { TaxType } from '../../taxes/types.ts';

/** Taxes whose own mention every company starts with (`issuing/tax-catalog.ts`). */
type MentionedTax = Exclude<TaxType, 'vat' | 'igic' | 'ipsi' | 'es_recargo_equivalencia' | 'other'>;

type Parts = { readonly base: string; readonly tax: string; readonly surcharge: string | null };

/**
 * Everything that a document says by itself, in one language: one file each, and one that lacks a text does not
 * compile. What stands under `law` is wanted by law: documents in another language say it in Spanish and in their own.
 */
export type Texts = {
  /** As BCP 47 writes it; names of countries follow it. */
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
    /** The original is what the other system issued: none of these pages may pass for it (RD 1619/2012 art. 14.1). */
    readonly copyOf: (title: string) => string;
    readonly copy: string;
    readonly test: string;
    readonly voided: (day: string) => string;
    readonly reasons: {
      readonly correction: string;
      readonly insolvency: string;
      readonly uncollectible: string;
      readonly other: string;
    };
    readonly differences: string;
    readonly substitution: string;
    /** RD 1619/2012 art. 6.1.m wants the Spanish words. */
    readonly reverseCharge: string;
    /** RD 1619/2012 art. 6.1.ñ. */
    readonly cashAccounting: string;
    readonly ossCountry: (country: string) => string;
    /** Of the mentions that the tax catalog starts with; what a company words itself stays as it is. */
    readonly mentions: Readonly<Record<MentionedTax, string>>;
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
    readonly reason: string;
    readonly method: string;
    readonly amounts: string;
    readonly amountsText: (parts: Parts) => string;
  };
  readonly exchange: { readonly ticket: string; readonly tickets: string };
  readonly notes: string;
  readonly page: (page: number, pages: number) => string;
  readonly recordFile: string;
  readonly structuredFile: string;
};
