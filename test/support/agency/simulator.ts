import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type SimulatorOptions, tlsFolder } from '../../../src/agency-simulator/options.ts';
import { loadSchemas, type Schemas } from '../../../src/agency-simulator/schemas.ts';
import { startSimulator } from '../../../src/agency-simulator/start.ts';
import { clock } from '../../../src/ground/lib/clock.ts';
import type { Issued } from './certificates.ts';
import { type Built, envelope, type ISSUER } from './declared-records.ts';

const REGISTRATION = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
const CENSUS = '/wlpl/BURT-JDIT/ws/VNifV2SOAP';

/** One line of an answer. */
type Line = {
  number: string;
  operation: string;
  state: string;
  code: string;
  text: string;
  xml: string;
};
export type Reply = { status: number; text: string };

/** A simulator with a client that holds its certificate. */
export type TestSimulator = {
  readonly url: string;
  readonly tlsUrl: string;
  readonly tlsDir: string;
  readonly dataDir: string;
  readonly secret: string;
  /** Posts to the registration service. Rejects when the connection breaks. */
  post(body: string | Buffer): Promise<Reply>;
  /** The same with another client certificate, of an authority that equipped its data directory. */
  postAs(certificate: Issued, body: string): Promise<Reply>;
  /** Asks the TLS port for a path by GET. */
  get(path: string): Promise<Reply>;
  postCensus(body: string): Promise<Reply>;
  /** Sends records and gives the lines of the answer. Throws on a fault. */
  submit(records: readonly Built[], issuer?: typeof ISSUER): Promise<Line[]>;
  control(settings: Record<string, unknown>): Promise<Response>;
  stop(): Promise<void>;
};

/** The agency's schemas when AEAT_SCHEMAS names their folder. */
export const SCHEMAS = process.env['AEAT_SCHEMAS'] || undefined;

let schemas: Schemas | undefined;

/** The same, compiled once for all tests of a process. */
export function agencySchemas(): Schemas | undefined {
  if (SCHEMAS !== undefined) schemas ??= loadSchemas(SCHEMAS);
  return schemas;
}

/** The variable that names a folder of certificates to use; without it each simulator creates its own. */
export const SIMULATOR_TLS = 'TEST_SIMULATOR_TLS';

export function newDataDir(): string {
  return mkdtempSync(join(tmpdir(), 'lacre-simulator-'));
}

/** Agent with the client certificate of a simulator's folder. */
function clientAgent(tlsDir: string): Agent {
  return new Agent({
    pfx: readFileSync(join(tlsDir, 'client.p12')),
    passphrase: readFileSync(join(tlsDir, 'client-passphrase.txt'), 'utf8'),
    ca: readFileSync(join(tlsDir, 'ca.pem')),
    keepAlive: true,
  });
}

function exchange(url: string, agent: Agent, body: string | Buffer | null): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const method = body === null ? 'GET' : 'POST';
    const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: '""' };
    const sent = request(url, { method, agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() }),
      );
    });
    sent.on('error', reject);
    if (body === null) sent.end();
    else sent.end(body);
  });
}

export const textOf = (xml: string, name: string) =>
  new RegExp(`<(?:\\w+:)?${name}>([^<]*)</`).exec(xml)?.[1] ?? '';

/** The code of a fault, `4102`, or the whole answer when it is none. */
export function faultCode({ status, text }: Reply): string {
  return /Codigo\[(\d{4})\]\./.exec(textOf(text, 'faultstring'))?.[1] ?? `${status} ${text.slice(0, 300)}`;
}

function linesOf(text: string): Line[] {
  return [...text.matchAll(/<tikR:RespuestaLinea>.*?<\/tikR:RespuestaLinea>/gs)].map(([xml]) => ({
    number: textOf(xml, 'NumSerieFactura'),
    operation: textOf(xml, 'TipoOperacion'),
    state: textOf(xml, 'EstadoRegistro'),
    code: textOf(xml, 'CodigoErrorRegistro'),
    text: textOf(xml, 'DescripcionErrorRegistro'),
    xml,
  }));
}

/** Starts a simulator on free ports in this process. Without `dataDir` it has a directory that `stop` removes. */
export async function testSimulator(options: Partial<SimulatorOptions> = {}): Promise<TestSimulator> {
  const dataDir = options.dataDir ?? newDataDir();
  const certificates = process.env[SIMULATOR_TLS];
  if (options.dataDir === undefined && certificates !== undefined) {
    cpSync(certificates, tlsFolder(dataDir), { recursive: true });
  }
  const simulator = await startSimulator({
    port: 0,
    tlsPort: 0,
    waitSeconds: 0,
    schemas: agencySchemas(),
    // A test sets one clock for the service and for what it talks to.
    now: clock.now,
    ...options,
    dataDir,
  });
  const agent = clientAgent(simulator.tlsDir);
  const post = (body: string | Buffer) => exchange(simulator.tlsUrl + REGISTRATION, agent, body);
  return {
    ...{ url: simulator.url, tlsUrl: simulator.tlsUrl, tlsDir: simulator.tlsDir, dataDir, post },
    secret: simulator.secret,
    async postAs({ cert, key }, body) {
      const other = new Agent({ cert, key, ca: readFileSync(join(simulator.tlsDir, 'ca.pem')) });
      try {
        return await exchange(simulator.tlsUrl + REGISTRATION, other, body);
      } finally {
        other.destroy();
      }
    },
    get: (path) => exchange(simulator.tlsUrl + path, agent, null),
    postCensus: (body) => exchange(simulator.tlsUrl + CENSUS, agent, body),
    async submit(records, issuer) {
      const reply = await post(envelope(records, issuer));
      if (reply.status !== 200) throw new Error(reply.text);
      return linesOf(reply.text);
    },
    control: (settings) =>
      fetch(`${simulator.url}/_control`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(settings),
      }),
    async stop() {
      agent.destroy();
      await simulator.stop();
      if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
