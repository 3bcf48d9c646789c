/** A structured form of an invoice, as callers name it. */
type FormatKind = {
  /** What people call it. */
  readonly label: string;
  readonly mediaType: string;
  /** What the name of its file ends with. */
  readonly extension: string;
  /** Whether its specification is not published yet: the next version of the service may write it otherwise. */
  readonly isProvisional: boolean;
};

/** The structured formats of an invoice, in the order in which they are offered. */
export const FORMATS = {
  ubl: { label: 'UBL 2.1 (EN 16931)', mediaType: 'application/xml', extension: 'xml', isProvisional: false },
  cii: { label: 'CII D16B (EN 16931)', mediaType: 'application/xml', extension: 'xml', isProvisional: false },
  facturx: {
    label: 'Factur-X (PDF/A-3, EN 16931)',
    mediaType: 'application/pdf',
    extension: 'pdf',
    isProvisional: false,
  },
  facturae: {
    label: 'Facturae 3.2.2',
    mediaType: 'application/xml',
    extension: 'xml',
    isProvisional: false,
  },
  facturae_signed: {
    label: 'Facturae 3.2.2 (XAdES)',
    mediaType: 'application/xml',
    extension: 'xsig',
    isProvisional: false,
  },
  ubl_es: {
    label: 'UBL 2.1 (Orden HAC/1028/2026)',
    mediaType: 'application/xml',
    extension: 'xml',
    isProvisional: true,
  },
} as const satisfies Readonly<Record<string, FormatKind>>;

export type FormatName = keyof typeof FORMATS;

export const FORMAT_NAMES = Object.keys(FORMATS) as FormatName[];

/** A format's row, typed alike for all of them. */
export function formatKind(name: FormatName): FormatKind {
  return FORMATS[name];
}

/** What of an invoice may be exported: its pages, and its structured forms. */
export const EXPORTED = ['pdf', ...FORMAT_NAMES] as const;
export type Exported = 'pdf' | FormatName;
