import { createPrivateKey } from 'node:crypto';
import { parseDer } from './der.ts';
import type { Trouble } from './password.ts';
import { type Contents, decryptKey } from './pkcs12.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/**
 * Reads the blocks of a PEM text, in any order and whatever stands between them: certificates and keys, also keys under
 * a password (PKCS#8, or the older form with `Proc-Type`). `malformed` when it holds no block, or one that is broken.
 */
export function readPem(text: string, password: string): Contents | Trouble {
  const certificates: Buffer[] = [];
  const keys: Buffer[] = [];
  let blocks = 0;
  for (const [block, label = '', body = ''] of text.matchAll(BLOCK)) {
    blocks += 1;
    if (label === 'CERTIFICATE' || label === 'X509 CERTIFICATE') {
      certificates.push(Buffer.from(body, 'base64'));
    } else if (label.endsWith('PRIVATE KEY')) {
      const key = readKey(label, block, body, password);
      if (!Buffer.isBuffer(key)) return key;
      keys.push(key);
    }
  }
  return blocks === 0 ? { kind: 'malformed' } : { certificates, keys };
}

function readKey(label: string, block: string, body: string, password: string): Buffer | Trouble {
  if (label === 'ENCRYPTED PRIVATE KEY') {
    const info = parseDer(Buffer.from(body, 'base64'));
    return info === null ? { kind: 'malformed' } : decryptKey(info, password);
  }
  const encrypted = body.includes('ENCRYPTED');
  try {
    const key = createPrivateKey({
      key: block,
      format: 'pem',
      ...(encrypted ? { passphrase: password } : {}),
    });
    return key.export({ format: 'der', type: 'pkcs8' });
  } catch (error) {
    if (!encrypted) return { kind: 'malformed' };
    const what = (error as Error).message;
    return /unsupported/i.test(what)
      ? { kind: 'unsupported', what: 'encryption of the key' }
      : { kind: 'wrong_password' };
  }
}
