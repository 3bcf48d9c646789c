import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Code, catalogue, codes, entryOf } from '../../src/errors/catalogue.ts';
import { EXAMPLES } from '../../src/errors/examples.ts';
import { CONTRACT_CODES, FURTHER_CODES, OWN_CODES } from '../support/contract-codes.ts';
import { FACES } from '../support/faces.ts';
import { type TestService, testService } from '../support/http-service.ts';
import { newStage } from '../support/provocations.ts';
import { graphqlCodes, ordinaryCodes } from './ordinary-codes.ts';
import { rectificationCodes } from './rectification-codes.ts';

const PROMISED = { ...CONTRACT_CODES, ...FURTHER_CODES, ...OWN_CODES };
const OVER_BOTH = { ...ordinaryCodes, ...rectificationCodes };

let service: TestService;
beforeAll(async () => {
  service = await testService({ VALIDATIONS_PER_MINUTE: '3' });
});
afterAll(() => service.close());

test('the catalogue has the codes that were promised, each with its status, and no others', () => {
  const statuses = Object.fromEntries(codes.map((code) => [code, catalogue[code].status]));
  expect(statuses).toEqual(PROMISED);
});

test('every code is provoked over both faces, unless only one has the operation', () => {
  expect(Object.keys({ ...OVER_BOTH, ...graphqlCodes }).sort()).toEqual([...codes].sort());
  expect(Object.keys(graphqlCodes).sort()).toEqual(Object.keys(OWN_CODES).sort());
});

test('what is to be waited for says how long, and frees its idempotency key', () => {
  for (const code of codes) {
    const { status, retryAfter, key } = entryOf(code);
    expect({ code, waits: retryAfter !== undefined }).toEqual({ code, waits: [429, 503].includes(status) });
    if (status === 503 || status === 402 || status === 403)
      expect({ code, key }).toEqual({ code, key: 'released' });
    if (status === 400 || status === 401) expect({ code, key }).toEqual({ code, key: 'unused' });
    if (status === 422) expect({ code, key }).toEqual({ code, key: 'stored' });
  }
});

/** What a refusal says, whatever the day, the id and the limit. */
const unnumbered = (detail: string) => detail.replace(/inv_\w+/g, 'inv_').replace(/\d+/g, '0');

describe.each(FACES)('over %s', (face) => {
  const provocations = Object.entries(face === 'GraphQL' ? { ...OVER_BOTH, ...graphqlCodes } : OVER_BOTH);
  test.each(provocations)('%s', async (code, provoke) => {
    const reply = await provoke(await newStage(service, face));
    expect(reply).toMatchObject({ code, status: PROMISED[code] });
    expect(reply.detail).not.toBe('');
    if (face === 'REST') expect(unnumbered(reply.detail)).toBe(unnumbered(EXAMPLES[code as Code].detail));
    expect(reply.retryAfter !== null).toBe(entryOf(code as (typeof codes)[number]).retryAfter !== undefined);
  });
});
