import { LRUCache } from 'lru-cache';
import { clock } from '../../ground/lib/clock.ts';
import type { CertificateInUse, CertificatesInUse } from './in-use.ts';
import type { Identity } from './read-certificate.ts';

/** A connection line that keeps its sockets until it is closed. */
type Line = { close(): void };

/** What a line needs of a certificate. */
export type Presented = { readonly kind: CertificateInUse['kind']; readonly identity: Identity };

/** A line to where environments present certificates: each its own. */
export type Lines<L extends Line> = {
  /** The environment's line at this moment, or in words why there is none. */
  lineFor(environmentId: number): Promise<L | string>;
  /** Closes all of them. */
  close(): void;
};

/** More companies with certificates of their own than send in one minute from one process; each costs some 100 kB. */
const MOST_LINES = 500;

/** A line that is no longer wanted may still be in use: longer than any exchange takes (LIMITS in aeat/transport.ts). */
const CLOSES_AFTER_MS = 120_000;

type Options = {
  /** For so long an environment's certificate is not asked for again. */
  readonly freshMs: number;
};

/**
 * Lines by the certificates in use: environments with the same certificate share one, and after an exchange of
 * certificates the next line is another. `open` may throw when a certificate cannot be used.
 */
export function linesByCertificate<L extends Line>(
  certificates: CertificatesInUse,
  open: (presented: Presented | null) => L | null,
  { freshMs }: Options,
): Lines<L> {
  const closing = new Map<NodeJS.Timeout, L>();
  const lines = new LRUCache<string, L>({
    max: MOST_LINES,
    dispose(line) {
      const timer = setTimeout(() => {
        closing.delete(timer);
        line.close();
      }, CLOSES_AFTER_MS);
      timer.unref();
      closing.set(timer, line);
    },
  });
  const known = new LRUCache<number, { certificate: CertificateInUse | null; askedAt: number }>({
    max: MOST_LINES,
  });

  const certificateOf = async (environmentId: number): Promise<CertificateInUse | null> => {
    const now = clock.now().getTime();
    const remembered = known.get(environmentId);
    // A clock that was set back makes nothing fresher.
    const age = remembered === undefined ? -1 : now - remembered.askedAt;
    if (remembered !== undefined && age >= 0 && age < freshMs) return remembered.certificate;
    const certificate = await certificates.of(environmentId);
    if (freshMs > 0) known.set(environmentId, { certificate, askedAt: now });
    return certificate;
  };

  const opened = (key: string, presented: Presented | null): L | string => {
    const line = open(presented);
    if (line === null) return 'no client certificate in force: upload one, or set AGENCY_CERTIFICATE_FILE';
    lines.set(key, line);
    return line;
  };

  return {
    async lineFor(environmentId) {
      const certificate = await certificateOf(environmentId);
      const key = certificate === null ? '' : `${certificate.kind} ${certificate.fingerprint}`;
      const line = lines.get(key);
      if (line !== undefined) return line;
      if (certificate === null) return opened(key, null);
      const identity = certificate.open();
      if (typeof identity === 'string') return `the client certificate cannot be opened: ${identity}`;
      return opened(key, { kind: certificate.kind, identity });
    },
    close() {
      lines.clear();
      for (const [timer, line] of closing) {
        clearTimeout(timer);
        line.close();
      }
      closing.clear();
    },
  };
}
