import { join } from 'node:path';
import type { Schemas } from './schemas.ts';

/** Takes one line of the simulator's log; `fields` hold no personal data. */
export type Log = (message: string, fields?: Record<string, unknown>) => void;

export type SimulatorOptions = {
  readonly dataDir: string;
  /** Port of the plain server; 0 is any free one. */
  readonly port: number;
  /** Port of the TLS server; 0 is any free one. */
  readonly tlsPort: number;
  /** Where the plain server listens; TLS stays on 127.0.0.1 unless there is a name for its certificate. */
  readonly host?: string | undefined;
  /** The host name under which other machines reach it. */
  readonly name?: string | undefined;
  /** TiempoEsperaEnvio of the answers, in seconds. */
  readonly waitSeconds: number;
  /** The agency's schemas. Without them requests are checked for structure in a lighter way. */
  readonly schemas?: Schemas | undefined;
  /** Whether a wanted port that stays taken is replaced by a free one; otherwise starting fails. */
  readonly portFallback?: boolean | undefined;
  /** Most invoices in one answer of the query; the agency's 10,000 by default. */
  readonly queryPageSize?: number | undefined;
  /** Most records that are held; 300,000 by default. */
  readonly mostRecords?: number | undefined;
  /** Whether it answers for the registers and for QR codes alone: then nothing is registered, and there is nothing to set. */
  readonly registersOnly?: boolean | undefined;
  /** The present instant; the machine's time unless given. */
  readonly now?: (() => Date) | undefined;
  readonly log?: Log | undefined;
};

/** A running simulator. `secret` lets other machines set it; `tlsDir` holds `ca.pem`, `client.p12` and `client-passphrase.txt`. */
export type Simulator = {
  readonly url: string;
  readonly tlsUrl: string;
  readonly tlsDir: string;
  readonly secret: string;
  stop(): Promise<void>;
};

/** Where the secret stands that other machines need to set it, or to see what it has received. */
export function secretFile(dataDir: string): string {
  return join(dataDir, 'secret.txt');
}

/** The folder of the certificates in a data directory. */
export function tlsFolder(dataDir: string): string {
  return join(dataDir, 'tls');
}
