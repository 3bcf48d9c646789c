import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startJobs } from '../../jobs/runner.ts';
import { buildProgram } from '../../src/faces/cli/program.ts';
import type { Standby } from '../../src/ground/db/standby/standby.ts';
import { createExposition } from '../../src/subjects/operations/exposition.ts';
import { SIMULATOR_TLS, type TestSimulator, testSimulator } from '../support/agency/simulator.ts';
import { alertRules } from '../support/alerts/rules.ts';
import { firingAtTheEnd, scenarios } from '../support/alerts/scenarios.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { eventually } from '../support/processes/running-program.ts';
import { faultsOf, readExposition, type Series } from './promql.ts';

const DEPLOY = join(import.meta.dirname, '../../deploy');
const ALERTS = join(DEPLOY, 'prometheus/alerts.yaml');
const TESTS = join(DEPLOY, 'prometheus/alerts.test.yaml');

const rules = alertRules;
const alerts = rules.filter(({ alert }) => alert !== undefined);

type Panel = {
  readonly type: string;
  readonly title: string;
  readonly description?: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly fieldConfig?: { readonly defaults: { readonly unit?: string } };
  readonly targets?: readonly { readonly expr: string }[];
};
const { panels } = JSON.parse(readFileSync(join(DEPLOY, 'grafana/lacre.json'), 'utf8')) as {
  panels: Panel[];
};

/** What a service shows that has been started and used. */
let series: Series;
let exposition: string;
let simulator: TestSimulator;
let service: TestService;
beforeAll(async () => {
  simulator = await testSimulator();
  const tls = process.env[SIMULATOR_TLS]!;
  service = await testService(
    {
      AGENCY_CERTIFICATE_FILE: join(tls, 'client.p12'),
      AGENCY_CERTIFICATE_PASSPHRASE: readFileSync(join(tls, 'client-passphrase.txt'), 'utf8'),
      AGENCY_CERTIFICATE_KIND: 'seal',
    },
    { simulator },
  );
  await use();
  exposition = (await service.call('GET', '/metrics', { key: null })).body;
  // Of a process whose reads a standby may answer: the others show nothing of one.
  const standby = { isUsable: true, lagSeconds: 0 } as Standby;
  series = readExposition(await createExposition({ ...service.services, standby })());
});
afterAll(() => service?.close());

/** Issues what is registered, what is refused by the agency, and what cannot be issued; renders; leaves something to do. */
async function use(): Promise<void> {
  const { key, environmentId } = service.company.live;
  const issue = (body: object) => service.call('POST', '/v1/invoices', { key, body });
  const issued = [await issue(aSimplifiedInvoice())];
  issued.push(await issue(aSimplifiedInvoice({ line_items: [aLine({ description: 'SIMULATE-REJECT' })] })));
  expect(issued.map(({ status }) => status)).toEqual([201, 201]);
  expect((await issue(aSimplifiedInvoice({ line_items: [] }))).status).toBeLessThan(500);
  const silent = {
    name: 'CENSO CAIDO SL',
    tax_id: 'B72877814',
    address: { line1: 'Gran Vía 1', postal_code: '28013', city: 'Madrid', country: 'ES' },
  };
  expect((await issue({ ...aSimplifiedInvoice(), type: 'complete', recipient: silent })).status).toBe(503);
  const question = { tax_id: 'DE123456789', tax_id_type: 'eu_vat' };
  expect((await service.call('POST', '/v1/tax_ids/validate', { key, body: question })).status).toBe(200);
  await simulator.control({ wait_seconds: 600 });
  const count = async (query: string) =>
    (await service.db.pool.query<{ count: number }>(`select count(*)::int as count ${query}`)).rows[0]!.count;
  const jobs = await startJobs(service.services, () => {});
  try {
    await eventually(
      () => count(`from record_state where status <> 'pending' and environment_id = ${environmentId}`),
      (settled) => settled === 2,
    );
    await eventually(
      () => count("from invoice_document where state = 'stored'"),
      (stored) => stored === 2,
    );
    // The agency wants ten minutes before the next envelope: this one waits.
    expect((await issue(aSimplifiedInvoice())).status).toBe(201);
    await eventually(
      () => count("from graphile_worker.jobs where key like 'register:%' and run_at > now()"),
      (waiting) => waiting === 1,
    );
  } finally {
    await jobs.stop();
  }
}

/** What rules may request: also what other rules record. */
function recorded(): Series {
  const names = rules.flatMap(({ record }) => record ?? []);
  return new Map([...series, ...names.map((name): [string, Map<string, Set<string>>] => [name, new Map()])]);
}

describe('the alert rules', () => {
  test.each(rules.map((rule) => [rule.alert ?? rule.record!, rule] as const))(
    '%s queries metrics that exist',
    (_name, { expr }) => expect(faultsOf(expr, recorded())).toEqual([]),
  );

  test.each(alerts.map((rule) => [rule.alert!, rule] as const))(
    '%s states severity, condition, meaning and action',
    (_name, { labels, annotations }) => {
      expect(['critical', 'warning']).toContain(labels?.['severity']);
      for (const text of ['summary', 'description', 'action']) {
        expect(annotations?.[text]?.length ?? 0, text).toBeGreaterThan(20);
      }
    },
  );

  test('the commands that they name exist', () => {
    const program = buildProgram({} as never);
    const scripts = JSON.parse(readFileSync(join(DEPLOY, '../package.json'), 'utf8')).scripts as object;
    const actions = alerts.map(({ annotations }) => annotations?.['action'] ?? '').join('\n');
    const suggested = [...actions.matchAll(/npm run ([\w-]+)(?: -- ([\w-]+) ([\w-]+))?/g)];
    expect(suggested.length).toBeGreaterThan(5);
    for (const [what, script = '', group, command] of suggested) {
      expect(Object.keys(scripts), what).toContain(script);
      if (group === undefined) continue;
      const commands = program.commands.find((one) => one.name() === group)?.commands ?? [];
      expect(
        commands.map((one) => one.name()),
        what,
      ).toContain(command);
    }
  });

  const promtool = spawnSync('promtool', ['--version']).error === undefined;
  test.skipIf(!promtool)('are accepted by Prometheus, and each fires when it should', () => {
    for (const args of [
      ['check', 'rules', ALERTS],
      ['test', 'rules', TESTS],
    ]) {
      const { status, stdout, stderr } = spawnSync('promtool', args, { encoding: 'utf8' });
      expect(status, stdout + stderr).toBe(0);
    }
  });

  test.each(scenarios.map((scenario) => [scenario.name, scenario] as const))(
    'of a scenario in which %s those fire that should, and no others',
    (_name, scenario) => {
      const wanted = scenario.promql_expr_test.flatMap(({ exp_samples = [] }) => exp_samples);
      expect(firingAtTheEnd(scenario).map((alert) => `{alertname="${alert}"}`)).toEqual(
        wanted.map(({ labels }) => labels).sort(),
      );
    },
  );

  test('each fires in one of the scenarios for Prometheus', () => {
    const fired = scenarios.flatMap(({ promql_expr_test }) =>
      promql_expr_test.flatMap(({ exp_samples = [] }) => exp_samples.map(({ labels }) => labels)),
    );
    expect(fired.sort()).toEqual(alerts.map(({ alert }) => `{alertname="${alert}"}`).sort());
  });
});

describe('the dashboard', () => {
  const shown = panels.filter(({ type }) => type !== 'row');

  test.each(shown.map((panel) => [panel.title, panel] as const))(
    '%s queries metrics that exist',
    (_title, panel) => {
      expect(panel.targets?.length).toBeGreaterThan(0);
      for (const { expr } of panel.targets!) {
        const query = expr.replaceAll('$__rate_interval', '5m').replaceAll('$job', '.*');
        expect(faultsOf(query, series), expr).toEqual([]);
      }
    },
  );

  test('each panel has a title of its own, a description and a unit', () => {
    expect(shown.length).toBeGreaterThan(10);
    expect(new Set(shown.map(({ title }) => title)).size).toBe(shown.length);
    for (const { title, description, fieldConfig } of shown) {
      expect(description?.length ?? 0, title).toBeGreaterThan(10);
      expect(fieldConfig?.defaults.unit, title).toBeTruthy();
    }
  });

  test('panels do not overlap and do not exceed the page', () => {
    for (const { title, gridPos: a } of panels) {
      expect(a.x + a.w, title).toBeLessThanOrEqual(24);
      const over = panels.filter(
        ({ gridPos: b }) =>
          b !== a && a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h,
      );
      expect(
        over.map((other) => other.title),
        title,
      ).toEqual([]);
    }
  });
});

test('a process without a standby tells nothing of one, so that no alert fires for it', () => {
  expect(exposition).not.toMatch(/^lacre_standby/m);
});

test('the metrics are named by the conventions: base units, totals, no company in a histogram', () => {
  const own = [...series.keys()].filter((name) => name.startsWith('lacre_'));
  expect(own.length).toBeGreaterThan(30);
  for (const name of own) {
    expect(name).toMatch(/^lacre_[a-z0-9_]+$/);
    expect(name).not.toMatch(/_(ms|milliseconds|minutes|hours|days|kb|mb)(_|$)/);
    if (/duration|wait_(?!ing)/.test(name)) expect(name).toMatch(/_seconds(_bucket|_sum|_count)?$/);
    if (!name.endsWith('_bucket')) continue;
    for (const label of series.get(name)!.keys()) {
      expect([
        'le',
        'route',
        'method',
        'status',
        'environment',
        'outcome',
        'lock',
        'service',
        'task',
        'operation',
      ]).toContain(label);
    }
  }
});

describe('the guide', () => {
  const guide = readFileSync(join(DEPLOY, '../docs/guides/observability.md'), 'utf8').split('\n');

  test('has a line for each metric of ours, with its kind, labels and help', () => {
    const rows = exposition.split('\n').flatMap((line) => {
      const [, name = '', help = ''] = /^# HELP (lacre_\w+) (.*)$/.exec(line) ?? [];
      if (name === '') return [];
      const kind = new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(exposition)?.[1] ?? '';
      const seen = series.get(kind === 'histogram' ? `${name}_count` : name);
      const labels = [...(seen?.keys() ?? [])].sort().map((label) => `\`${label}\``);
      const by = labels.length === 0 ? '' : ` by ${labels.join(', ')}`;
      return [`- \`${name}\` (${kind}${by}): ${help}`];
    });
    expect(rows.length).toBeGreaterThan(25);
    expect(guide.filter((line) => line.startsWith('- `lacre_')).sort()).toEqual(rows.sort());
  });

  test('states the severity and the remediation of each alert', () => {
    const written = guide.join('\n');
    for (const { alert, labels, annotations } of alerts) {
      expect(written).toContain(`\n- **${alert}** (${labels?.['severity']}): `);
      expect(written).toContain(`\n  ${annotations?.['action']?.trim()}\n`);
    }
    expect(guide.filter((line) => line.startsWith('- **Lacre'))).toHaveLength(alerts.length);
  });
});

describe('a wrong name is found', () => {
  const known: Series = new Map([
    [
      'lacre_jobs',
      new Map([
        ['task', new Set(['register'])],
        ['state', new Set(['due', 'running'])],
      ]),
    ],
  ]);
  test.each([
    ['max(lacre_jobs{state="due"}) by (task)', []],
    ['sum by (instance) (lacre_jobs{job=~".*", state=~"due|running", task!="x"})', []],
    ['max(lacre_job)', ['no metric lacre_job']],
    ['max(lacre_jobs{stat="due"})', ['lacre_jobs has no label stat']],
    ['max(lacre_jobs{state="overdue"})', ['lacre_jobs has no state="overdue"']],
    ['max(lacre_jobs{state=~"due|overdue"})', ['lacre_jobs has no state="overdue"']],
    ['max by (tasks) (lacre_jobs)', ['no label tasks to group by']],
    ['1 + 1', ['asks for nothing']],
  ])('%s', (expression, faults) => expect(faultsOf(expression, known)).toEqual(faults));

  test('and so is what cannot be read', () => {
    expect(faultsOf('max(lacre_jobs', known).join()).toContain('cannot be read');
  });
});
