import type { Limit } from './limit.ts';

/** The bounds on other people's invoices that are read back; part of `LIMITS`. */
export const READING_LIMITS = {
  readFile: {
    group: 'What others send us',
    value: 20 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'A file that `lacre read` reads, and each document in it once it is unpacked.',
    reason:
      'An invoice of 500 lines is 335 KB of XML; what is larger carries pictures or whole contracts as attachments.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  readTime: {
    group: 'What others send us',
    value: 30_000,
    unit: 'ms',
    bounds:
      'The time in which such a file must have been read and held against our own checks, in a thread of its own with 512 MiB of heap.',
    reason: 'The largest takes some seconds.',
    beyond: 'it is refused with `invalid_request`, entry `too_costly`',
  },
  readDocuments: {
    group: 'What others send us',
    value: 200,
    unit: 'items',
    bounds: 'Documents that are read of one ZIP file, and entries that it may have for each of them.',
    reason: 'What merchants send in is a handful; each document is a page of its own.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  readUnpacked: {
    group: 'What others send us',
    value: 64 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'What is unpacked of one file altogether: streams of a PDF, documents in a ZIP file.',
    reason: 'Three times the largest file; deflated text grows a thousandfold where somebody wants it to.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  readXmlDepth: {
    group: 'What others send us',
    value: 64,
    unit: 'levels',
    bounds: 'Levels of elements in such a document.',
    reason: 'The deepest element of the formats and their signatures is below twenty.',
    beyond: 'it is refused with `invalid_request`, entry `invalid_format`',
  },
  readXmlElements: {
    group: 'What others send us',
    value: 300_000,
    unit: 'items',
    bounds: 'Elements and attributes of such a document.',
    reason: 'A line has some forty of them: room for thousands of lines.',
    beyond: 'it is refused with `invalid_request`, entry `invalid_format`',
  },
  readPdfObjects: {
    group: 'What others send us',
    value: 100_000,
    unit: 'items',
    bounds: 'Objects of a PDF that are looked at for the invoice in it.',
    reason: 'A document of a hundred pages has some thousands.',
    beyond: 'it is refused with `invalid_request`, entry `too_big`',
  },
  checksWaiting: {
    group: 'Documents',
    value: 20,
    unit: 'items',
    bounds:
      'Documents of invoices of more than 50 lines that wait in a process to be held against the rules of their format.',
    reason: 'Each takes some 300 ms in a thread: the last of them waits six seconds.',
    beyond: '`invoice.formats.findings` is null, which means that it was not checked',
  },
} as const satisfies Record<string, Limit>;
