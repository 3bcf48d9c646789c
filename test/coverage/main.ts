import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { aCompleteInvoice } from '../support/invoices/invoices.ts';
import { startDemo } from '../support/processes/running-program.ts';
import { type Coverage, openInspector } from './inspector.ts';

/**
 * `npm run coverage:request`: which modules and functions of ours (`src`, `rest`, `jobs`) one warm request runs, as V8 counts
 * them. Jobs run in no process meanwhile. What a timer of the service runs now and then is not counted either, because only
 * what each of several equal requests has run counts. `--list` prints names; the exit status is 1 if POST runs more than it may.
 */

const ROOT = pathToFileURL(join(import.meta.dirname, '../../')).href;
/** Enough for each query to be compiled, and each cache filled. */
const WARMING = 50;
/** What a request leaves for after its answer falls into one count or the next. */
const COUNTED = 20;
const MOST = { modules: 100, functions: 400 };

type Run = ReadonlySet<string>;

/** The functions that have run, as `module name@offset`. */
function functionsRun({ result }: Coverage): Run {
  const run = result.flatMap(({ url, functions }) => {
    const module = url.startsWith(ROOT) ? url.slice(ROOT.length) : '';
    if (!/^(src|rest|jobs)\//.test(module)) return [];
    return functions
      .filter(({ ranges }) => ranges[0]!.count > 0)
      .map(
        ({ functionName, ranges }) => `${module} ${functionName || 'anonymous'}@${ranges[0]!.startOffset}`,
      );
  });
  return new Set(run);
}

function moduleOf(name: string): string {
  return name.slice(0, name.indexOf(' '));
}

function report(what: string, run: Run, list: boolean): { modules: number; functions: number } {
  const functions = [...run].sort();
  const modules = [...new Set(functions.map(moduleOf))];
  const nameless = functions.filter((name) => name.includes(' anonymous@')).length;
  console.log(
    `${what}: ${modules.length} modules, ${functions.length} functions (${nameless} of them without a name)`,
  );
  if (list) {
    for (const module of modules) {
      const names = functions.filter((name) => moduleOf(name) === module);
      console.log(
        `  ${module}: ${names.map((name) => name.slice(module.length + 1, name.lastIndexOf('@'))).join(', ')}`,
      );
    }
  }
  return { modules: modules.length, functions: functions.length };
}

const { list } = parseArgs({ options: { list: { type: 'boolean', default: false } } }).values;
const directory = mkdtempSync(join(tmpdir(), 'lacre-coverage-'));
// Postgres runs as a user of its own if this process is root's.
chmodSync(directory, 0o755);
const { program, credentials } = await startDemo(directory, {
  JOBS: 'outside',
  LOG_LEVEL: 'info',
  NODE_OPTIONS: '--inspect=127.0.0.1:0',
});
try {
  const [, address = ''] = await program.untilPrinted(/Debugger listening on (ws:\S+)/);
  const inspector = await openInspector(address);
  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${credentials.base_url}/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${credentials.test}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}`);
    return (await response.json()) as { id: string };
  };
  const issue = () => call('POST', '/invoices', aCompleteInvoice());
  const { id } = await issue();
  const read = () => call('GET', `/invoices/${id}`);
  for (let n = 0; n < WARMING; n++) {
    await issue();
    await read();
  }
  await inspector.startCounting();
  const runBy = async (request: () => Promise<unknown>): Promise<Run> => {
    let common: readonly string[] | null = null;
    for (let n = 0; n < COUNTED; n++) {
      await inspector.takeCounts();
      await request();
      const run = functionsRun(await inspector.takeCounts());
      common = common === null ? [...run] : common.filter((name) => run.has(name));
    }
    return new Set(common);
  };
  const posted = report('POST /v1/invoices', await runBy(issue), list);
  report('GET /v1/invoices/:id', await runBy(read), list);
  inspector.close();
  if (posted.modules > MOST.modules || posted.functions > MOST.functions) {
    console.log(`POST may run ${MOST.modules} modules and ${MOST.functions} functions.`);
    process.exitCode = 1;
  }
} finally {
  await program.end('SIGTERM');
  rmSync(directory, { recursive: true, force: true });
}
