import { describe, expect, test } from 'vitest';
import {
  DOWNLOAD_LINK_SECONDS,
  downloadUrl,
  PDF_LINK_SECONDS,
  signDownload,
  verifyDownload,
} from '../../src/subjects/documents/links.ts';

const secret = Buffer.alloc(32, 7);
const invoiceId = 'inv_0198c0ffee';
const expiresAt = new Date('2026-07-01T12:00:00Z');
const before = new Date('2026-07-01T11:59:59.999Z');
const token = signDownload({ secret, environmentId: 42, invoiceId, expiresAt });

describe('a signed link', () => {
  test('opens its invoice, in its environment, until it expires', () => {
    expect(verifyDownload(secret, invoiceId, token, before)).toEqual({ environmentId: 42 });
  });

  test('has expired from its last second on', () => {
    expect(verifyDownload(secret, invoiceId, token, expiresAt)).toBe('expired');
    expect(verifyDownload(secret, invoiceId, token, new Date('2030-01-01'))).toBe('expired');
  });

  test('opens no other invoice', () => {
    expect(verifyDownload(secret, 'inv_0198c0ffef', token, before)).toBe('altered');
    expect(verifyDownload(secret, '', token, before)).toBe('altered');
  });

  test('is refused under another secret', () => {
    expect(verifyDownload(Buffer.alloc(32, 8), invoiceId, token, before)).toBe('altered');
  });

  test('breaks when any one of its characters is changed', () => {
    for (let position = 0; position < token.length; position += 1) {
      for (const other of ['A', 'b', '_']) {
        if (token[position] === other) continue;
        const altered = token.slice(0, position) + other + token.slice(position + 1);
        expect(verifyDownload(secret, invoiceId, altered, before), altered).toBe('altered');
      }
    }
  });

  test.each([
    '',
    'x',
    token.slice(1),
    `${token}A`,
    `${token}=`,
    ` ${token}`,
    'ñ'.repeat(56),
    '\u0000'.repeat(56),
  ])('is refused as altered when it is no token at all: %j', (nonsense) => {
    expect(verifyDownload(secret, invoiceId, nonsense, before)).toBe('altered');
  });

  test('stands in a URL as it is', () => {
    expect(downloadUrl('https://api.example.com', invoiceId, token)).toBe(
      `https://api.example.com/v1/invoices/${invoiceId}/file?token=${token}`,
    );
    expect(token).toBe(encodeURIComponent(token));
  });

  test('is the same for the same invoice, environment and moment, and else another', () => {
    const link = { secret, environmentId: 42, invoiceId, expiresAt };
    expect(signDownload(link)).toBe(token);
    expect(signDownload({ ...link, environmentId: 43 })).not.toBe(token);
    expect(signDownload({ ...link, expiresAt: before })).not.toBe(token);
  });

  test('holds the largest environment id and dates to come', () => {
    const far = { secret, environmentId: 2 ** 31 - 1, invoiceId, expiresAt: new Date('2199-12-31') };
    expect(verifyDownload(secret, invoiceId, signDownload(far), before)).toEqual({
      environmentId: 2 ** 31 - 1,
    });
  });

  test('lasts as long as the contract states: 48 hours for pdf_url, 15 minutes for download_url', () => {
    expect([PDF_LINK_SECONDS, DOWNLOAD_LINK_SECONDS]).toEqual([172_800, 900]);
  });
});
