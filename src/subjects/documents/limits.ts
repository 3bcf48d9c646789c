import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of rendering and reading documents, and of logos. */
export const DOCUMENT_LIMITS = {
  rendersAtOnce: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds:
      'Documents that are rendered at once in a process: one is drawn while the other is read or stored. One more if it has at most 50 lines and a request waits for it. Environments take turns, downloads before jobs.',
    reason: 'Drawing occupies a processor. A short document must not wait for a long one.',
    beyond: 'the document waits its turn',
  },
  rendersWaiting: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds:
      'Downloads of one environment that wait in a process for documents that have not been rendered yet.',
    reason: 'With 500 lines each they take ten seconds to render.',
    beyond: '429 `rate_limited`',
  },
  documentsRead: {
    group: 'Documents',
    value: 4,
    unit: 'items',
    bounds: 'Stored documents that a process reads at once for downloads. Environments take turns.',
    reason:
      'Each is completely in memory while it is read and its checksum is verified; reading more at once is not faster.',
    beyond: 'the download waits; downloads of the same document share one read',
  },
  documentsReadOfEnvironment: {
    group: 'Documents',
    value: 2,
    unit: 'items',
    bounds: 'Of these, the documents of one environment.',
    reason: 'Two environments can read at the same time, however much either of them requests.',
    beyond: 'the download waits its turn',
  },
  documentsWaiting: {
    group: 'Documents',
    value: 100,
    unit: 'items',
    bounds: 'Stored documents of one environment that wait in a process to be read.',
    reason: 'They are read within a second.',
    beyond: '503 `service_unavailable`',
  },
  logoImage: {
    group: 'What others send us',
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'An uploaded logo, PNG or JPEG, as sent and as stored.',
    reason:
      'Every document of the company contains it: with the largest one, ten thousand documents take 2.5 GiB.',
    beyond: '400 `invalid_request`, entry `too_big`',
  },
  logoDrawing: {
    group: 'What others send us',
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'An uploaded logo, SVG.',
    reason:
      'It is rendered for every document, in 10 ms for this size; the outlines of a logo take a tenth of it.',
    beyond: '400 `invalid_request`, entry `too_big`',
  },
  logoPixels: {
    group: 'What others send us',
    value: 1_000_000,
    unit: 'items',
    bounds: 'Pixels of such an image, by its header, before it is decoded.',
    reason:
      'Its area is 55 by 22 mm: at 600 dots per inch, finer than printers and screens show, 0.7 million, and a third more for square ones. Checking so many takes some tenths of a second.',
    beyond: '400 `invalid_request`, entry `too_many_pixels`',
  },
  logoTime: {
    group: 'What others send us',
    value: 10_000,
    unit: 'ms',
    bounds: 'The time in which a logo must have been read, in its own thread with a heap of 96 MiB.',
    reason: 'The largest image, of a million pixels, takes a few tenths of a second.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  logosWaiting: {
    group: 'What others send us',
    value: 4,
    unit: 'items',
    bounds: 'Logos that wait while one is read. A process reads one at a time.',
    reason: 'A company sets its logo once; four waiting ones are read within seconds.',
    beyond: '429 `rate_limited`',
  },
} as const satisfies Record<string, Limit>;
