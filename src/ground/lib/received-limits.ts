import type { Limit } from './limit.ts';

/** The limits of files that callers upload and of answers of the agency and the registers; part of `LIMITS`. */
export const RECEIVED_LIMITS = {
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
  certificateSize: {
    group: 'What others send us',
    value: 256 * 1024,
    unit: 'bytes',
    bounds: 'An uploaded certificate file.',
    reason: 'A certificate with its key and all its issuers is smaller than 20 KiB.',
    beyond: '400 `invalid_request`, entry `too_big`',
  },
  certificateDerivation: {
    group: 'What others send us',
    value: 1_000_000,
    unit: 'items',
    bounds: 'Iterations of hashing to derive one key from the password of such a file.',
    reason: 'FNMT’s programs and OpenSSL write 2,048, Java 10,000, Firefox 600,000.',
    beyond: '400 `invalid_request`, entry `unsupported_algorithm`',
  },
  certificateRounds: {
    group: 'What others send us',
    value: 3_000_000,
    unit: 'items',
    bounds: 'Iterations of hashing of all derivations in such a file together.',
    reason:
      'The MAC, the certificates and the key are three derivations; with Firefox’ 600,000 each they are 1.8 million, and there may be another for the issuers and for a second key.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  certificateBags: {
    group: 'What others send us',
    value: 32,
    unit: 'items',
    bounds: 'Certificates, keys and other entries in such a file, PKCS#12 or PEM.',
    reason: 'A file with a key and its issuers has at most five; some programs export their whole store.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  certificateDepth: {
    group: 'What others send us',
    value: 32,
    unit: 'levels',
    bounds: 'Nesting levels of ASN.1 in such a file.',
    reason: 'A PKCS#12 file and the longest extensions of a certificate have about a dozen.',
    beyond: '400 `invalid_request`, entry `not_pkcs12`',
  },
  certificateKeyBits: {
    group: 'What others send us',
    value: 4_096,
    unit: 'items',
    bounds: 'Bits of an RSA key. Other keys are elliptic-curve keys.',
    reason:
      'Spanish authorities issue 2,048 to 4,096. The key signs at each connection to the agency, in time that grows with the cube of its length.',
    beyond: '400 `invalid_request`, entry `unsupported_algorithm`',
  },
  certificateTime: {
    group: 'What others send us',
    value: 20_000,
    unit: 'ms',
    bounds: 'The time in which such a file must have been read, in its own thread with a heap of 64 MiB.',
    reason:
      'The slowest file that programs write today takes about 3 s; up to four encodings of its password are tried.',
    beyond: '400 `invalid_request`, entry `too_costly`',
  },
  certificatesWaiting: {
    group: 'What others send us',
    value: 4,
    unit: 'items',
    bounds: 'Certificate files that wait while one is read. A process reads one at a time.',
    reason: 'Operators upload them one by one, by hand or with a script.',
    beyond: '429 `rate_limited`',
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
  registerAnswer: {
    group: 'What others send us',
    value: 4_000,
    unit: 'ms',
    bounds:
      'The time in which the answer of the census or of VIES must have arrived, including connecting and queueing.',
    reason:
      'A caller is waiting to issue. Both normally answer within a second or two; after four seconds a 503 is better than waiting longer.',
    beyond: '503 `tax_id_validation_unavailable`',
  },
  interimAnswers: {
    group: 'What others send us',
    value: 16,
    unit: 'items',
    bounds: 'Interim answers (1xx) before the answer of the agency, a register or a webhook endpoint.',
    reason: 'Servers send one or two. A flood of them takes a third of a processor for as long as it lasts.',
    beyond: 'the connection is closed, as if there were no answer',
  },
  registerAnswerSize: {
    group: 'What others send us',
    value: 64 * 1024,
    unit: 'bytes',
    bounds: 'An answer of the census or of VIES.',
    reason: 'They answer one question with less than 4 KiB.',
    beyond: '503 `tax_id_validation_unavailable`',
  },
  xmlDepth: {
    group: 'What others send us',
    value: 32,
    unit: 'levels',
    bounds: 'Nesting levels of elements in an answer of the agency or of a register.',
    reason: 'The deepest message of their schemas has nine.',
    beyond:
      'The answer counts as unreadable: the record is queried again later, and the check of a recipient answers 503',
  },
  xmlElements: {
    group: 'What others send us',
    value: 32_000,
    unit: 'items',
    bounds:
      'Elements of such an answer that are in memory at once; a record of a query is released as soon as it is read.',
    reason:
      'An answer to 1,000 records has at most 19 for each; one record of a query has at most about 14,100, if it corrects and replaces 1,000 invoices each and names 1,000 recipients.',
    beyond: 'The answer counts as unreadable',
  },
  xmlCharacters: {
    group: 'What others send us',
    value: 8 * 1024 * 1024,
    unit: 'items',
    bounds: 'Characters of names and texts in such an answer that are in memory at once.',
    reason:
      'An answer to 1,000 records with the longest messages of 1,500 characters has less than 4 million.',
    beyond: 'The answer counts as unreadable',
  },
  xmlAttributes: {
    group: 'What others send us',
    value: 64,
    unit: 'items',
    bounds: 'Attributes of one element of such an answer.',
    reason: 'Their schemas have none; an answer has about a dozen namespaces on its root element.',
    beyond: 'The answer counts as unreadable',
  },
  xmlText: {
    group: 'What others send us',
    value: 64 * 1024,
    unit: 'items',
    bounds: 'Characters of one text, tag or comment of such an answer.',
    reason: 'The longest text of their schemas has 1,500 characters; a fault may contain a stack trace.',
    beyond: 'The answer counts as unreadable',
  },
  webhookSecrets: {
    group: 'Webhooks',
    value: 10,
    unit: 'items',
    bounds:
      'Secrets with which an endpoint’s deliveries are signed at once: the newest, and earlier ones during their grace period.',
    reason:
      'A rotation overlaps at most with the previous one; each secret adds a signature to every delivery.',
    beyond: 'the oldest becomes invalid at once',
  },
  webhookEndpoints: {
    group: 'Webhooks',
    value: 20,
    unit: 'items',
    bounds: 'Webhook endpoints of an environment.',
    reason:
      'One for each system that receives events, in each of its stages; every event is matched with each of them.',
    beyond: '409 `webhook_endpoint_limit_reached`',
  },
  webhookAttempt: {
    group: 'Webhooks',
    value: 15_000,
    unit: 'ms',
    bounds: 'The time in which an endpoint must answer, including name resolution and connecting.',
    reason: 'A receiver that stores the event in its own queue answers within a second.',
    beyond: 'the attempt fails',
  },
  webhookAttemptsUnderWay: {
    group: 'Webhooks',
    value: 2_000,
    unit: 'items',
    bounds: 'Attempts in progress in one process at endpoints that do not answer quickly.',
    reason: 'Each holds a connection and about 20 KiB, for 15 s if an endpoint hangs.',
    beyond: 'further attempts start as others end; endpoints that answer quickly are not delayed',
  },
  webhookAttemptsOfEnvironment: {
    group: 'Webhooks',
    value: 100,
    unit: 'items',
    bounds: 'Of these, the attempts of one environment.',
    reason:
      'Five for each of its 20 endpoints, so that twenty environments with hanging endpoints leave room for others.',
    beyond: 'further attempts start as others end',
  },
  webhookEventsKept: {
    group: 'Webhooks',
    value: 8 * 1_024 * 1_024,
    unit: 'bytes',
    bounds: 'Payloads of events that a process caches for the other endpoints of an environment.',
    reason:
      'Thousands of ordinary ones; otherwise an environment with 20 endpoints would have each event serialized 20 times.',
    beyond: 'the least recently used are serialized again when needed',
  },
  webhookAnswerTime: {
    group: 'Webhooks',
    value: 2_000,
    unit: 'ms',
    bounds: 'How long the body of an endpoint’s answer is read after its status has arrived.',
    reason: 'The status decides; the beginning of the body is only stored for debugging.',
    beyond: 'the rest is not read, and the connection is closed',
  },
  webhookAnswer: {
    group: 'Webhooks',
    value: 1_024,
    unit: 'bytes',
    bounds: 'The part of an endpoint’s answer that is stored.',
    reason: 'Enough for an error message; the receiver decides what it contains.',
    beyond: 'the rest is cut off',
  },
  webhookAnswerRead: {
    group: 'Webhooks',
    value: 64 * 1_024,
    unit: 'bytes',
    bounds: 'The part of an endpoint’s answer that is read so that its connection can be reused.',
    reason: 'Receivers answer with a word or nothing.',
    beyond: 'the connection is closed',
  },
} as const satisfies Record<string, Limit>;
