import { afterEach, expect, test } from 'vitest';
import { clock } from '../../src/ground/lib/clock.ts';
import {
  clientsByCertificate,
  type PresentedCertificate,
} from '../../src/subjects/certificates/client-pool.ts';
import type { CertificateInUse } from '../../src/subjects/certificates/in-use.ts';

afterEach(() => clock.reset());

const certificate = (fingerprint: string, kind: 'person' | 'seal' = 'seal'): CertificateInUse => ({
  ...{ fingerprint, kind, holderNif: null, validTo: new Date('2030-01-01') },
  open: () => ({ cert: fingerprint, key: 'k' }),
});

/** Lines over what `owners` says, and all that were opened. */
function setUp(owners: Map<number, CertificateInUse | null>, freshMs = 0) {
  const opened: { presented: PresentedCertificate | null; closed: boolean; close(): void }[] = [];
  let requests = 0;
  const of = async (environmentId: number) => {
    requests += 1;
    return owners.get(environmentId) ?? null;
  };
  const open = (presented: PresentedCertificate | null) => {
    const line = {
      presented,
      closed: false,
      close() {
        line.closed = true;
      },
    };
    opened.push(line);
    return presented === null ? null : line;
  };
  const lines = clientsByCertificate({ of, expiries: async () => [] }, open, { freshMs });
  return { lines, opened, requestCount: () => requests };
}

test('environments with one certificate share a line; another certificate, or its other host, is another line', async () => {
  const owners = new Map([
    [1, certificate('a')],
    [2, certificate('a')],
    [3, certificate('b')],
    [4, certificate('a', 'person')],
  ]);
  const { lines, opened } = setUp(owners);
  const [one, two, three, four] = await Promise.all([1, 2, 3, 4].map((id) => lines.clientFor(id)));
  expect(one).toBe(two);
  expect(new Set([one, three, four]).size).toBe(3);
  owners.set(1, certificate('b'));
  expect(await lines.clientFor(1)).toBe(three);
  expect(await lines.clientFor(2)).toBe(two);
  expect(opened.map(({ presented }) => presented)).toHaveLength(3);
  lines.close();
  expect(opened.every(({ closed }) => closed)).toBe(true);
});

test('where there is no certificate, or it cannot be opened, the reason is given, and opening is tried again', async () => {
  const owners = new Map<number, CertificateInUse | null>([[1, null]]);
  const { lines } = setUp(owners);
  expect(await lines.clientFor(1)).toMatch(/no client certificate in force/);
  owners.set(1, { ...certificate('a'), open: () => 'no key named x' });
  expect(await lines.clientFor(1)).toBe('the client certificate cannot be opened: no key named x');
  owners.set(1, certificate('a'));
  expect(await lines.clientFor(1)).toMatchObject({ presented: { kind: 'seal' } });
});

test('a hot path checks the certificate at intervals', async () => {
  clock.freeze(new Date('2026-11-20T10:00:00Z'));
  const owners = new Map([[1, certificate('a')]]);
  const { lines, requestCount } = setUp(owners, 5_000);
  const first = await lines.clientFor(1);
  owners.set(1, certificate('b'));
  clock.freeze(new Date('2026-11-20T10:00:04Z'));
  expect(await lines.clientFor(1)).toBe(first);
  expect(requestCount()).toBe(1);
  clock.freeze(new Date('2026-11-20T10:00:06Z'));
  expect(await lines.clientFor(1)).not.toBe(first);
  expect(requestCount()).toBe(2);
});

test('with more certificates than lines may be kept, the ones least used are closed, though not at once', async () => {
  const owners = new Map(Array.from({ length: 600 }, (_, id) => [id, certificate(String(id))]));
  const { lines, opened } = setUp(owners);
  for (const id of owners.keys()) await lines.clientFor(id);
  expect(opened.some(({ closed }) => closed)).toBe(false);
  await lines.clientFor(599);
  expect(opened).toHaveLength(600);
  await lines.clientFor(0);
  expect(opened).toHaveLength(601);
  lines.close();
  expect(opened.every(({ closed }) => closed)).toBe(true);
});
