import { describe, expect, test } from 'vitest';
import { cancellationFingerprint, registrationFingerprint } from '../../src/subjects/chain/fingerprint.ts';

const first = {
  issuerNif: '89890001K',
  number: '12345678/G33',
  issueDate: '01-01-2024',
  invoiceType: 'F1',
  taxTotal: '12.35',
  total: '123.45',
  previous: null,
  generatedAt: '2024-01-01T19:20:30+01:00',
};

describe('the agency’s own vectors (specification of the huella v0.1.2, section 6)', () => {
  test('the first record of a chain', () => {
    expect(registrationFingerprint(first)).toBe(
      '3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60',
    );
  });

  test('a record that follows another', () => {
    const next = {
      ...first,
      number: '12345679/G34',
      previous: registrationFingerprint(first),
      generatedAt: '2024-01-01T19:20:35+01:00',
    };
    expect(registrationFingerprint(next)).toBe(
      'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97',
    );
  });

  test('a cancellation', () => {
    expect(
      cancellationFingerprint({
        issuerNif: '89890001K',
        number: '12345679/G34',
        issueDate: '01-01-2024',
        previous: 'F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97',
        generatedAt: '2024-01-01T19:20:40+01:00',
      }),
    ).toBe('177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68');
  });
});

test.each([
  ['123.10', 'D9796CC034A16661CF72734A21FFD7BD445136EAFB08E57C7DBAF22013551319'],
  ['123.1', 'F9D320CAD1AF900BFCB56BD584CCBB15692A43026E5235A948317F708AEA9B93'],
  ['-121.00', '51723A0644EA45DD180B92F6B83F3C3D543323E2AAA048321900DFDE4893AFEA'],
])('the literal of an amount decides, not its value: %s', (total, expected) => {
  expect(registrationFingerprint({ ...first, total })).toBe(expected);
});

test('an ampersand in a number is hashed unescaped', () => {
  const plain = registrationFingerprint({ ...first, number: 'A&B' });
  expect(plain).not.toBe(registrationFingerprint({ ...first, number: 'A&amp;B' }));
});
