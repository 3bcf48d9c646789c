import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConsistencyFile, verifyConsistency } from '../../src/subjects/journal/consistency-file.ts';
import { takeCheckpoints } from '../../src/subjects/journal/keep-checkpoints.ts';
import { readNotes, readVerifierKey, signerOf, type Verifier } from '../../src/subjects/journal/note.ts';
import { isFault, type ProofFile, verifyProof } from '../../src/subjects/journal/proof-file.ts';
import { type TestService, testService } from '../support/http/http-service.ts';
import { aCompleteInvoice, aLine, aSimplifiedInvoice } from '../support/invoices/invoices.ts';
import { commandLine, commandLineOn } from '../support/processes/command-line.ts';

let service: TestService;
let verifier: Verifier;
let publicKey: string;
const CHECKPOINT_KEY = 'only-for-these-tests-0123456789-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'lacre-proof-'));
beforeAll(async () => {
  service = await testService({ CHECKPOINT_KEY });
  await issue();
  await takeCheckpoints(service.services, 1);
  const { body } = await service.graphql('{ checkpoint { verifierKey } }');
  publicKey = body.data.checkpoint.verifierKey;
  verifier = readVerifierKey(publicKey)!;
});
afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
});

const issue = async (body: object = aSimplifiedInvoice()): Promise<string> =>
  (await service.call('POST', '/v1/invoices', { body })).body.id;

const proofOf = async (id: string): Promise<ProofFile | null> => {
  const { body } = await service.graphql('query ($id: ID!) { invoice(id: $id) { proof } }', { id });
  expect(body.errors).toBeUndefined();
  return body.data.invoice.proof;
};

/** Of an invoice that is issued and covered by a checkpoint. */
async function newProof(body?: object): Promise<ProofFile> {
  const id = await issue(body);
  await takeCheckpoints(service.services, 1);
  return (await proofOf(id))!;
}

const isProof = (value: unknown) => !isFault(verifyProof(value, verifier));

function appendEntries(count: number) {
  const { environmentId } = service.company.test;
  const entry = { environment_id: environmentId, type: 'ping', subject_id: 'x', at: '2026-01-01T10:00:00Z' };
  const content = { content: '{}', content_hash: createHash('sha256').update('{}').digest('hex') };
  const entries = JSON.stringify(Array.from({ length: count }, () => ({ ...entry, ...content })));
  return service.owner.query('select append_journal($1::json)', [entries]);
}

describe('a proof', () => {
  test('is available once a checkpoint covers the invoice, and names what it proves', async () => {
    const id = await issue(aCompleteInvoice({ notes: 'Una «nota» — ñ' }));
    expect(await proofOf(id)).toBeNull();
    await takeCheckpoints(service.services, 1);
    const proof = (await proofOf(id))!;
    const { body: invoice } = await service.call('GET', `/v1/invoices/${id}`);
    const answer = await service.graphql('{ checkpoint { origin size root note takenAt } }');
    const { note, takenAt, ...checkpoint } = answer.body.data.checkpoint;
    expect(verifyProof(proof, verifier)).toEqual({
      invoice: {
        id,
        number: invoice.number,
        issuedAt: proof.content.invoice['issued_at'],
        total: invoice.total,
      },
      position: proof.entry.position,
      checkpoint,
    });
    expect(Date.parse(takenAt)).toBeGreaterThan(0);
    expect(proof.body.lines).toHaveLength(invoice.line_items.length);
    expect(proof.tlog_proof.endsWith(note)).toBe(true);
  });

  test('is given whichever part of the tree the entry stands in', async () => {
    const ids = [await issue()];
    await appendEntries(1_500);
    ids.push(await issue());
    await appendEntries(1_024);
    ids.push(await issue());
    await takeCheckpoints(service.services, 1);
    for (const id of ids) expect(isProof(await proofOf(id)), id).toBe(true);
    // The last subtree is whole by then, and the checkpoint another one.
    await appendEntries(700);
    await takeCheckpoints(service.services, 1);
    for (const id of ids) expect(isProof(await proofOf(id)), id).toBe(true);
  });

  test('belongs to the key’s environment, and a query may have few', async () => {
    const id = await issue();
    const { key } = service.company.live;
    const foreign = await service.graphql(`{ invoice(id: "${id}") { proof } }`, {}, { key });
    expect(foreign.body.errors[0].extensions.code).toBe('invoice_not_found');
    const own = await service.graphql('{ checkpoint { origin } }', {}, { key });
    expect(own.body.data.checkpoint.origin).toBe(`${service.company.companyId}/live`);
    const { body: many } = await service.graphql('{ invoices(first: 25) { edges { node { proof } } } }');
    expect(many.errors[0].extensions.code).toBe('invalid_request');
  });

  test('is refused for an invoice whose rows were changed since', async () => {
    const { entry } = await newProof();
    const id = entry.subject_id;
    await service.owner.query(
      `begin; set local session_replication_role = replica;
       update invoice set notes = 'another' where id = '${id}'; commit`,
    );
    const { body } = await service.graphql(`{ invoice(id: "${id}") { proof } }`);
    expect(body.errors[0].extensions.code).toBe('internal_error');
  });
});

type Members = Record<string, unknown>;

/** The path to every value in it. */
function* paths(value: unknown, path: readonly string[] = []): Generator<readonly string[]> {
  if (value === null || typeof value !== 'object') yield path;
  else for (const [name, member] of Object.entries(value)) yield* paths(member, [...path, name]);
}

/** The proof with another value at a path; `undefined` removes what is there. */
function altered(proof: ProofFile, path: readonly string[], change: (value: unknown) => unknown): ProofFile {
  const copy = structuredClone(proof);
  let holder = copy as unknown as Members;
  for (const name of path.slice(0, -1)) holder = holder[name] as Members;
  const name = path.at(-1)!;
  const value = change(holder[name]);
  if (value === undefined) delete holder[name];
  else holder[name] = value;
  return copy;
}

const another = (value: unknown): unknown => (typeof value === 'number' ? value + 1 : `${String(value)}x`);

describe('a proof is refused', () => {
  let proof: ProofFile;
  beforeAll(async () => {
    proof = await newProof(aCompleteInvoice({ line_items: [aLine(), aLine()], notes: 'Una nota' }));
    expect(isProof(proof)).toBe(true);
    expect(isProof(JSON.parse(JSON.stringify(proof, null, 3)))).toBe(true);
  });

  test('when any value is another one, is missing, or stands beside one that was not there', () => {
    const all = [...paths(proof)];
    expect(all.length).toBeGreaterThan(40);
    const accepted = all.flatMap((path) => {
      const cases = {
        changed: altered(proof, path, another),
        removed: altered(proof, path, () => undefined),
        more: altered(proof, [...path.slice(0, -1), 'more'], () => 1),
      };
      return Object.entries(cases).flatMap(([how, one]) =>
        isProof(one) ? [`${how}: ${path.join('.')}`] : [],
      );
    });
    expect(accepted).toEqual([]);
    const hidden = JSON.stringify(proof).replace('"body":{', '"body":{"__proto__":{"a":1},');
    expect(isProof(JSON.parse(hidden))).toBe(false);
  });

  test('when any character of the path or the checkpoint is another one', () => {
    const text = proof.tlog_proof;
    const accepted = [...text].flatMap((character, at) => {
      const puts = [character === 'A' ? 'B' : 'A', character + character, '', `\n${character}`];
      const texts = puts.map((put) => text.slice(0, at) + put + text.slice(at + character.length));
      return texts.filter((one) => one !== text && isProof({ ...proof, tlog_proof: one }));
    });
    expect(accepted).toEqual([]);
    for (const more of [`x\n${text}`, `${text}x`, `${text}\n`, text.split('\n\n')[0]!]) {
      expect(isProof({ ...proof, tlog_proof: more })).toBe(false);
    }
  });

  test('by another key, with a part of another one, and when it is malformed', async () => {
    expect(verifyProof(proof, signerOf('lacre', Buffer.alloc(32, 1)))).toMatchObject({ part: 'tlog_proof' });
    const other = await newProof();
    for (const part of ['entry', 'content', 'body', 'xml', 'tlog_proof'] as const) {
      expect(isProof({ ...proof, [part]: other[part] }), part).toBe(false);
    }
    for (const nothing of [null, [], 'x', {}, { ...proof, format: 'lacre invoice proof 2' }]) {
      expect(isProof(nothing)).toBe(false);
    }
  });

  test('by the command line with 6, which needs neither settings nor a database', async () => {
    const unwanted = () => {
      throw new Error('is not needed');
    };
    const lacre = commandLineOn({ config: unwanted, database: unwanted });
    const file = join(folder, 'proof.json');
    const check = (content: unknown, ...words: string[]) => {
      writeFileSync(file, JSON.stringify(content));
      return lacre(['verify-proof', file, ...words]);
    };
    const whole = await check(proof, '--key', publicKey);
    expect(whole).toMatchObject({ exit: 0 });
    const number = String(proof.content.invoice['number']);
    expect(whole.stdout).toContain(`proven: invoice ${number} (${proof.entry.subject_id})`);
    const forged = altered(proof, ['body', 'invoice', 'total'], another);
    const refused = await check(forged, '--key', publicKey, '--json');
    expect(refused.exit).toBe(6);
    const fault = { part: 'body', reason: 'has another hash than the content says' };
    expect(refused.json()).toEqual({ proven: false, ...fault });
    expect((await check(proof, '--key', 'lacre')).exit).toBe(3);
  });
});

describe('that a later checkpoint extends an earlier one', () => {
  const checkpoint = async () => {
    await takeCheckpoints(service.services, 1);
    return (await service.graphql('{ checkpoint { size note } }')).body.data.checkpoint;
  };
  const proofSince = async (since: number) =>
    (await service.graphql(`{ checkpoint { size consistencyProof(since: ${since}) } }`)).body;

  test('is proved offline, wherever in the tree the earlier one ends', async () => {
    await issue();
    const earlier = [await checkpoint()];
    for (const more of [1, 1_300, 900, 1_024, 3]) {
      await appendEntries(more);
      earlier.push(await checkpoint());
    }
    for (const { size, note } of earlier) {
      const { data, errors } = await proofSince(size);
      expect(errors).toBeUndefined();
      const proofs = readConsistencyFile(JSON.stringify(data.checkpoint.consistencyProof))!;
      expect(verifyConsistency(proofs, readNotes(note, verifier), verifier)).toEqual([
        { origin: `${service.company.companyId}/test`, size, extendedTo: earlier.at(-1)!.size, fault: null },
      ]);
    }
    for (const since of [0, earlier.at(-1)!.size + 1]) {
      const { data, errors } = await proofSince(since);
      expect(data.checkpoint).toEqual({ size: earlier.at(-1)!.size, consistencyProof: null });
      expect(errors[0].extensions.code).toBe('invalid_request');
      expect(errors[0].extensions.errors[0].field).toBe('since');
    }
  });

  test('is printed by the command line for every journal, and a forged proof is refused', async () => {
    const lacre = commandLine(service.db, {
      DATABASE_URL: service.databaseUrl,
      CHECKPOINT_DIR: service.services.config.checkpointDir,
      CHECKPOINT_KEY,
    });
    const file = (name: string) => join(folder, name);
    const kept = await lacre(['checkpoint', '--out', file('kept.notes')]);
    expect(kept.exit, kept.stderr).toBe(0);
    await issue();
    const made = await lacre(['checkpoint', '--since', file('kept.notes'), '--out', file('proofs.json')]);
    expect(made.exit, made.stderr).toBe(0);
    const verified = (name: string) =>
      lacre([
        ...['verify-consistency', file(name), '--checkpoint', file('kept.notes')],
        ...['--key', publicKey, '--json'],
      ]);
    const { exit, json } = await verified('proofs.json');
    expect(exit).toBe(0);
    const origins = json().checkpoints.map(({ origin }: { origin: string }) => origin);
    expect(origins).toHaveLength(readNotes(readFileSync(file('kept.notes'), 'utf8'), verifier).length);
    expect(origins).toContain(`${service.company.companyId}/test`);
    const forged = readConsistencyFile(readFileSync(file('proofs.json'), 'utf8'))!;
    const at = forged.proofs.findIndex(({ path }) => path.length > 0);
    forged.proofs[at]!.path[0] = Buffer.alloc(32).toString('base64');
    writeFileSync(file('forged.json'), JSON.stringify(forged));
    expect((await verified('forged.json')).exit).toBe(6);
  });
});
