import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';
import { EXPORTED } from '../types.ts';
import type { LinkedPeriod } from './export-period.ts';

/** The content of the token: used only after its signature was verified. */
const claims = z.object({
  /** The second at which it expires. */
  expires: z.int(),
  environmentId: z.int(),
  actor: z.string(),
  from: z.string(),
  to: z.string(),
  formats: z.array(z.enum(EXPORTED)),
});

/** Links to single documents are signed with the same secret; the prefix keeps the two apart. */
const PURPOSE = 'export of documents\0';

/** A token that opens the export of a period, without a key, until `expiresAt` (whole seconds; fractions are dropped). */
export function signExport(secret: Buffer, period: LinkedPeriod, expiresAt: Date): string {
  const { environmentId, actor, from, to, formats } = period;
  const expires = Math.floor(expiresAt.getTime() / 1_000);
  const payload: z.input<typeof claims> = { expires, environmentId, actor, from, to, formats: [...formats] };
  const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
  return `${text}.${signatureOf(secret, text)}`;
}

/** The period of a token, or why it is rejected: a token that is not ours or was changed is `altered`. */
export function verifyExport(secret: Buffer, token: string, now: Date): LinkedPeriod | 'expired' | 'altered' {
  const [text = '', signature = ''] = token.split('.', 2);
  const right = Buffer.from(signatureOf(secret, text));
  const signatureBytes = Buffer.from(signature);
  if (signatureBytes.length !== right.length || !timingSafeEqual(signatureBytes, right)) return 'altered';
  const { expires, ...period } = claims.parse(JSON.parse(String(Buffer.from(text, 'base64url'))));
  return now.getTime() >= expires * 1_000 ? 'expired' : period;
}

function signatureOf(secret: Buffer, text: string): string {
  return createHmac('sha256', secret).update(PURPOSE).update(text).digest('base64url');
}

/** The URL that accepts a token. `baseUrl` has no trailing slash. */
export function exportUrl(baseUrl: string, token: string): string {
  return `${baseUrl}/v1/invoices/export/file?token=${token}`;
}
