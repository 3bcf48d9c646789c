import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { closeDb, openDb } from '../../src/ground/db/client.ts';
import { runningPostgresUrl } from '../../src/ground/db/embedded/postgres.ts';
import { reply, scriptedAgency } from '../support/agency/scripted.ts';
import { createCompany } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { issueMany } from '../support/invoices/many-invoices.ts';
import { type RunningProgram, startDemo } from '../support/processes/running-program.ts';
import type { Target } from './attack.ts';
import { largeInvoice } from './large-invoice.ts';

/** A service as `npm start` starts it, with its own Postgres and simulator. */
export type AttackedService = {
  readonly program: RunningProgram;
  readonly pid: number;
  readonly port: number;
  readonly simulatorUrl: string;
  readonly operatorKey: string;
  stop(): Promise<void>;
};

/** What is in a database that is to be attacked. */
export type TestData = {
  readonly target: Omit<Target, 'port'>;
  readonly neighbour: { readonly key: string; readonly invoiceId: string };
};

/** A directory that Postgres, which does not run as root, may enter. */
export function newDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'lacre-attack-'));
  chmodSync(directory, 0o755);
  return directory;
}

/** Starts the service on a data directory. */
export async function startAttacked(
  dataDir: string,
  variables: Record<string, string> = {},
): Promise<AttackedService> {
  const { program, credentials } = await startDemo(dataDir, {
    LOG_LEVEL: 'info',
    // Receivers of an attacker's stand on this machine.
    WEBHOOK_ALLOW_PRIVATE: 'true',
    ...variables,
  });
  return {
    program,
    pid: program.process.pid!,
    port: Number(new URL(credentials.base_url).port),
    simulatorUrl: credentials.simulator_url,
    operatorKey: credentials.operator,
    async stop() {
      const late = setTimeout(() => program.process.kill('SIGKILL'), 20_000);
      if (program.process.exitCode === null && program.process.signalCode === null)
        await program.end('SIGTERM');
      clearTimeout(late);
    },
  };
}

/** Merchants whose keys the attacker has beside the one with large invoices. */
const FURTHER_MERCHANTS = 8;

/** Puts merchants and `invoices` large old invoices of the attacker's into the database of a running service. */
export async function createTestData(
  { port, operatorKey }: AttackedService,
  dataDir: string,
  invoices: number,
): Promise<TestData> {
  const db = openDb(runningPostgresUrl(dataDir)!, { max: 4, log: pino({ level: 'warn' }) });
  try {
    const [attacker, neighbour, model] = [
      await createCompany(db),
      await createCompany(db),
      await createCompany(db),
    ];
    const further = [];
    for (let made = 0; made < FURTHER_MERCHANTS; made++) further.push(await createCompany(db));
    const like = await issue(port, model.live.key, largeInvoice());
    await issueMany(db.pool, {
      model: { environmentId: model.live.environmentId, invoiceId: like.id },
      companies: [attacker, ...further],
      count: 2 * invoices,
    });
    const large = await issue(port, attacker.live.key, largeInvoice());
    // Rendered now: what is attacked later is reading it.
    await (await fetch(large.pdf_url)).arrayBuffer();
    const own = await issue(port, neighbour.live.key, aSimplifiedInvoice());
    const token = new URL(large.pdf_url).searchParams.get('token')!;
    return {
      target: {
        key: attacker.live.key,
        testKey: attacker.test.key,
        furtherKeys: further.map(({ live }) => live.key),
        operatorKey,
        file: { id: large.id, token },
      },
      neighbour: { key: neighbour.live.key, invoiceId: own.id },
    };
  } finally {
    await closeDb(db);
  }
}

async function issue(port: number, key: string, body: object): Promise<{ id: string; pdf_url: string }> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/invoices`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`an invoice was not issued: ${response.status} ${text}`);
  return JSON.parse(text) as { id: string; pdf_url: string };
}

/** A data directory of its own that is like another one whose service is not running, owners of files included. */
export function copyOf(dataDir: string): string {
  const copy = newDirectory();
  execFileSync('cp', ['-a', `${dataDir}/.`, copy]);
  return copy;
}

export function removeDirectory(directory: string): void {
  rmSync(directory, { recursive: true, force: true });
}

/** As many opening tags as fit into the 8 MiB that an answer may have. */
const NESTED = '<a>'.repeat(2_600_000);

/** An agency that answers whatever it is asked with tags within tags, and the settings that lead a service to it. */
export async function agencyWithNestedAnswers(
  directory: string,
): Promise<{ readonly variables: Record<string, string>; stop(): Promise<void> }> {
  const agency = await scriptedAgency((_message, response) => reply(response, NESTED));
  const { access } = agency;
  if (!('pfx' in access) || access.ca === null)
    throw new Error('the agency has no certificate for its clients');
  const tlsDir = join(directory, 'agency');
  mkdirSync(tlsDir, { recursive: true });
  writeFileSync(join(tlsDir, 'ca.pem'), access.ca);
  writeFileSync(join(tlsDir, 'client.p12'), access.pfx);
  writeFileSync(join(tlsDir, 'client-passphrase.txt'), access.passphrase);
  const tlsUrl = new URL(access.endpointUrl);
  return {
    variables: {
      // Nobody is there; only validating foreign tax ids would ask.
      SIMULATOR_URL: 'http://127.0.0.1:9',
      SIMULATOR_TLS_URL: `https://localhost:${tlsUrl.port}`,
      SIMULATOR_TLS_DIR: tlsDir,
    },
    stop: () => agency.stop(),
  };
}
