/** A structured format of an invoice, by its name for callers. */
type FormatKind = {
  /** Its name for people. */
  readonly label: string;
  readonly mediaType: string;
  /** The end of its file's name. */
  readonly extension: string;
  /**
   * Whether its specification is not published yet, so that a later version of the service may write it
   * differently.
   */
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

/** The entry of a format, with one type for all. */
export function formatKind(name: FormatName): FormatKind {
  return FORMATS[name];
}

/** What can be exported of an invoice: its pages, and its structured formats. */
export const EXPORTED = ['pdf', ...FORMAT_NAMES] as const;
export type Exported = 'pdf' | FormatName;
