import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/ground/config/config.ts';
import { describeSettings, secretSettings } from '../../src/ground/config/settings.ts';
import { SETTINGS_GUIDE, withSettingsTable } from '../../src/ground/config/settings-table.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lacre-config-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (variables: Record<string, string>) => readConfig({ DATA_DIR: folder, ...variables });
const file = (content: string): string => {
  const name = join(folder, `secret-${Math.random()}`);
  writeFileSync(name, content);
  return name;
};

describe('the table of settings', () => {
  test('is current: npm run settings would change nothing', () => {
    const guide = readFileSync(SETTINGS_GUIDE, 'utf8');
    expect(withSettingsTable(guide), 'run npm run settings').toBe(guide);
  });

  test('states for each what it sets, which values it accepts and its default', () => {
    const rows = describeSettings();
    expect(rows.length).toBeGreaterThan(20);
    for (const { name, meaning, values, standard } of rows) {
      for (const cell of [meaning, values, standard]) expect(cell, name).not.toBe('');
      expect(meaning, name).toMatch(/\.$/);
    }
  });

  test('treats fields with a secret’s name as secret', () => {
    const sounding = describeSettings().filter(({ name }) =>
      /SECRET|PASS|TOKEN|(^|_)KEYS?$|^DATABASE.*_URL$/.test(name),
    );
    expect(sounding.filter(({ secret }) => !secret).map(({ name }) => name)).toEqual([]);
    expect(sounding.length).toBeGreaterThan(3);
  });
});

describe('a secret', () => {
  test('may come as a file, whose last line end is not part of it', () => {
    const secret = 'x'.repeat(40);
    for (const content of [secret, `${secret}\n`, `${secret}\r\n`]) {
      expect(read({ LINK_SECRETS_FILE: file(content) }).linkSecrets.join()).toBe(secret);
    }
    expect(read({ DATABASE_URL_FILE: file('postgres://a:b@c/d\n') }).databaseUrl).toBe('postgres://a:b@c/d');
  });

  test('by variable and by file at once is a fault, like a file that is empty or not there', () => {
    const url = 'postgres://a:b@c/d';
    const faulty = {
      DATABASE_URL: url,
      DATABASE_URL_FILE: file(url),
      LINK_SECRETS_FILE: file('\n'),
      CERTIFICATE_KEYS_FILE: join(folder, 'missing'),
      PORT: 'http',
    };
    const faults = () => read(faulty);
    expect(faults).toThrow(/DATABASE_URL: is set twice, also by DATABASE_URL_FILE/);
    expect(faults).toThrow(/LINK_SECRETS_FILE: .* is empty/);
    expect(faults).toThrow(/CERTIFICATE_KEYS_FILE: .*ENOENT/);
    expect(faults).toThrow(/PORT: /);
  });

  test('is not repeated in messages about it', () => {
    const refused = secretSettings.filter((name) => {
      try {
        read({ [name]: 'hush hush' });
        return false;
      } catch (error) {
        expect(String(error)).toContain(name);
        expect(String(error)).not.toContain('hush');
        return true;
      }
    });
    expect(refused).toEqual(expect.arrayContaining(['DATABASE_URL', 'LINK_SECRETS', 'CERTIFICATE_KEYS']));
  });
});

test('a proxy that is neither an address nor a network is a fault, and so is a network of all addresses', () => {
  const trusting = (value: string) => read({ TRUSTED_PROXIES: value }).trustedProxies;
  expect(trusting('192.0.2.1, 2001:db8::/32,uniquelocal')).toEqual([
    '192.0.2.1',
    '2001:db8::/32',
    'uniquelocal',
  ]);
  for (const value of [
    'proxy.example',
    '10.0.0.0/33',
    '0.0.0.0/0',
    '::/0',
    '10.0.0.1/',
    '10.0.0.1/8/8',
    'a,',
  ]) {
    expect(() => trusting(value), value).toThrow(/TRUSTED_PROXIES: .* is neither an address nor a network/);
  }
});
