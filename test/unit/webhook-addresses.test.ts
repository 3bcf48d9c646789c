import { describe, expect, test } from 'vitest';
import { isRefusal } from '../../src/ground/errors/refusal.ts';
import { addressOf, isPublic } from '../../src/subjects/webhooks/addresses.ts';
import { endpointUrl } from '../../src/subjects/webhooks/url.ts';

const HIDDEN = [
  '127.0.0.1',
  '10.1.2.3',
  '172.16.0.1',
  '192.168.1.1',
  '100.64.0.1',
  '169.254.169.254',
  '0.0.0.0',
  '224.0.0.1',
  '255.255.255.255',
  '192.0.2.1',
  '198.18.0.1',
  '::',
  '::1',
  'fe80::1',
  'fc00::1',
  'fd00:ec2::254',
  'ff02::1',
  '2001:db8::1',
  '::ffff:127.0.0.1',
  '::ffff:8.8.8.8',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '::127.0.0.1',
  '3fff::1',
  '5f00::1',
  'fec0::1',
  '168.63.129.16',
];

describe('an address that a delivery may connect to', () => {
  test.each(HIDDEN)('%s is not public', (address) => {
    expect(isPublic(address)).toBe(false);
  });

  test.each(['8.8.8.8', '1.1.1.1', '2606:4700:4700::1111'])('%s is public', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test('a name that resolves to an address that is not public is refused when it is delivered to', async () => {
    expect(await addressOf('localhost', false)).toMatchObject({ resolves: true });
    expect(await addressOf('localhost', true)).toHaveProperty('address');
    expect(await addressOf('[::1]', false)).toMatchObject({ resolves: true });
    expect(await addressOf('no-such-name.invalid', false)).toMatchObject({ resolves: false });
  });
});

describe('the URL of an endpoint', () => {
  test.each([
    'http://example.com/hook',
    'ftp://example.com/hook',
    'https://user:secret@example.com/hook',
    'https://example.com/hook#part',
    'https://localhost/hook',
    'https://localhost./hook',
    'https://intranet./hook',
    'https://[::127.0.0.1]/hook',
    'https://127.0.0.1/hook',
    'https://[::1]/hook',
    'https://[::ffff:10.0.0.1]/hook',
    'https://0x7f000001/hook',
    'https://2130706433/hook',
    'https://017700000001/hook',
    'https://169.254.169.254/latest/meta-data',
    'https://metadata.google.internal/hook',
    'https://intranet/hook',
    'https://printer.local/hook',
    'not a url',
    'https://',
  ])('%s is refused, and names url', async (url) => {
    const outcome = await endpointUrl(url, false);
    expect(isRefusal(outcome) && [outcome.code, outcome.errors[0]?.field]).toEqual([
      'invalid_request',
      'url',
    ]);
  });

  test('http and private addresses are accepted where allowed, credentials never', async () => {
    expect(await endpointUrl('http://localhost:4000/hook?a=b', true)).toBe('http://localhost:4000/hook?a=b');
    expect(isRefusal(await endpointUrl('http://user@localhost/', true))).toBe(true);
    expect(isRefusal(await endpointUrl('ftp://localhost/', true))).toBe(true);
  });
});
