import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of exports of documents. */
export const EXPORT_LIMITS = {
  exportInvoices: {
    group: 'Documents',
    value: 20_000,
    unit: 'items',
    bounds: 'Invoices whose documents can be exported as one ZIP file.',
    reason:
      'A minute or two if the PDFs are stored; about a hundred bytes for each file are kept until the end for the directory of the ZIP file.',
    beyond: '`invalid_request`, entry `too_big`: export a shorter period',
  },
  exportsOpen: {
    group: 'Documents',
    value: 20,
    unit: 'items',
    bounds: 'Exports that a process sends at once.',
    reason:
      'They share the processor time that exports may take: each of twenty is a twentieth as fast, and still sends about one document per second.',
    beyond: '429 `rate_limited`',
  },
  exportsOfEnvironment: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Of these, the exports of one environment.',
    reason:
      'One for a quarter’s documents while another is downloaded; a third would not complete earlier if it started now.',
    beyond: '429 `rate_limited`',
  },
  exportingAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Documents that are rendered at once for exports, one for each environment. Environments take turns document by document, and after each the slot stays empty for as long as it took.',
    reason:
      'No caller waits for a single document of an export, so all exports together take at most the spare time of one processor.',
    beyond: 'the document waits its turn',
  },
} as const satisfies Record<string, Limit>;
