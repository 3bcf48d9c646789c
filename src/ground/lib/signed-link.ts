import { createHmac, timingSafeEqual } from 'node:crypto';
import { z } from 'zod';

/** What a link says, and the second at which it expires. */
type Claims<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>> & { readonly expires: number };

/**
 * Links that open something without a key until they expire. `purpose` keeps those of one kind apart from those of others, which are
 * signed with the same secrets.
 */
export function signedLinks<Shape extends z.ZodRawShape>(purpose: string, shape: Shape) {
  const claims = z.strictObject({ ...shape, expires: z.int() });
  const signatureOf = (secret: Buffer, text: string): string =>
    createHmac('sha256', secret).update(`${purpose}\0`).update(text).digest('base64url');
  return {
    /** A token that opens what is claimed until `expires`. */
    sign(secret: Buffer, claimed: Claims<Shape>): string {
      const text = Buffer.from(JSON.stringify(claimed)).toString('base64url');
      return `${text}.${signatureOf(secret, text)}`;
    },
    /** What a token opens, or why it is rejected: a token that is not ours or was changed is `altered`. */
    verify(secret: Buffer, token: string, now: Date): Claims<Shape> | 'expired' | 'altered' {
      const [text = '', signature = '', ...more] = token.split('.');
      const [sent, right] = [Buffer.from(signature), Buffer.from(signatureOf(secret, text))];
      if (more.length > 0 || sent.length !== right.length || !timingSafeEqual(sent, right)) return 'altered';
      const read = claims.parse(JSON.parse(String(Buffer.from(text, 'base64url')))) as Claims<Shape>;
      return now.getTime() >= read.expires * 1_000 ? 'expired' : read;
    },
  };
}

/** The second at which a link expires that is made now and valid for so many seconds. */
export function expiryOf(now: Date, seconds: number): { readonly expires: number; readonly expiresAt: Date } {
  const expires = Math.floor(now.getTime() / 1_000) + seconds;
  return { expires, expiresAt: new Date(expires * 1_000) };
}
