import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { blocksOf, textOfGuide } from '../support/guides/blocks.ts';
import { recordOutput } from '../support/processes/run-log.ts';
import { eventually } from '../support/processes/running-program.ts';
import { type Machine, startMachine, whyNoMachine } from './machine.ts';

const REASON = 'it needs root on Debian; a test of its own runs it';
/** Processes are started and stopped many times, on a machine that may be busy. */
const TIMEOUT_MS = 1_200_000;
const why = whyNoMachine();
if (why !== null) console.warn(`SKIPPED: the guides of an installation on Debian are not run here: ${why}`);

type Block = { readonly line: number; readonly source: string };

const blocksOfGuide = (slug: string): Block[] =>
  blocksOf(textOfGuide(slug)).shown.filter(({ reason }) => reason === REASON);

let machine: Machine;
/** What stands in the guides for something of the reader. */
const own: Record<string, string> = { 'AGENCY=preproduction': 'AGENCY=simulator' };

/** Runs a block as its reader would; what it prints. */
async function run({ line, source }: Block): Promise<string> {
  const adapted = Object.entries(own).reduce((text, [theirs, ours]) => text.replaceAll(theirs, ours), source);
  return machine.run(adapted).catch((error: Error) => {
    throw new Error(`line ${line}: ${error.message}\n${source}`);
  });
}

/** Waits until the agency holds what was issued. */
const registered = () =>
  eventually(
    () =>
      machine.run(
        `runuser -u postgres -- psql -At lacre -c "select count(*) from record_state where status <> 'registered'"`,
      ),
    (count) => count.trim() === '0',
    900,
  );

describe.skipIf(why !== null)(
  'who follows the guides on Debian, block by block',
  { timeout: TIMEOUT_MS },
  () => {
    beforeAll(async () => {
      machine = await startMachine();
      // What an authority and the network give the reader.
      await machine.run(`export CURL_CA_BUNDLE=/root/site.crt
      openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=invoices.example.com -addext subjectAltName=DNS:invoices.example.com \
        -keyout /root/key.pem -out "$CURL_CA_BUNDLE" 2> /dev/null
      cat "$CURL_CA_BUNDLE" /root/key.pem > /etc/haproxy/site.pem`);
    });
    // Each test continues where the one before it ends.
    let failed = false;
    beforeEach(({ skip, onTestFailed }) => {
      skip(failed, 'what it continues has failed');
      onTestFailed(() => {
        failed = true;
      });
    });
    afterAll(async () => {
      if (machine === undefined) return;
      recordOutput(await machine.run(`journalctl --quiet --output=cat --unit='lacre-*'`));
      await machine.stop();
    });

    test('has a service behind PgBouncer and HAProxy that issues, new secrets, and a new version', async () => {
      const blocks = blocksOfGuide('production');
      expect(blocks.length).toBeGreaterThan(8);
      for (const block of blocks) {
        const output = await run(block);
        if (block.source.includes('lacre doctor')) expect(output).not.toContain('FAILURE');
        if (block.source.includes('site.pem')) expect(output).toBe('2 200\n');
        if (block.source.includes('issue()')) expect(output).toMatch(/^F-\d{4}-1\n$/m);
      }
      expect(await machine.run('issue')).toMatch(/^F-\d{4}-2\n$/);
      await registered();
    });

    test('restores backups of pgBackRest beside the database and to a moment, and finds exactly the lost invoices', async () => {
      const [setUp, backUp, rehearse, recover, after, ...others] = blocksOfGuide('backup-and-restore');
      expect(others).toEqual([]);
      await run(setUp!);
      expect(await run(backUp!)).toMatch(/^OK +archive: .*restored up to about/m);
      // In no backup but in the log.
      const kept = await machine.run('issue');
      await registered();
      const moment = (await machine.run(`runuser -u postgres -- psql -Atc 'select now()'`)).trim();
      expect(await run(rehearse!)).toMatch(/findings/);
      const lost = [await machine.run('issue'), await machine.run('issue')];
      await registered();
      await machine.run(
        `runuser -u postgres -- psql -Atc 'select pg_switch_wal()'; runuser -u postgres -- pgbackrest --stanza=lacre check`,
      );
      expect(await machine.run('lacre backup check')).toMatch(/^OK +archive: .*; 0 MiB/m);
      own['2026-11-20 09:41:00+01'] = moment;
      await run(recover!);
      const report = await run(after!);
      for (const number of lost) expect(report).toContain(`  ${number.trim()}  `);
      expect(report).not.toContain(kept.trim());
      expect(report).toMatch(/2 lost[\s\S]*^2 lost invoices$/m);
      await machine.run(`ENVIRONMENT=$(lacre environments list --company "$COMPANY" --json | jq -r '.[] | select(.kind == "live") | .id')
      lacre chains open-installation "$ENVIRONMENT" --reason 'two invoices were lost' --live
      systemctl start haproxy lacre-api@3002; ready 3002`);
      expect(await machine.run('issue')).toBe(nextOf(lost.at(-1)!));
    });

    test('has a standby without which nothing is acknowledged, goes on with it, and archives it', async () => {
      const [make, wait, promote, archive, ...others] = blocksOfGuide('high-availability');
      expect(others).toEqual([]);
      await run(make!);
      await run(wait!);
      const last = await machine.run('issue');
      await run(promote!);
      expect(await machine.run('issue')).toBe(nextOf(last));
      expect(await run(archive!)).toMatch(/^OK +archive: .*; 0 MiB/m);
      expect(await machine.run('lacre verify || test $? -eq 8')).toMatch(/./);
    });
  },
);

const nextOf = (number: string): string => number.replace(/\d+\n$/, (last) => `${Number(last) + 1}\n`);
