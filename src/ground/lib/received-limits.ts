import type { Limit } from './limit.ts';

/** The bounds on the files that callers send and on what the agency and the registers answer; part of `LIMITS`. */
export const RECEIVED_LIMITS = {
  certificateSize: {
    group: 'What others send us',
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'An uploaded certificate file.',
    reason: 'A certificate with its key and all its issuers has less than 20 KiB.',
    beyond: '400 `invalid_request`, entry `too_big`',
  },
  certificateDerivation: {
    group: 'What others send us',
    value: 1_000_000,
    unit: 'items',
    bounds: 'Rounds of hashing by which one key is derived from the password of such a file.',
    reason: 'FNMT’s programs and OpenSSL write 2,048, Java 10,000, Firefox 600,000.',
    beyond: '400 `invalid_request`, entry `unsupported_algorithm`',
  },
  certificateRounds: {
    group: 'What others send us',
    value: 3_000_000,
    unit: 'items',
    bounds: 'Rounds of hashing of all derivations in such a file together.',
    reason:
      'A seal, the certificates and the key are three derivations; with Firefox’ 600,000 each they are 1.8 million, and there may be another for the issuers and for a second key.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  certificateBags: {
    group: 'What others send us',
    value: 32,
    unit: 'items',
    bounds: 'Certificates, keys and other entries in such a file, PKCS#12 or PEM.',
    reason: 'One with its key and its issuers has five at most; some programs export their whole store.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  certificateDepth: {
    group: 'What others send us',
    value: 32,
    unit: 'levels',
    bounds: 'Levels of ASN.1 in such a file.',
    reason: 'A PKCS#12 and the longest extensions of a certificate have a dozen.',
    beyond: '400 `invalid_request`, entry `not_pkcs12`',
  },
  certificateKeyBits: {
    group: 'What others send us',
    value: 4_096,
    unit: 'items',
    bounds: 'Bits of an RSA key. Other keys are on elliptic curves.',
    reason:
      'Spanish authorities issue 2,048 to 4,096. The key signs at each connection to the agency, in time that grows with the third power.',
    beyond: '400 `invalid_request`, entry `unsupported_algorithm`',
  },
  certificateTime: {
    group: 'What others send us',
    value: 20_000,
    unit: 'ms',
    bounds: 'The time in which such a file must have been read, in a thread of its own with 64 MiB of heap.',
    reason:
      'The slowest file that is written today takes some 3 s; up to four ways to write its password down as bytes are tried.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  certificatesWaiting: {
    group: 'What others send us',
    value: 4,
    unit: 'items',
    bounds: 'Certificate files that wait while one is read. A process reads one at a time.',
    reason: 'Operators upload them one by one, by hand or by a script.',
    beyond: '429 `rate_limited`',
  },
  logoTime: {
    group: 'What others send us',
    value: 10_000,
    unit: 'ms',
    bounds: 'The time in which a logo must have been read, in a thread of its own with 96 MiB of heap.',
    reason: 'The largest picture, of a million dots, takes some tenths of a second.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  logosWaiting: {
    group: 'What others send us',
    value: 4,
    unit: 'items',
    bounds: 'Logos that wait while one is read. A process reads one at a time.',
    reason: 'A company sets its logo once; four that wait are read within seconds.',
    beyond: '429 `rate_limited`',
  },
  agencyConnection: {
    group: 'What others send us',
    value: 10_000,
    unit: 'ms',
    bounds: 'The time in which a connection to the agency must stand.',
    reason: 'A reachable host shakes hands in well under a second; ten leave room for a lost packet or two.',
    beyond: 'Nothing was sent; it is tried again later',
  },
  agencyAnswer: {
    group: 'What others send us',
    value: 60_000,
    unit: 'ms',
    bounds: 'The time in which the agency’s answer must have arrived whole, however slowly it drips.',
    reason: 'The service answers synchronously, 1,000 records included.',
    beyond: 'The agency is asked what it holds before anything is sent again',
  },
  agencyAnswerSize: {
    group: 'What others send us',
    value: 8 * 1024 * 1024,
    unit: 'bytes',
    bounds: 'An answer of the agency. It is taken as it comes: one that is compressed is not unpacked.',
    reason: '1,000 lines with messages of 1,500 characters come to less than 4 MB.',
    beyond: 'The connection is closed; as if no answer had come',
  },
  uselessAnswer: {
    group: 'What others send us',
    value: 65_536,
    unit: 'items',
    bounds:
      'Characters that are kept of an answer of the agency that settles no record: a fault, or what cannot be read.',
    reason:
      'Its beginning says what it was: a fault of the agency, or the page of a proxy. Eight megabytes would be written for each try.',
    beyond: 'the rest is left out; answers that settle records are kept whole',
  },
  agencyPage: {
    group: 'What others send us',
    value: 20_000,
    unit: 'items',
    bounds:
      'Records in one page of what the agency holds, when a chain is compared after a restore. Pages are read as they arrive; their number, their size in bytes and their time as a whole are not bounded, as long as more arrives within the time of an answer.',
    reason:
      'The agency’s pages have 10,000; of each record some 200 bytes are kept until its page is compared.',
    beyond: 'The page counts as unreadable and is asked for again',
  },
  registerAnswer: {
    group: 'What others send us',
    value: 4_000,
    unit: 'ms',
    bounds:
      'The time in which the answer of the census or of VIES must have arrived, connecting and queueing included.',
    reason:
      'A caller is waiting to issue. Both answer within a second or two when they are well; beyond four a 503 serves the caller better than to hang.',
    beyond: '503 `tax_id_validation_unavailable`',
  },
  registerAnswerSize: {
    group: 'What others send us',
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'An answer of the census or of VIES.',
    reason: 'They answer one question in less than 4 KiB.',
    beyond: '503 `tax_id_validation_unavailable`',
  },
  xmlDepth: {
    group: 'What others send us',
    value: 32,
    unit: 'levels',
    bounds: 'Levels of elements in an answer of the agency or of a register.',
    reason: 'The deepest message of their schemas has nine.',
    beyond:
      'The answer counts as unreadable: a record is asked for again later, a recipient’s check gets 503',
  },
  xmlElements: {
    group: 'What others send us',
    value: 32_000,
    unit: 'items',
    bounds:
      'Elements of such an answer that are held at once; a record of a query is let go as soon as it is read.',
    reason:
      'An answer to 1,000 records has at most 19 for each; one record of a query at most some 14,100, if it corrects and replaces 1,000 invoices each and names 1,000 recipients.',
    beyond: 'The answer counts as unreadable',
  },
  xmlCharacters: {
    group: 'What others send us',
    value: 8 * 1024 * 1024,
    unit: 'items',
    bounds: 'Characters of names and texts in such an answer that are held at once.',
    reason:
      'An answer to 1,000 records with the longest messages of 1,500 characters has less than 4 million.',
    beyond: 'The answer counts as unreadable',
  },
  xmlAttributes: {
    group: 'What others send us',
    value: 64,
    unit: 'items',
    bounds: 'Attributes of one element of such an answer.',
    reason: 'Nobody’s schemas have any; what comes is a dozen namespaces on the root.',
    beyond: 'The answer counts as unreadable',
  },
  xmlText: {
    group: 'What others send us',
    value: 64 * 1024,
    unit: 'items',
    bounds: 'Characters of one text, tag or comment of such an answer.',
    reason:
      'The longest text of their schemas has 1,500 characters; a fault may carry a trace of the program.',
    beyond: 'The answer counts as unreadable',
  },
  webhookSecrets: {
    group: 'Webhooks',
    value: 10,
    unit: 'items',
    bounds:
      'Secrets of an endpoint that sign at once: the newest, and those before it in their time of grace.',
    reason:
      'A rotation overlaps with the one before at most; each secret is another signature in every delivery.',
    beyond: 'the oldest ends at once',
  },
  webhookEndpoints: {
    group: 'Webhooks',
    value: 20,
    unit: 'items',
    bounds: 'Webhook endpoints of an environment.',
    reason:
      'One for each system that listens, in each of its stages; every event is looked at for each of them.',
    beyond: '409 `webhook_endpoint_limit_reached`',
  },
  webhookAttempt: {
    group: 'Webhooks',
    value: 15_000,
    unit: 'ms',
    bounds: 'The time in which an endpoint must answer, its name resolved and the connection made within it.',
    reason: 'A receiver that puts the event in a queue of its own answers within a second.',
    beyond: 'the attempt has failed',
  },
  webhookAttemptsUnderWay: {
    group: 'Webhooks',
    value: 2_000,
    unit: 'items',
    bounds: 'Attempts that one process has under way at endpoints that do not answer quickly.',
    reason: 'Each holds a connection and some 20 KiB, for 15 s where an endpoint hangs.',
    beyond: 'the next ones begin as others end; endpoints that answer quickly are not held up',
  },
  webhookAttemptsOfEnvironment: {
    group: 'Webhooks',
    value: 100,
    unit: 'items',
    bounds: 'The same of one environment.',
    reason: 'Five for each of its 20 endpoints, so that twenty environments that hang leave room for others.',
    beyond: 'the next ones begin as others end',
  },
  webhookEventsKept: {
    group: 'Webhooks',
    value: 8 * 1_024 * 1_024,
    unit: 'bytes',
    bounds: 'Events that a process keeps as they are sent, for the other endpoints of an environment.',
    reason:
      'Thousands of usual ones; an environment of 20 endpoints would else have each event written 20 times.',
    beyond: 'the ones that were not used for longest are written again when they are needed',
  },
  webhookAnswerTime: {
    group: 'Webhooks',
    value: 2_000,
    unit: 'ms',
    bounds: 'The time for which the body of an endpoint’s answer is read once its status is there.',
    reason: 'The status decides; the beginning of the body is only kept for whoever looks for a fault.',
    beyond: 'the rest is not read, and the connection is closed',
  },
  webhookAnswer: {
    group: 'Webhooks',
    value: 1_024,
    unit: 'bytes',
    bounds: 'What is kept of an endpoint’s answer.',
    reason: 'Enough for the message of a fault; who receives decides what stands in it.',
    beyond: 'the rest is left out',
  },
  webhookAnswerRead: {
    group: 'Webhooks',
    value: 64 * 1_024,
    unit: 'bytes',
    bounds: 'What is read of an endpoint’s answer, so that its connection can be used again.',
    reason: 'Receivers answer with a word or nothing.',
    beyond: 'the connection is closed',
  },
} as const satisfies Record<string, Limit>;
