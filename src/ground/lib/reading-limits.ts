import type { Limit } from './limit.ts';

/** The limits of reading invoices from others; part of `LIMITS`. */
export const READING_LIMITS = {
  readFile: {
    group: 'What others send us',
    value: 20 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'A file that `lacre read` reads, and each document in it once it is decompressed.',
    reason:
      'An invoice of 500 lines is 335 KB of XML; larger files contain images or whole contracts as attachments.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  readTime: {
    group: 'What others send us',
    value: 30_000,
    unit: 'ms',
    bounds:
      'The time in which such a file must have been read and checked against our own rules, in its own thread with a heap of 512 MiB.',
    reason: 'The largest file takes a few seconds.',
    beyond: 'it is refused with `invalid_request`, entry `too_costly`',
  },
  readDocuments: {
    group: 'What others send us',
    value: 200,
    unit: 'items',
    bounds: 'Documents that are read from one ZIP file, and entries that it may have for each of them.',
    reason: 'Merchants send a handful; each document is shown on a page of its own.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  readUnpacked: {
    group: 'What others send us',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'Decompressed data of one file in total: streams of a PDF, documents in a ZIP file.',
    reason: 'Three times the largest file; a malicious file can expand a thousandfold.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  readXmlDepth: {
    group: 'What others send us',
    value: 64,
    unit: 'levels',
    bounds: 'Nesting levels of elements in such a document.',
    reason: 'The deepest element of the formats and their signatures is on a level below twenty.',
    beyond: 'it is refused with `invalid_request`, entry `invalid_format`',
  },
  readXmlElements: {
    group: 'What others send us',
    value: 300_000,
    unit: 'items',
    bounds: 'Elements and attributes of such a document.',
    reason: 'A line has about forty of them, so there is room for thousands of lines.',
    beyond: 'it is refused with `invalid_request`, entry `invalid_format`',
  },
  readPdfObjects: {
    group: 'What others send us',
    value: 100_000,
    unit: 'items',
    bounds: 'Objects of a PDF that are searched for the invoice.',
    reason: 'A document of a hundred pages has a few thousand.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  checksWaiting: {
    group: 'Documents',
    value: 20,
    unit: 'items',
    bounds:
      'Documents of invoices of more than 50 lines that wait in a process to be checked against the rules of their format.',
    reason: 'Each takes about 300 ms in a thread, so the last of them waits for six seconds.',
    beyond: '`invoice.formats.findings` is null, which means that it was not checked',
  },
} as const satisfies Record<string, Limit>;
