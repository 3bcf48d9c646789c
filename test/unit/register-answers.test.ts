import { describe, expect, test } from 'vitest';
import { escapeXml } from '../../src/ground/lib/xml.ts';
import { censusResultOf } from '../../src/subjects/recipients/registers/census.ts';
import { readAnswer } from '../../src/subjects/recipients/registers/soap.ts';
import { viesResultOf } from '../../src/subjects/recipients/registers/vies.ts';

const envelope = (body: string) =>
  `<?xml version="1.0"?><env:Envelope xmlns:env="http://schemas.xmlsoap.org/soap/envelope/"><env:Body>${body}</env:Body></env:Envelope>`;

function census(result: string, nif = '12345678Z') {
  const person = `<v:Nif>${nif}</v:Nif><v:Nombre>GARC&#205;A L&amp;F</v:Nombre><v:Resultado>${result}</v:Resultado>`;
  const text = envelope(
    `<v:VNifV2Sal xmlns:v="x"><v:Contribuyente>${person}</v:Contribuyente></v:VNifV2Sal>`,
  );
  const answer = readAnswer(text, 'VNifV2Sal');
  if (answer.kind !== 'message') throw new Error(answer.kind);
  return censusResultOf(answer.message, '12345678Z');
}

describe('the census', () => {
  test.each(['IDENTIFICADO', ' identificado ', 'IDENTIFICADO-BAJA', 'Identificado - Baja'])(
    '%j is accepted',
    (result) => {
      expect(census(result)).toMatchObject({
        kind: 'known',
        evidence: {
          register: 'aeat_census',
          result: expect.stringMatching(/^IDENTIFICADO(-BAJA)?$/),
          registeredName: 'GARCÍA L&F',
        },
      });
    },
  );

  test.each([
    ['NO IDENTIFICADO', 'not_registered'],
    ['IDENTIFICADO-REVOCADO', 'not_registered'],
    ['NO IDENTIFICADO-SIMILAR', 'name_mismatch'],
    ['no identificado - similar', 'name_mismatch'],
    ['IDENTIFICADO-SIMILAR', 'name_mismatch'],
  ])('%j is refused', (result, reason) => {
    expect(census(result)).toMatchObject({ kind: 'unknown', reason });
  });

  test.each(['NO PROCESADO', 'OTRA COSA', ''])('%j is no answer', (result) => {
    expect(census(result).kind).toBe('unavailable');
  });

  test('an answer about another NIF is no answer', () => {
    expect(census('IDENTIFICADO', '00000000T').kind).toBe('unavailable');
  });
});

describe('VIES', () => {
  const answered = (valid: string) =>
    viesResultOf(
      readAnswer(
        envelope(
          `<r:checkVatResponse xmlns:r="x"><r:requestDate>2026-11-20+01:00</r:requestDate>${valid}</r:checkVatResponse>`,
        ),
        'checkVatResponse',
      ),
    );
  const fault = (text: string) =>
    viesResultOf(
      readAnswer(
        envelope(
          `<env:Fault><faultcode>env:Server</faultcode><faultstring>${text}</faultstring></env:Fault>`,
        ),
        'checkVatResponse',
      ),
    );

  test('says whether it knows a number', () => {
    expect(answered('<r:valid>true</r:valid>')).toMatchObject({
      kind: 'known',
      evidence: { register: 'vies', result: 'valid', reference: '2026-11-20+01:00' },
    });
    expect(answered('<r:valid>false</r:valid>')).toMatchObject({ kind: 'unknown', reason: 'not_registered' });
    expect(answered('').kind).toBe('unavailable');
  });

  test('of its faults only INVALID_INPUT is about the number', () => {
    expect(fault('INVALID_INPUT').kind).toBe('unknown');
    for (const text of [
      'MS_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
      'TIMEOUT',
      'GLOBAL_MAX_CONCURRENT_REQ',
      'MS_MAX_CONCURRENT_REQ',
      '',
    ]) {
      expect(fault(text).kind).toBe('unavailable');
    }
  });
});

describe('what is not an answer', () => {
  test.each([
    ['nothing', ''],
    ['a page', '<html><body>busy<br></body></html>'],
    ['half an answer', envelope('<a><b>1</b></a>').slice(0, -20)],
    ['another message', envelope('<other><a>1</a></other>')],
    [
      'a document type',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${envelope('<a><b>&e;</b></a>')}`,
    ],
    ['no envelope', '<a><b>1</b></a>'],
    ['the same message twice', envelope('<a><b>1</b></a><a><b>2</b></a>')],
    ['names that reach into objects', envelope('<__proto__><a><b>1</b></a></__proto__>')],
  ])('is silence: %s', (_, text) => {
    expect(readAnswer(text, 'a').kind).toBe('silent');
  });
});

test('names go into the question escaped, and without what XML cannot carry', () => {
  expect(escapeXml('A & <B>\u0001ñ\ud800😀')).toBe('A &amp; &lt;B&gt; ñ 😀');
});
