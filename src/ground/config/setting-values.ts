import { isIP } from 'node:net';
import type { z } from 'zod';
import type { EncryptionKey } from '../lib/encryption.ts';

/** Reads settings that hold several values. What is faulty is told to `check`. */

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal'];

/** Addresses and networks, by a comma each. */
export function readProxies(written: string, check: z.RefinementCtx): string[] {
  const proxies = written.split(',').map((entry) => entry.trim());
  for (const proxy of proxies) {
    const [address = '', bits, ...more] = proxy.split('/');
    const longest = isIP(address) === 6 ? 128 : 32;
    // A network of everybody would trust everybody.
    const isNetwork =
      bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= longest);
    if (NAMED_NETWORKS.includes(proxy) || (isIP(address) > 0 && isNetwork && more.length === 0)) continue;
    check.addIssue({ code: 'custom', message: `${JSON.stringify(proxy)} is no address and no network` });
  }
  return proxies;
}

/** `name:base64,name:base64`: keys of 32 bytes, the one that locks first. */
export function readCertificateKeys(written: string, check: z.RefinementCtx): EncryptionKey[] {
  const keys = written.split(',').map((entry) => {
    const [, name = '', encoded = ''] =
      /^\s*([A-Za-z0-9_.-]{1,64}):([A-Za-z0-9+/_-]{43}=?)\s*$/.exec(entry) ?? [];
    return { name, key: Buffer.from(encoded, 'base64') };
  });
  const names = new Set(keys.map(({ name }) => name));
  if (names.has('') || names.size < keys.length) {
    // Of the value nothing may be repeated: it is secret.
    const message = 'must be name:key,… with different names and keys of 32 bytes in base64';
    check.addIssue({ code: 'custom', message });
  }
  return keys;
}
