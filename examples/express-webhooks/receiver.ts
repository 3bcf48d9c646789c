import { LacreError, type LacreEvent, verifyWebhook } from '@lacre/client';
import express, { type Express } from 'express';

/** An app that hears of events at `/lacre`. `handle` is called once for each event, however often it arrives. */
export function receiver(secret: string, handle: (event: LacreEvent) => Promise<void>): Express {
  // A shop keeps these in its database, in the transaction that does what the event requests.
  const seen = new Set<string>();
  const app = express();
  // The bytes as they came: JSON that was parsed and written again has another signature.
  app.post('/lacre', express.text({ type: '*/*', limit: '2mb' }), async (request, response) => {
    let event: LacreEvent;
    try {
      event = await verifyWebhook(request.body, request.headers, secret);
    } catch (error) {
      if (!(error instanceof LacreError)) throw error;
      response.status(400).send(error.code);
      return;
    }
    if (!seen.has(event.id)) {
      await handle(event);
      seen.add(event.id);
    }
    // Within 15 seconds: what takes longer is queued by `handle`. Whatever is thrown makes a 500, and it comes again.
    response.status(204).end();
  });
  return app;
}

/** What a shop may want to know. */
export async function notify(event: LacreEvent): Promise<void> {
  switch (event.type) {
    case 'invoice.rejected':
      console.log(`${event.data.object.number}: ${event.data.object.verifactu?.error?.message}`);
      break;
    case 'invoice.registered':
      console.log(`${event.data.object.number} is registered`);
      break;
    default:
      // Types that nobody knows yet come here too.
      break;
  }
}

if (import.meta.main) {
  const { LACRE_WEBHOOK_SECRET: secret, PORT: port = '3001' } = process.env;
  if (secret === undefined) throw new Error('LACRE_WEBHOOK_SECRET is not set');
  receiver(secret, notify).listen(Number(port), () => console.log(`http://localhost:${port}/lacre`));
}
