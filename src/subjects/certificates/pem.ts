import { createPrivateKey } from 'node:crypto';
import { isSequence, parseDer } from './der.ts';
import { type Contents, decryptKey } from './pkcs12.ts';
import type { Problem } from './problem.ts';
import { WorkBudget } from './work-budget.ts';

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g;

/**
 * Reads the blocks of a PEM text, in any order and ignoring text between them: certificates and keys, including
 * encrypted keys (PKCS#8, or the older form with `Proc-Type`). `malformed` when it contains no block or a broken
 * one.
 */
export function readPem(text: string, password: string): Contents | Problem {
  const certificates: Buffer[] = [];
  const keys: Buffer[] = [];
  const work = new WorkBudget();
  let blocks = 0;
  for (const [block, label = '', body = ''] of text.matchAll(BLOCK)) {
    blocks += 1;
    const tooMany = work.bag();
    if (tooMany !== null) return tooMany;
    // OpenSSL would search for a block inside the block.
    if (body.includes('-----')) return { kind: 'malformed' };
    if (label === 'CERTIFICATE' || label === 'X509 CERTIFICATE') {
      certificates.push(Buffer.from(body, 'base64'));
    } else if (label.endsWith('PRIVATE KEY')) {
      const key = readKey(label, block, body, { password, work });
      if (!Buffer.isBuffer(key)) return key;
      keys.push(key);
    }
  }
  return blocks === 0 ? { kind: 'malformed' } : { certificates, keys };
}

/** The size of one key without certificates: RSA of 16,384 bits has 13 KiB. */
const LONGEST_KEY = 16 * 1_024;

/** The older encodings of the key types that certificates use. */
const OLDER_FORMS = ['RSA PRIVATE KEY', 'EC PRIVATE KEY'];

function readKey(
  label: string,
  block: string,
  body: string,
  { password, work }: { readonly password: string; readonly work: WorkBudget },
): Buffer | Problem {
  if (label === 'ENCRYPTED PRIVATE KEY') {
    const info = parseDer(Buffer.from(body, 'base64'));
    return info === null ? { kind: 'malformed' } : decryptKey(info, { password, work });
  }
  if (label === 'PRIVATE KEY') {
    const key = Buffer.from(body, 'base64');
    return isSequence(parseDer(key) ?? undefined) ? key : { kind: 'malformed' };
  }
  if (!OLDER_FORMS.includes(label) || block.length > LONGEST_KEY) {
    return { kind: 'unsupported', what: 'a key of another kind than RSA or an elliptic curve' };
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
