import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of answers of the agency. */
export const AGENCY_LIMITS = {
  agencyConnection: {
    group: 'What others send us',
    value: 10_000,
    unit: 'ms',
    bounds: 'The time in which a connection to the agency must be established.',
    reason:
      'A reachable host completes the handshake in well under a second; ten seconds tolerate a lost packet or two.',
    beyond: 'Nothing was sent; the attempt is repeated later',
  },
  agencyAnswer: {
    group: 'What others send us',
    value: 60_000,
    unit: 'ms',
    bounds: 'The time in which the agency’s answer must have arrived completely, however slowly it is sent.',
    reason: 'The service answers synchronously, even to 1,000 records.',
    beyond: 'The agency is asked what it holds before anything is sent again',
  },
  agencyAnswerSize: {
    group: 'What others send us',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'An answer of the agency. It is parsed as it arrives; a compressed one is not decompressed.',
    reason: '1,000 lines with messages of 1,500 characters are less than 4 MB.',
    beyond: 'The connection is closed, and the answer counts as missing',
  },
  uselessAnswer: {
    group: 'What others send us',
    value: 65_536,
    unit: 'items',
    bounds:
      'Characters stored of an answer of the agency that decides no record: a fault, or one that cannot be read. The latter is read no further.',
    reason:
      'The beginning shows what it was: a fault of the agency, or the page of a proxy. Otherwise each attempt could store eight megabytes.',
    beyond: 'the end is cut off; answers that decide records are stored completely',
  },
  agencyPage: {
    group: 'What others send us',
    value: 20_000,
    unit: 'items',
    bounds:
      'Records in one page of what the agency holds, when a chain is compared after a restore. Pages are read as they arrive; their number, total size and total time are not limited, as long as more data arrives within the time limit of an answer.',
    reason:
      'The agency’s pages have 10,000; about 200 bytes of each record are kept until its page is compared.',
    beyond: 'The page counts as unreadable and is requested again',
  },
} as const satisfies Record<string, Limit>;
