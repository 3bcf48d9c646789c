import { LacreError, verifyWebhook } from '@lacre/client';

/** Next.js: `POST /api/lacre`. Runs in both of its runtimes, because the client needs nothing of Node. */
export async function POST(request: Request): Promise<Response> {
  const secret = process.env['LACRE_WEBHOOK_SECRET'];
  if (secret === undefined) throw new Error('LACRE_WEBHOOK_SECRET is not set');
  try {
    const event = await verifyWebhook(await request.text(), request.headers, secret);
    if (event.type === 'invoice.rejected') {
      const { number, verifactu } = event.data.object;
      console.error(`${number} was rejected: ${verifactu?.error?.message}`);
    }
    return new Response(null, { status: 204 });
  } catch (error) {
    if (error instanceof LacreError) return new Response(error.code, { status: 400 });
    throw error;
  }
}
