import { LacreError, verifyWebhook } from '@lacre/client';
import { Webhook } from 'standardwebhooks';
import { describe, expect, test } from 'vitest';
import { newSigningSecret, signedHeaders, signingKey } from '../../src/subjects/webhooks/signature.ts';

const secret = newSigningSecret();
const body = JSON.stringify({ id: 'evt_1', type: 'invoice.issued', note: 'ñ' });
const signed = (secrets: readonly string[] = [secret], at = new Date()) =>
  signedHeaders(secrets.map(signingKey), { id: 'evt_1', at, body });

async function code(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(LacreError);
  return (error as LacreError).code;
}

describe('a delivery', () => {
  test('that the service has signed is the event', async () => {
    const event = { id: 'evt_1', type: 'invoice.issued' };
    expect(await verifyWebhook(body, signed(), secret)).toMatchObject(event);
    expect(await verifyWebhook(body, new Headers(signed()), secret)).toMatchObject(event);
    expect(await verifyWebhook(new TextEncoder().encode(body), signed(), secret)).toMatchObject(event);
  });

  test('that Standard Webhooks’ own library has signed, too', async () => {
    const at = new Date();
    const headers = {
      'Webhook-Id': 'evt_1',
      'Webhook-Timestamp': String(Math.floor(at.getTime() / 1_000)),
      'Webhook-Signature': new Webhook(secret).sign('evt_1', at, body),
    };
    expect(await verifyWebhook(body, headers, secret)).toMatchObject({ id: 'evt_1' });
  });

  test('is accepted with either secret during the rotation', async () => {
    const next = newSigningSecret();
    expect(await verifyWebhook(body, signed([secret, next]), next)).toMatchObject({ id: 'evt_1' });
    expect(await verifyWebhook(body, signed([secret]), [next, secret])).toMatchObject({ id: 'evt_1' });
    expect(await code(verifyWebhook(body, signed(), next))).toBe('invalid_signature');
  });

  test.each([
    ['another body', `${body} `, signed()],
    ['another id', body, { ...signed(), 'webhook-id': 'evt_2' }],
    ['another time', body, { ...signed(), 'webhook-timestamp': '1' }],
    ['no signature', body, { ...signed(), 'webhook-signature': undefined }],
    ['a signature of another version', body, { ...signed(), 'webhook-signature': 'v2,AAAA' }],
    ['a signature that is no base64', body, { ...signed(), 'webhook-signature': 'v1,é' }],
    ['no headers', body, {}],
  ])('with %s is refused', async (_what, text, headers) => {
    expect(await code(verifyWebhook(text, headers, secret))).toBe('invalid_signature');
  });

  test.each([-301, 301])('that is %i seconds off is refused', async (seconds) => {
    const at = new Date(Date.now() + seconds * 1_000);
    expect(await code(verifyWebhook(body, signed([secret], at), secret))).toBe('stale_signature');
    const tolerant = { toleranceSeconds: 400 };
    expect(await verifyWebhook(body, signed([secret], at), secret, tolerant)).toMatchObject({ id: 'evt_1' });
  });

  test('cannot be verified with what is no secret', async () => {
    await expect(verifyWebhook(body, signed(), 'whsec_é')).rejects.toThrow(TypeError);
  });
});
