import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, relative } from 'node:path';
import * as apps from 'kubernetes-models/apps/v1';
import * as batch from 'kubernetes-models/batch/v1';
import * as networking from 'kubernetes-models/networking.k8s.io/v1';
import * as policy from 'kubernetes-models/policy/v1';
import * as core from 'kubernetes-models/v1';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../../src/ground/config/config.ts';
import { secretSettings, settings } from '../../src/ground/config/settings.ts';
import { SERVICE_WAITS_MS } from '../../src/startup/wait-for-database.ts';
import { MEASURED } from '../support/guides/capacity.ts';
import { unusedPort } from '../support/processes/ports.ts';
import { startOf } from '../support/processes/running-program.ts';
import { KUBERNETES, readManifests } from './manifests.ts';

/** No cluster, no Patroni and no systemd run here: what can be known without one is that each file is what its program takes. */

const ROOT = join(import.meta.dirname, '../..');
const SYSTEMD = join(ROOT, 'deploy/systemd');

const folder = mkdtempSync(join(tmpdir(), 'lacre-examples-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (...path: string[]) => readFileSync(join(ROOT, ...path), 'utf8');
/** In which environment `npm start` starts the service. */
const START = startOf('src/main.ts').variables;
/** How long a process may take to stop, besides draining. */
const STOP_SECONDS = Number(/const STOP_MS = (\d+)_000;/.exec(read('src/startup/signals.ts'))![1]);
const npmCommand = (script: string) =>
  (JSON.parse(read('package.json')) as { scripts: Record<string, string> }).scripts[script]!.replace(
    /^exec env (?:[A-Z_]+=\S+ )+/,
    '',
  );
const variablesOf = (text: string) =>
  Object.fromEntries(
    text
      .split('\n')
      .filter((line) => /^\w+=/.test(line))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );

/** The settings with files of secrets that there are; any text that is long enough will do as one. */
function configOf(variables: Record<string, string>) {
  const secrets: Record<string, string> = {
    DATABASE_URL_FILE: 'postgres://lacre_runtime:secret@db:5432/lacre',
    DATABASE_OWNER_URL_FILE: 'postgres://lacre:secret@db:5432/lacre',
    LINK_SECRETS_FILE: 'a'.repeat(64),
    CHECKPOINT_KEY_FILE: 'b'.repeat(64),
    CERTIFICATE_KEYS_FILE: `main:${Buffer.alloc(32).toString('base64')}`,
  };
  const known = [
    ...[...Object.keys(settings), ...secretSettings.map((name) => `${name}_FILE`), 'NODE_ENV'],
    ...[...Object.keys(START), 'NODE_COMPILE_CACHE'],
  ];
  expect(Object.keys(variables).filter((name) => !known.includes(name))).toEqual([]);
  const read = Object.entries(variables).map(([name, value]) => {
    const secret = secrets[name];
    if (secret === undefined) return [name, value];
    writeFileSync(join(folder, name), secret);
    return [name, join(folder, name)];
  });
  return readConfig({ ...Object.fromEntries(read), DATA_DIR: folder });
}

const KINDS: Record<string, object> = {
  v1: core,
  'apps/v1': apps,
  'batch/v1': batch,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
};

describe('the manifests of Kubernetes', () => {
  const { kustomization, all, pods } = readManifests();
  const podOf = (name: string) => pods.find(({ metadata }) => metadata.name === name)!.spec.template.spec;
  const shared = variablesOf(read('deploy/kubernetes/settings.env'));

  test('are all named, and contain nothing that the schemas of Kubernetes do not define', async () => {
    const there = readdirSync(KUBERNETES).filter(
      (file) => /\.yaml$/.test(file) && file !== 'kustomization.yaml',
    );
    expect(kustomization.resources.toSorted()).toEqual(there.toSorted());
    const lines: string[] = [];
    for (const [index, resource] of all.entries()) {
      const kinds = KINDS[resource.apiVersion] as Record<string, new (data: object) => { validate(): void }>;
      // It throws what is missing or of another type; the compiler says what is unknown.
      new kinds[resource.kind]!(resource).validate();
      lines.push(
        `import type { I${resource.kind} as T${index} } from 'kubernetes-models/${resource.apiVersion}/${resource.kind}';`,
        `export const r${index}: T${index} = ${JSON.stringify(resource)};`,
      );
    }
    expect(all.length).toBeGreaterThan(10);
    expect(await refusedByCompiler(lines)).toBe('');
    expect(
      await refusedByCompiler([
        ...lines,
        lines.at(-1)!.replace('{"', '{"replica":2,"').replace(/r\d+:/, 'x:'),
      ]),
    ).toContain('replica');
  });

  test('give every process valid settings, and the owner of the database to the migration only', () => {
    for (const { metadata, spec } of pods.filter(({ metadata: { name } }) => name !== 'simulator')) {
      const [container] = spec.template.spec.containers;
      const own = Object.fromEntries((container!.env ?? []).map(({ name, value }) => [name, value]));
      for (const [name, value] of Object.entries({ ...shared, ...own })) {
        if (!value.startsWith('/run/secrets/')) continue;
        const mount = container!.volumeMounts.find(({ mountPath }) => value.startsWith(`${mountPath}/`));
        expect(mount, `${metadata.name} ${name}`).toBeDefined();
        // The script makes the files that the secrets are made of.
        expect(read('deploy/make-secrets.sh')).toContain(`keep ${basename(value)}`);
      }
      const config = configOf({ ...shared, ...own });
      expect(config.databaseOwnerUrl === null, metadata.name).toBe(metadata.name !== 'migrate');
      // The ingress leads to the other port alone.
      expect(config.metricsPort, metadata.name).toBe(9_464);
    }
  });

  test('run what npm runs, as an ordinary user on a file system that is read only, with bounded memory', () => {
    for (const { metadata, spec } of pods) {
      const pod = spec.template.spec;
      expect(pod.automountServiceAccountToken, metadata.name).toBe(false);
      expect(pod.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      for (const container of pod.containers) {
        expect(container.securityContext).toEqual({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        });
        expect(container.resources.limits.memory).toMatch(/^\d+[MG]i$/);
        const volumes = [
          ...pod.volumes,
          ...(spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata),
        ];
        for (const { name } of container.volumeMounts)
          expect(volumes.map((each) => each.name)).toContain(name);
      }
    }
    for (const name of ['api', 'worker']) {
      const { requests } = podOf(name).containers[0]!.resources;
      const requested = Number(/^(\d+)Mi$/.exec(requests.memory)![1]) * 2 ** 20;
      expect(requested, 'as a process needs under load').toBeGreaterThan(MEASURED.process);
    }
    expect(podOf('worker').containers[0]!.command!.join(' ')).toBe(npmCommand('worker'));
    expect(podOf('api').containers[0]!.command).toBeUndefined();
  });

  test('check whether a process is ready more often than it drains, and give it the time to stop', () => {
    const { readinessProbe, livenessProbe, ports } = podOf('api').containers[0]!;
    expect(readinessProbe!.httpGet).toEqual({ path: '/readyz?exclude=database', port: 'http' });
    expect(livenessProbe!.httpGet).toEqual({ path: '/healthz', port: 'http' });
    const drain = Number(shared['DRAIN_SECONDS']);
    expect(drain).toBeGreaterThan(2 * readinessProbe!.periodSeconds * readinessProbe!.failureThreshold);
    for (const name of ['api', 'worker'])
      expect(podOf(name).terminationGracePeriodSeconds, name).toBeGreaterThan(drain + STOP_SECONDS);
    expect(ports!.find(({ name }) => name === 'metrics')!.containerPort).toBe(Number(shared['METRICS_PORT']));
  });

  test('have two of what serves and of what works, of which one stays when a node is emptied', () => {
    for (const name of ['api', 'worker']) {
      const { spec } = pods.find(({ metadata }) => metadata.name === name)!;
      const budget = all.find(
        ({ kind, metadata }) => kind === 'PodDisruptionBudget' && metadata.name === name,
      )!;
      expect(budget.spec.minAvailable, name).toBeLessThan(spec.replicas!);
      expect(budget.spec.selector).toEqual(spec.selector);
      expect(spec.updateStrategy).toEqual({ type: 'RollingUpdate' });
    }
  });

  test('name the image by a digest, and send the requests of one key to one process', () => {
    const { images } = kustomization;
    expect(images.map(({ name }) => name)).toEqual(['lacre']);
    expect(images[0]!.digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(pods.flatMap(({ spec }) => spec.template.spec.containers.map(({ image }) => image))).toEqual(
      pods.map(() => 'lacre'),
    );
    const ingress = all.find(({ kind }) => kind === 'Ingress')!;
    expect(ingress.metadata.annotations).toMatchObject({
      'nginx.ingress.kubernetes.io/upstream-hash-by': '$http_authorization',
    });
  });

  test('start again what hangs, but not what waits for its database', () => {
    for (const { kind, metadata, spec } of pods) {
      const { ports = [], startupProbe, livenessProbe } = spec.template.spec.containers[0]!;
      if (kind === 'Job') continue;
      for (const probe of [startupProbe, livenessProbe])
        expect(
          ports.map(({ name }) => name),
          metadata.name,
        ).toContain((probe?.httpGet ?? probe?.tcpSocket)?.port);
      if (metadata.name === 'simulator') continue;
      const { periodSeconds, failureThreshold } = startupProbe!;
      expect(periodSeconds * failureThreshold * 1_000, metadata.name).toBeGreaterThan(SERVICE_WAITS_MS);
    }
  });

  test('keep the folder of each process when its pod is replaced', () => {
    const { DATA_DIR } = shared;
    for (const { kind, metadata, spec } of pods.filter(({ kind }) => kind !== 'Job')) {
      const kept = (spec.volumeClaimTemplates ?? []).map(({ metadata }) => metadata.name);
      const mounts = spec.template.spec.containers[0]!.volumeMounts;
      const folder = metadata.name === 'simulator' ? '/simulator' : DATA_DIR;
      expect(kept, metadata.name).toContain(mounts.find(({ mountPath }) => mountPath === folder)?.name);
      expect(kind).toBe('StatefulSet');
    }
  });

  test('let nobody else in a pod read a secret', () => {
    const secrets = pods
      .flatMap(({ spec }) => spec.template.spec.volumes)
      .flatMap(({ secret }) => secret ?? []);
    expect(secrets.length).toBeGreaterThan(5);
    for (const { secretName, defaultMode } of secrets) expect(defaultMode! & 0o007, secretName).toBe(0);
  });

  test('mount the database’s owner in the migration only, and run only our image', () => {
    const owners = pods.filter(({ spec }) =>
      spec.template.spec.volumes.some(({ secret }) => secret?.secretName === 'lacre-owner'),
    );
    expect(owners.map(({ metadata }) => metadata.name)).toEqual(['migrate']);
    for (const { metadata, spec } of pods)
      for (const { image } of spec.template.spec.containers) expect(image, metadata.name).toBe('lacre');
  });

  /** What the compiler says of resources that are written as values of their types. */
  async function refusedByCompiler(lines: readonly string[]): Promise<string> {
    // Types are looked for beside the file.
    const directory = join(ROOT, 'node_modules/.deployment-examples');
    mkdirSync(directory, { recursive: true });
    const file = join(directory, 'resources.ts');
    writeFileSync(file, lines.join('\n'));
    const { stdout } = spawnSync(
      join(ROOT, 'node_modules/.bin/tsc'),
      [
        '--noEmit',
        '--ignoreConfig',
        '--strict',
        '--skipLibCheck',
        '--module',
        'nodenext',
        '--target',
        'esnext',
        file,
      ],
      { encoding: 'utf8' },
    );
    rmSync(directory, { recursive: true });
    return stdout;
  }
});

describe('the units of systemd', () => {
  const units = readdirSync(SYSTEMD).filter((file) => file.endsWith('.service'));
  const textOf = (file: string) => read('deploy/systemd', file);
  const linesOf = (file: string, name: string) =>
    [...textOf(file).matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value]) => value!);

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('are understood by systemd', () => {
    for (const unit of units) {
      writeFileSync(
        join(folder, unit),
        textOf(unit).replaceAll('/opt/lacre/node_modules/.bin/node', process.execPath),
      );
    }
    const { stdout, stderr } = spawnSync(
      'systemd-analyze',
      ['verify', '--man=no', ...units.map((unit) => join(folder, unit))],
      {
        encoding: 'utf8',
      },
    );
    expect(stdout + stderr).toBe('');
  });

  test.each(units)('%s runs as an ordinary user who can write in its own folder only', (unit) => {
    const text = textOf(unit).split('\n');
    for (const line of ['User=lacre', 'UMask=0077', 'StateDirectoryMode=0700', 'PrivateTmp=yes'])
      expect(text).toContain(line);
    for (const line of ['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'ProtectSystem=strict'])
      expect(text).toContain(line);
    expect(text).toContain('SystemCallFilter=@system-service');
  });

  test.each(units)('%s is started again with bounded memory, and has the time to stop', (unit) => {
    // The migration runs once.
    if (unit.includes('migrate')) return;
    expect(linesOf(unit, 'Restart')).toEqual(['always']);
    expect(linesOf(unit, 'MemoryMax')).toEqual(['1G']);
    if (unit.includes('simulator')) return;
    const drain = Number(variablesOf(read('deploy/systemd/settings.env'))['DRAIN_SECONDS']);
    expect(Number(linesOf(unit, 'TimeoutStopSec')[0])).toBeGreaterThan(drain + STOP_SECONDS);
    for (const how of ['After', 'Wants']) expect(linesOf(unit, how)[0]).toContain('lacre-migrate.service');
    // By any of these the migration of a new version would stop all processes at once.
    for (const how of ['Requires', 'Requisite', 'BindsTo', 'PartOf']) expect(linesOf(unit, how)).toEqual([]);
  });

  test.each(units)('%s starts a program that there is with settings that are taken', (unit) => {
    const [command] = linesOf(unit, 'ExecStart');
    const program = /\S+\.ts/.exec(command!)![0];
    expect(existsSync(join(ROOT, program))).toBe(true);
    // The Node that is installed with the packages: that of a distribution may be older.
    const [node] = command!.split(' ');
    expect(node!.startsWith(`${linesOf(unit, 'WorkingDirectory')[0]}/`)).toBe(true);
    const installed = join(ROOT, relative('/opt/lacre', node!));
    expect(execFileSync(installed, ['--version'], { encoding: 'utf8' }).trim()).toBe(process.version);
    if (unit.includes('worker')) expect(command).toContain(npmCommand('worker').replace(/^node /, ''));
    if (unit.includes('api')) expect(command).toContain(npmCommand('start').replace(/^node /, ''));
    const credentials = linesOf(unit, 'LoadCredential').map((line) => line.split(':')[0]!);
    const own = linesOf(unit, 'Environment')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.split('=') as [string, string])
      .map(([name, value]) => [name, value.replace('%i', '3001')] as const);
    if (/worker|api/.test(unit)) expect(Object.fromEntries(own)).toMatchObject(START);
    const named = own.filter(([, value]) => value.startsWith('%d/')).map(([, value]) => value.slice(3));
    expect(named.toSorted()).toEqual(credentials.toSorted());
    for (const credential of credentials)
      expect(read('deploy/make-secrets.sh')).toContain(`keep ${credential}`);
    if (unit.includes('simulator')) return;
    const config = configOf({
      ...variablesOf(read('deploy/systemd/settings.env')),
      ...Object.fromEntries(own),
    });
    expect(config.databaseOwnerUrl === null).toBe(!unit.includes('migrate'));
    if (unit.includes('migrate')) return;
    // A proxy for the API would show the metrics to everybody.
    expect([config.host, config.metricsPort]).toEqual(['127.0.0.1', unit.includes('api') ? 13_001 : 9_464]);
  });
});

describe('the example of Patroni', () => {
  test.skipIf(!existsSync('/usr/sbin/haproxy'))('has a proxy that HAProxy takes', () => {
    expect(() =>
      execFileSync('/usr/sbin/haproxy', ['-c', '-f', join(ROOT, 'deploy/patroni/haproxy.cfg')]),
    ).not.toThrow();
  });

  test.skipIf(!existsSync('/usr/bin/patroni'))('has settings that Patroni takes', async () => {
    const [rest, server] = [await unusedPort(), await unusedPort()];
    const here = read('deploy/patroni/patroni.yml')
      .replace('listen: 10.0.0.1:8008', `listen: 127.0.0.1:${rest}`)
      .replace('listen: 10.0.0.1:5432', `listen: 127.0.0.1:${server}`);
    // What depends on the machine: Postgres and etcd are not here.
    const output = validated(here).filter((line) => !/bin_dir|etcd|data_dir|watchdog/.test(line));
    expect(output).toEqual([]);
    expect(validated(here.replace('ttl: 20', 'ttl: soon'))).not.toEqual(validated(here));
  });

  function validated(settings: string): string[] {
    const file = join(folder, 'patroni.yml');
    writeFileSync(file, settings);
    const { stdout, stderr } = spawnSync('/usr/bin/patroni', ['--validate-config', file], {
      encoding: 'utf8',
    });
    return `${stdout}${stderr}`.split('\n').filter(Boolean);
  }

  test('waits for a synchronous standby, as the guide describes', () => {
    const { bootstrap, watchdog } = parse(read('deploy/patroni/patroni.yml')) as {
      bootstrap: { dcs: { postgresql: { parameters: Record<string, unknown> } }; pg_hba: string[] };
      watchdog: { mode: string };
    };
    const guide = read('docs/guides/high-availability.md');
    expect(bootstrap.dcs).toMatchObject({ synchronous_mode: true, ttl: 20, loop_wait: 5, retry_timeout: 5 });
    const { parameters } = bootstrap.dcs.postgresql;
    expect(parameters['synchronous_commit']).toBe('on');
    // By default a server offers no encryption, and then these rules admit nobody.
    expect(bootstrap.pg_hba.filter((rule) => !/^(local|hostssl) /.test(rule))).toEqual([]);
    expect(parameters).toMatchObject({
      ssl: 'on',
      ssl_cert_file: expect.any(String),
      ssl_key_file: expect.any(String),
    });
    expect(guide).toContain('| `ttl`, `loop_wait`, `retry_timeout` | 20, 5, 5 |');
    expect(watchdog.mode).toBe('required');
  });
});
