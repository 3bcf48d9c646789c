import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { type ImportProgress, importInvoices } from '../../src/subjects/importing/import-invoices.ts';
import { type TestDatabase, testDatabase } from '../support/database/database.ts';
import { testService } from '../support/http/http-service.ts';
import { createCompany, type TestEnvironment } from '../support/invoices/company.ts';
import { aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { anOldInvoice, importFiles } from '../support/invoices/old-invoices.ts';
import { SECRETS } from '../support/processes/command-line.ts';
import { endPrograms, eventually, runProgram } from '../support/processes/running-program.ts';

const files = importFiles();
let database: TestDatabase;
let home: TestEnvironment;
let other: TestEnvironment;
beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  ({ test: home, live: other } = await createCompany(database.db));
});
afterAll(async () => {
  endPrograms();
  await database.close();
  files.remove();
});

async function run(file: string, onProgress?: (progress: ImportProgress) => void, environment = home) {
  const { environmentId } = environment;
  const request = { environmentId, file, actor: 'opk_1', ...(onProgress ? { onProgress } : {}) };
  const result = await importInvoices(database.db, request);
  if (isRefusal(result)) throw new Error(result.detail);
  return result;
}

const reportOf = (file: string) => readFileSync(`${file}.refused.csv`, 'utf8').trimEnd().split('\n');

/** Rows of which each tenth has no day, and what the report must say of them. */
function aFile(rows: number): { file: string; report: string[]; good: number } {
  const lines = Array.from({ length: rows }, (_, index) =>
    anOldInvoice(`A/${index + 1}`, index % 10 === 9 ? { issued_at: undefined } : {}),
  );
  const bad = Array.from({ length: Math.floor(rows / 10) }, (_, index) => (index + 1) * 10);
  return {
    file: files.jsonLines(lines),
    report: ['line,code,reason', ...bad.map((line) => `${line},invalid_request,"issued_at is required"`)],
    good: rows - bad.length,
  };
}

async function imported(environment = home): Promise<number> {
  const { rows } = await database.db.pool.query(
    'select count(*)::int as n from invoice where environment_id = $1 and imported',
    [environment.environmentId],
  );
  return rows[0].n;
}

test('a file is imported once into each environment', async () => {
  const { file, good } = aFile(20);
  const first = await run(file);
  expect(first).toEqual({
    accepted: good,
    refused: 2,
    report: `${file}.refused.csv`,
    alreadyImported: false,
  });
  expect(await run(file)).toEqual({ ...first, alreadyImported: true });
  expect(await imported()).toBe(good);
  expect(await run(file, undefined, other)).toEqual(first);
  expect(await imported(other)).toBe(good);
});

test('actions are logged, with who did them', async () => {
  const { file } = aFile(10);
  await run(file);
  const { rows } = await database.db.pool.query('select * from audit_entry where environment_id = $1', [
    home.environmentId,
  ]);
  expect(rows).toMatchObject([
    { actor: 'opk_1', action: 'import_invoices', details: { accepted: 9, refused: 1 } },
  ]);
});

test('reports its progress, to the last line', async () => {
  const { file, good } = aFile(1_100);
  const seen: ImportProgress[] = [];
  await run(file, (progress) => seen.push(progress));
  // A hundred rows a transaction, behind which issuing waits.
  expect(seen.map(({ line }) => line)).toEqual(Array.from({ length: 12 }, (_, batch) => batch * 100));
  expect(seen.at(-1)).toEqual({ line: 1_100, lines: 1_100, accepted: good, refused: 110 });
});

test('a run that breaks off goes on where it stopped, and its report misses and repeats nothing', async () => {
  const { file, report, good } = aFile(1_600);
  for (const last of [500, 1_000]) {
    const breakOff = ({ line }: ImportProgress) => {
      if (line === last) throw new Error('the plug was pulled');
    };
    await expect(run(file, breakOff)).rejects.toThrow('the plug was pulled');
    expect(await imported()).toBeGreaterThanOrEqual(last * 0.9);
  }
  const lines: number[] = [];
  expect(await run(file, ({ line }) => lines.push(line))).toMatchObject({ accepted: good, refused: 160 });
  expect(lines[0]).toBeGreaterThanOrEqual(1_000);
  expect(await imported()).toBe(good);
  expect(reportOf(file)).toEqual(report);
});

test('a batch whose commit fails leaves neither invoices nor entries of the report', async () => {
  const { file, report, good } = aFile(1_200);
  await database.owner.query(`
    create function lose() returns trigger language plpgsql as $$ begin
      if new.last_line = 1000 then raise exception 'the disk is full'; end if; return null; end $$;
    create constraint trigger lose after update on import_run deferrable initially deferred
      for each row execute function lose();`);
  try {
    await expect(run(file)).rejects.toThrow('the disk is full');
  } finally {
    await database.owner.query('drop trigger lose on import_run');
  }
  expect(await imported()).toBe(810);
  expect(reportOf(file).length).toBe(1 + 100);
  expect(await run(file)).toMatchObject({ accepted: good, refused: 120 });
  expect(reportOf(file)).toEqual(report);
});

test('two simultaneous runs of one file: one yields, and no row is lost, duplicated or refused', async () => {
  const { file, good } = aFile(1_600);
  const outcomes = await Promise.allSettled([run(file), run(file)]);
  const failed = outcomes.filter(({ status }) => status === 'rejected');
  expect(failed.length).toBeLessThan(2);
  for (const outcome of failed) {
    expect((outcome as PromiseRejectedResult).reason.message).toBe('another process imports the same file');
  }
  expect(await run(file)).toMatchObject({ accepted: good, refused: 160, alreadyImported: true });
  expect(await imported()).toBe(good);
});

test('a file that cannot be read to its end is imported up to there; corrected, it continues without duplicates', async () => {
  const header = 'number,issued_at,type,description,quantity,unit_amount,tax_type,tax_rate';
  const rows = Array.from({ length: 700 }, (_, index) => `A/${index},2011-01-01,simplified,x,1,100,vat,18`);
  const broken = files.csv([header, ...rows.slice(0, 600), 'A/600,"2011"-01-01,x'].join('\n'));
  const result = await importInvoices(database.db, {
    environmentId: home.environmentId,
    file: broken,
    actor: 'x',
  });
  expect(result).toMatchObject({
    code: 'invalid_request',
    detail: expect.stringMatching(
      /^file: line 602: the quotes .* up to there 599 were imported and 0 refused$/,
    ),
  });
  // The last one before the fault could have had another line.
  expect(await imported()).toBe(599);
  const corrected = files.csv([header, ...rows].join('\n'));
  expect(await run(corrected)).toMatchObject({ accepted: 101, refused: 599 });
  expect(reportOf(corrected)[1]).toMatch(/^2,number_already_used,"invoice inv_\w+ has the number A\/0"$/);
  expect(await imported()).toBe(700);
});

test('issuing continues during an import, for its company and for others, and waits behind one batch at most', async () => {
  const service = await testService();
  const neighbour = await createCompany(service.db);
  // With external ids nobody issues for the company while a batch is stored.
  const rows = Array.from({ length: 1_500 }, (_, n) => anOldInvoice(`B/${n}`, { external_id: `b-${n}` }));
  const { environmentId, key } = service.company.test;
  const lines: number[] = [];
  const request = { environmentId, file: files.jsonLines(rows), actor: 'opk_1' as const };
  let importing = true;
  const done = importInvoices(service.db, { ...request, onProgress: ({ line }) => lines.push(line) }).finally(
    () => {
      importing = false;
    },
  );
  const passed: number[] = [];
  while (importing) {
    for (const by of [key, neighbour.test.key]) {
      const before = lines.at(-1) ?? 0;
      const { status } = await service.call('POST', '/v1/invoices', { key: by, body: aSimplifiedInvoice() });
      expect(status).toBe(201);
      passed.push((lines.at(-1) ?? 0) - before);
    }
  }
  expect(await done).toMatchObject({ accepted: 1_500, refused: 0 });
  await service.close();
  expect(passed.length).toBeGreaterThan(10);
  // The batch that was being stored when it asked, and the one that stood before it in the queue.
  expect(Math.max(...passed)).toBeLessThanOrEqual(200);
});

const cli = (args: string[], variables: Record<string, string> = {}) =>
  runProgram('src/faces/cli/main.ts', { ...SECRETS, DATABASE_URL: database.url, ...variables }, [
    'import',
    ...args,
    ...['--reason', 'moved', '--live'],
  ]);

test('a process that is killed in the middle has imported whole rows only, and the next one imports the rest', async () => {
  const { file, report, good } = aFile(4_000);
  const args = ['--environment', String(home.environmentId), '--file', file, '--json'];
  const victim = cli(args);
  await eventually(imported, (count) => count > 0);
  await victim.end('SIGKILL');
  const between = await imported();
  expect(between).toBeLessThan(good);
  const next = cli(args);
  await once(next.process, 'close');
  expect(JSON.parse(next.output())).toMatchObject({ accepted: good, refused: 400, alreadyImported: false });
  expect(await imported()).toBe(good);
  expect(reportOf(file)).toEqual(report);
});

test('memory stays the same however long the file is', async () => {
  // 80 MB of rows beside the 35 MB of the program: more than the process may hold.
  const rows = Array.from({ length: 2_250 }, (_, index) =>
    index % 9 === 0 ? anOldInvoice(`M/${index}`) : { number: `M/${index}`, type: 'x'.repeat(40_000) },
  );
  const args = ['--environment', String(home.environmentId), '--file', files.jsonLines(rows)];
  const run = cli(args, { NODE_OPTIONS: '--max-old-space-size=96' });
  await once(run.process, 'close');
  expect(run.output()).toContain('accepted: 250\nrefused: 2000\n');
  // This is no terminal: no bar.
  expect(run.output()).not.toContain('█');
});
