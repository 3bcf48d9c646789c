import type { Limit } from '../../ground/lib/limit.ts';

/** The limits of certificate files. */
export const CERTIFICATE_LIMITS = {
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
} as const satisfies Record<string, Limit>;
