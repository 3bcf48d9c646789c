import { LRUCache } from 'lru-cache';
import { clock } from '../../ground/lib/clock.ts';
import type { CertificateInUse, CertificatesInUse } from './in-use.ts';
import type { Identity } from './read-certificate.ts';

/** A connection client that keeps its sockets until it is closed. */
type Client = { close(): void };

/** What a client needs of a certificate. */
export type PresentedCertificate = { readonly kind: CertificateInUse['kind']; readonly identity: Identity };

/** A client for the connections of environments, each with its own certificate. */
export type ClientPool<L extends Client> = {
  /** The environment's client at this moment, or an explanation why there is none. */
  clientFor(environmentId: number): Promise<L | string>;
  /** Closes all of them. */
  close(): void;
};

/**
 * More companies with certificates of their own than one process sends for in a minute; each costs about 100 kB.
 */
const MAX_CLIENTS = 500;

/** A client that was replaced may still be in use: longer than any message and its answer take (LIMITS in aeat/transport.ts). */
const CLOSES_AFTER_MS = 120_000;

type Options = {
  /** How long the certificate of an environment is cached. */
  readonly freshMs: number;
};

/**
 * Keeps clients by certificate: environments with the same certificate share one, and after a change of certificate
 * the next call gets a new client. `open` may throw when a certificate cannot be used.
 */
export function clientsByCertificate<L extends Client>(
  certificates: CertificatesInUse,
  open: (presented: PresentedCertificate | null) => L | null,
  { freshMs }: Options,
): ClientPool<L> {
  const closing = new Map<NodeJS.Timeout, L>();
  const clients = new LRUCache<string, L>({
    max: MAX_CLIENTS,
    dispose(client) {
      const timer = setTimeout(() => {
        closing.delete(timer);
        client.close();
      }, CLOSES_AFTER_MS);
      timer.unref();
      closing.set(timer, client);
    },
  });
  const known = new LRUCache<number, { certificate: CertificateInUse | null; askedAt: number }>({
    max: MAX_CLIENTS,
  });

  const certificateOf = async (environmentId: number): Promise<CertificateInUse | null> => {
    const now = clock.now().getTime();
    const remembered = known.get(environmentId);
    // If the clock was set back, the cache must not become valid for longer.
    const age = remembered === undefined ? -1 : now - remembered.askedAt;
    if (remembered !== undefined && age >= 0 && age < freshMs) return remembered.certificate;
    const certificate = await certificates.of(environmentId);
    if (freshMs > 0) known.set(environmentId, { certificate, askedAt: now });
    return certificate;
  };

  const opened = (key: string, presented: PresentedCertificate | null): L | string => {
    const client = open(presented);
    if (client === null) return 'no client certificate in force: upload one, or set AGENCY_CERTIFICATE_FILE';
    clients.set(key, client);
    return client;
  };

  return {
    async clientFor(environmentId) {
      const certificate = await certificateOf(environmentId);
      const key = certificate === null ? '' : `${certificate.kind} ${certificate.fingerprint}`;
      const client = clients.get(key);
      if (client !== undefined) return client;
      if (certificate === null) return opened(key, null);
      const identity = certificate.open();
      if (typeof identity === 'string') return `the client certificate cannot be opened: ${identity}`;
      return opened(key, { kind: certificate.kind, identity });
    },
    close() {
      clients.clear();
      for (const [timer, client] of closing) {
        clearTimeout(timer);
        client.close();
      }
      closing.clear();
    },
  };
}
