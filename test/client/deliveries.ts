import { signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';

const TEN_MINUTES_AGO = new Date(Date.now() - 600_000);
export const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes long').toString('base64')}`;

const signed = (body: string, at: Date) => signedHeaders([signingKey(SECRET)], { id: 'evt_1', at, body });

/** A delivery that was signed a moment ago; one that was altered, one without a signature, and one that was signed before. */
export function deliveries(): readonly { readonly body: string; readonly headers: object }[] {
  const body = JSON.stringify({ id: 'evt_1', type: 'invoice.registered', data: { name: 'Ñandú' } });
  const good = signed(body, new Date());
  return [
    { body, headers: good },
    { body: `${body} `, headers: good },
    { body, headers: {} },
    { body, headers: signed(body, TEN_MINUTES_AGO) },
  ];
}

export const VERIFIED = ['invoice.registered', 'invalid_signature', 'invalid_signature', 'stale_signature'];
