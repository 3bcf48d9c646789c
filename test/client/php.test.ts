import { execFile, spawn, spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PHP, packageBytes } from '../../src/faces/docs/downloads.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { deliveries, SECRET, VERIFIED } from './deliveries.ts';
import { DisturbingProxy } from './disturbing-proxy.ts';

/** The package for PHP as a running service gives it, installed by composer into a project that has nothing else. */

const run = promisify(execFile);
const folder = mkdtempSync(join(tmpdir(), 'lacre-php-'));
const README = readFileSync(join(import.meta.dirname, '../../packages/php/README.md'), 'utf8');

/** Where Debian keeps what composer would fetch from its registry, which tests do not ask. */
const DEBIAN = '/usr/share/php';

/** A package of Debian's as composer takes it. */
const ofDebian = (name: string, version: string, at: string, more: object) => ({
  type: 'package',
  package: { name, version, dist: { type: 'path', url: join(DEBIAN, at) }, ...more },
});

const psr4 = (namespace: string) => ({ autoload: { 'psr-4': { [namespace]: '' } } });

const REPOSITORIES = {
  'packagist.org': false,
  client: ofDebian('psr/http-client', '1.0.3', 'Psr/Http/Client', psr4('Psr\\Http\\Client\\')),
  message: ofDebian('psr/http-message', '1.1.0', 'Psr/Http/Message', {
    replace: { 'psr/http-factory': '1.0.2' },
    ...psr4('Psr\\Http\\Message\\'),
  }),
  guzzle: ofDebian('guzzlehttp/guzzle', '7.4.5', 'GuzzleHttp', {
    provide: { 'psr/http-client-implementation': '1.0', 'psr/http-factory-implementation': '1.0' },
    autoload: { files: ['autoload.php'] },
  }),
};

const ON_DEBIAN = 'apt-get install php-cli php-curl php-mbstring php-xml composer php-guzzlehttp-guzzle';
const missing = missingHere();
if (missing !== null)
  console.warn(`\n!!! THE CLIENT FOR PHP IS NOT TESTED: IT NEEDS ${missing} (Debian: ${ON_DEBIAN})\n`);

/** What is missing to install and run it; null if nothing is. */
function missingHere(): string | null {
  for (const program of ['php', 'composer'])
    if (spawnSync(program, ['--version'], { env: environmentOf() }).status !== 0) return program;
  return existsSync(join(DEBIAN, 'GuzzleHttp/autoload.php')) ? null : 'guzzlehttp/guzzle';
}

function environmentOf(): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    COMPOSER_ALLOW_SUPERUSER: '1',
    COMPOSER_HOME: join(folder, '.composer'),
  };
}

/** The commands of the README that install it, without the one that fetches it from a service. */
const installing = /```bash\n([\s\S]*?)```/.exec(README)![1]!.replace(/^curl.*\n/m, '');

const ADDRESS = "['line1' => 'Gran Vía 1', 'postal_code' => '28013', 'city' => 'Madrid', 'country' => 'ES']";
const ORDER = `['id' => 7, 'revision' => 1, 'customer' => 3, 'name' => 'García López Ana', 'email' => 'ana@example.com', 'address' => ${ADDRESS},
      'items' => [['name' => '👕 Camisa', 'quantity' => 2, 'cents' => 2995, 'rate' => 21]]]`;
/** Sold twice, refused without a valid NIF, and sold to who has one. */
const CALLS = `$order = ${ORDER};
echo json_encode([
    invoiceOf($lacre, $order),
    invoiceOf($lacre, [...$order, 'revision' => 2]),
    invoiceOf($lacre, [...$order, 'id' => 8, 'nif' => '12345678A']),
    invoiceOf($lacre, [...$order, 'id' => 8, 'revision' => 2, 'nif' => '12345678Z']),
    array_column(iterator_to_array($lacre->listInvoices(externalId: ['order-7', 'order-8'])), 'total'),
]);`;

describe.skipIf(missing !== null)('the client for PHP', () => {
  let service: TestService;
  let proxy: DisturbingProxy;
  beforeAll(async () => {
    service = await testService();
    proxy = new DisturbingProxy(service.url);
    await proxy.open();
    writeFileSync(join(folder, 'composer.json'), JSON.stringify({ repositories: REPOSITORIES }));
    mkdirSync(join(folder, 'packages'));
    writeFileSync(join(folder, 'packages', PHP.file), (await packageBytes(PHP))!);
    await run('bash', ['-e', '-c', installing], {
      ...{ cwd: folder, env: { ...environmentOf(), COMPOSER_NO_INTERACTION: '1' } },
    });
    copyFileSync(join(import.meta.dirname, 'programs/flow.php'), join(folder, 'flow.php'));
  }, 240_000);
  afterAll(async () => {
    proxy?.close();
    await service?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const environment = () => ({
    ...environmentOf(),
    ...{ LACRE_URL: proxy.url, LACRE_KEY: service.company.test.key },
  });

  test('issues once whatever happens to the answer, pages, refuses by code and verifies deliveries', async () => {
    const program = spawn('php', ['-d', 'display_errors=stderr', '-d', 'error_reporting=-1', 'flow.php'], {
      ...{ cwd: folder, env: environment() },
    });
    program.stdin.end(JSON.stringify({ secret: SECRET, deliveries: deliveries() }));
    const [printed, failed] = await Promise.all([text(program.stdout), text(program.stderr)]);
    expect(failed).toBe('');
    expect(JSON.parse(printed)).toEqual({
      ...{ total: 1650, again: true, retrieved: true, listed: true, ofOrder: true, link: true },
      ...{ format: 'format_not_applicable', refused: ['invalid_request', 400, 'line_items', true] },
      ...{ away: 'no_answer', verified: VERIFIED },
    });
    expect(proxy.keyed).toBeGreaterThan(5);
    const { rows } = await service.db.pool.query('select count(*)::int as count from invoice');
    expect(rows[0].count).toBe(2);
  });

  test('does what the guide of web shops shows, for a ticket, a complete invoice, and one that is refused', async () => {
    const guide = readFileSync(join(import.meta.dirname, '../../docs/guides/web-shop.md'), 'utf8');
    const [, shown = ''] = /```php[^\n]*\n(<\?php[\s\S]*?)```/.exec(guide) ?? [];
    writeFileSync(join(folder, 'shop.php'), `${shown}\n${CALLS}`);
    const { stdout } = await run('php', ['shop.php'], { cwd: folder, env: environment() });
    const ask = 'Ask for name and NIF as they are on the identity card.';
    expect(JSON.parse(stdout)).toEqual([null, null, ask, null, [5990, 5990]]);
  });

  test('does what its README shows', async () => {
    writeFileSync(join(folder, 'first.php'), /```php\n(<\?php[\s\S]*?)```/.exec(README)![1]!);
    const { stdout } = await run('php', ['first.php'], { cwd: folder, env: environment() });
    expect(stdout).toMatch(/^F-\d+-\d+ 1650\n/);
  });
});
