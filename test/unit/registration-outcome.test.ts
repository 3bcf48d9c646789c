import { describe, expect, test } from 'vitest';
import type { AnsweredRecord } from '../../src/subjects/registration/aeat/answer.ts';
import type { AgencyRecord } from '../../src/subjects/registration/aeat/query.ts';
import {
  evaluateAgencyRecord,
  evaluateAnswer,
  matchLines,
  outcomeOf,
  TECHNICAL_ATTEMPTS,
} from '../../src/subjects/registration/outcome.ts';
import { isLate, secondsToFullEnvelope, secondsToNextSend } from '../../src/subjects/registration/pace.ts';

const line = (
  state: AnsweredRecord['state'],
  code: string | null = null,
  message = 'palabras de la agencia',
) => ({
  ...{ operation: 'registration' as const, number: 'F-2026-1', issueDate: '20-11-2026' },
  ...{ state, code, message: code === null ? null : message },
});
const first = { kind: 'registration' as const, attempts: 1 };

describe('a record after the agency’s answer for it', () => {
  test.each([
    ['accepted', line('accepted'), { status: 'registered', code: null, message: null }],
    [
      'flagged',
      line('flagged', '2001'),
      { status: 'registered_with_errors', code: '2001', message: 'palabras de la agencia' },
    ],
    [
      'refused',
      line('rejected', '1110'),
      { status: 'rejected', code: '1110', message: 'palabras de la agencia' },
    ],
    ['refused without a reason', line('rejected'), { status: 'rejected', code: null, message: null }],
    [
      'a duplicate waits for the query, with its code',
      line('rejected', '3000'),
      { status: 'pending', code: '3000', message: 'palabras de la agencia' },
    ],
    [
      'the agency’s technical trouble',
      line('rejected', '1241'),
      { status: 'pending', code: null, message: null },
    ],
  ])('%s', (_, answered, expected) => {
    expect(evaluateAnswer(answered, first)).toEqual(expected);
  });

  test('technical trouble with one record does not last for ever', () => {
    const expected = evaluateAnswer(line('rejected', '1241'), { ...first, attempts: TECHNICAL_ATTEMPTS });
    expect(expected.status).toBe('rejected');
  });

  test('a cancellation of a cancelled record waits for the query; it cannot be a duplicate', () => {
    const cancellation = { kind: 'cancellation' as const, attempts: 1 };
    expect(evaluateAnswer(line('rejected', '3001'), cancellation).status).toBe('pending');
    expect(evaluateAnswer(line('rejected', '3000'), cancellation).status).toBe('rejected');
    expect(evaluateAnswer(line('rejected', '3001'), first).status).toBe('rejected');
  });
});

describe('a record after the query', () => {
  const held = (
    fingerprint: string,
    state: AgencyRecord['state'],
    code: string | null = null,
  ): AgencyRecord => ({
    ...{ number: 'F-2026-1', issueDate: '20-11-2026', fingerprint, state },
    ...{ code, message: code === null ? null : 'aviso' },
  });
  const unsure = {
    ...{ kind: 'registration' as const, fingerprint: 'OURS', attempts: 1 },
    ...{ errorCode: null, errorMessage: null },
  };
  const duplicate = { ...unsure, errorCode: '3000', errorMessage: 'duplicado' };
  const again = { status: 'pending', code: null, message: null };
  const refused = { status: 'rejected', code: '3000', message: 'duplicado' };

  test('is registered, or flagged, when what is held is ours', () => {
    for (const record of [unsure, duplicate]) {
      expect(evaluateAgencyRecord(record, [held('OURS', 'accepted')], [])).toEqual({
        ...{ status: 'registered', code: null, message: null },
      });
      expect(evaluateAgencyRecord(record, [held('OURS', 'flagged', '2004')], [])).toEqual({
        ...{ status: 'registered_with_errors', code: '2004', message: 'aviso' },
      });
    }
  });

  test('is sent again when the agency holds nothing of it, or a different record', () => {
    expect(evaluateAgencyRecord(unsure, [], [])).toEqual(again);
    expect(evaluateAgencyRecord(unsure, [held('THEIRS', 'accepted')], [])).toEqual(again);
  });

  test('is refused as a duplicate when what is held is not ours, or is cancelled', () => {
    expect(evaluateAgencyRecord(duplicate, [held('THEIRS', 'accepted')], [])).toEqual(refused);
    expect(evaluateAgencyRecord(duplicate, [held('OURS', 'cancelled')], [])).toEqual(refused);
  });

  test('a duplicate of which nothing is found is tried again, but not for ever', () => {
    expect(evaluateAgencyRecord(duplicate, [], [])).toEqual(again);
    expect(evaluateAgencyRecord({ ...duplicate, attempts: TECHNICAL_ATTEMPTS }, [], [])).toEqual(refused);
  });

  test('is registered when a later record of ours stands in its place', () => {
    expect(evaluateAgencyRecord(unsure, [held('LATER', 'cancelled')], ['LATER']).status).toBe('registered');
  });

  test('a cancellation is registered when the invoice is cancelled', () => {
    const cancellation = { ...unsure, kind: 'cancellation' as const };
    expect(evaluateAgencyRecord(cancellation, [held('OURS', 'cancelled')], []).status).toBe('registered');
    expect(evaluateAgencyRecord(cancellation, [held('OURS', 'cancelled', '2004')], []).status).toBe(
      'registered_with_errors',
    );
    expect(evaluateAgencyRecord(cancellation, [held('THE-INVOICE', 'accepted')], [])).toEqual(again);
    const refusedBefore = { ...cancellation, errorCode: '3001', errorMessage: 'ya anulado' };
    expect(evaluateAgencyRecord(refusedBefore, [held('THE-INVOICE', 'cancelled')], []).status).toBe(
      'registered',
    );
    expect(evaluateAgencyRecord(refusedBefore, [held('THE-INVOICE', 'accepted')], []).status).toBe(
      'rejected',
    );
  });
});

describe('the outcome of an envelope', () => {
  const answered = { kind: 'answer' as const, status: 200, text: '' };
  const faulty = (code: string | null, party: 'client' | 'server') =>
    outcomeOf(answered, { kind: 'fault', party, code, message: '' });

  test.each([
    ['content_fault', ['4102', '4103', '4106', '4113', '4114', '4119', '4136', '4137', '4138']],
    ['issuer_fault', ['4104', '4107', '4109', '4112', '4115', '4116', '4124', '4140']],
    ['technical_fault', ['4108', '4110', '4111', '4118', '4128', '4134', '4139', '3500', '3501']],
    ['suspended', ['4141']],
    // Errors of the header (RefRequerimiento, FechaFinVeriFactu) and codes of tomorrow: someone has to look.
    ['issuer_fault', ['4120', '4121', '4126', '1215', '9999']],
  ])('%s: %s', (outcome, codes) => {
    for (const code of codes) expect(faulty(code, 'client')).toBe(outcome);
  });

  test('a server fault is technical whatever its code, unless the code says otherwise', () => {
    expect(faulty(null, 'server')).toBe('technical_fault');
    expect(faulty('9999', 'server')).toBe('technical_fault');
    expect(faulty('4112', 'server')).toBe('issuer_fault');
    expect(faulty('4102', 'server')).toBe('content_fault');
    expect(faulty(null, 'client')).toBe('issuer_fault');
  });

  test('what was not sent, not answered or not understood is distinguished', () => {
    expect(outcomeOf({ kind: 'not_sent', reason: '' }, null)).toBe('not_sent');
    expect(outcomeOf({ kind: 'unknown', reason: '' }, null)).toBe('unknown');
    expect(outcomeOf(answered, { kind: 'unreadable', reason: '' })).toBe('unreadable');
    const processed = { kind: 'processed' as const, receipt: null, waitSeconds: null, records: [] };
    expect(outcomeOf(answered, processed)).toBe('processed');
  });
});

describe('lines and records', () => {
  const sent = (kind: 'registration' | 'cancellation', number: string) => ({
    kind,
    number,
    issuedOn: '2026-11-20',
  });

  test('are paired by kind, number and day, and in order when an invoice stands twice', () => {
    const alta = sent('registration', 'F-1');
    const amendment = sent('registration', 'F-1');
    const cancellation = sent('cancellation', 'F-1');
    const answers = [
      { ...line('rejected', '1110'), number: 'F-1' },
      { ...line('accepted'), number: 'F-1', operation: 'cancellation' as const },
      { ...line('flagged', '2001'), number: 'F-1' },
    ];
    const { lines, unmatched } = matchLines([alta, amendment, cancellation], answers);
    expect(lines.get(alta)?.state).toBe('rejected');
    expect(lines.get(amendment)?.state).toBe('flagged');
    expect(lines.get(cancellation)?.state).toBe('accepted');
    expect(unmatched).toBe(0);
  });

  test('an extra line and a missing line are noticed', () => {
    const one = sent('registration', 'F-1');
    const two = sent('registration', 'F-2');
    const { lines, unmatched } = matchLines(
      [one, two],
      [
        { ...line('accepted'), number: 'F-1' },
        { ...line('accepted'), number: 'F-9' },
        { ...line('accepted'), number: 'F-2', issueDate: '21-11-2026' },
      ],
    );
    expect([...lines.keys()]).toEqual([one]);
    expect(unmatched).toBe(2);
  });
});

describe('the pace', () => {
  test('is the agency’s wait, and grows with failures to fifteen minutes at most', () => {
    expect(secondsToNextSend(60, 0)).toBe(60);
    expect([1, 2, 3, 4].map((failures) => secondsToNextSend(1, failures))).toEqual([2, 3, 5, 9]);
    for (const failures of [20, 100, 5_000]) expect(secondsToNextSend(60, failures)).toBe(60 + 900);
  });

  test('a full envelope is looked for when, at the present rate, it should be there', () => {
    expect(secondsToFullEnvelope(1_000, 3, 1_000)).toBe(0);
    expect(secondsToFullEnvelope(100, 3, 1_000)).toBe(27);
    expect(secondsToFullEnvelope(1, 0.01, 1_000)).toBeCloseTo(9.99);
    // However many are issued, once a second is enough.
    expect(secondsToFullEnvelope(900, 0.5, 1_000)).toBe(1);
  });

  test('a record is late four minutes after the flow control would have allowed it', () => {
    const generated = new Date('2026-11-20T10:00:00Z');
    expect(isLate(generated, new Date('2026-11-20T10:05:00Z'), 60)).toBe(false);
    expect(isLate(generated, new Date('2026-11-20T10:05:01Z'), 60)).toBe(true);
    // A stamp ahead of the clock, which the chain allows, is not late.
    expect(isLate(generated, new Date('2026-11-20T09:00:00Z'), 60)).toBe(false);
  });
});
