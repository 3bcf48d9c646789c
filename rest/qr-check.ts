import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../src/ground/errors/refusal.ts';
import type { Services } from '../src/services.ts';
import { RECIPIENT_LIMITS } from '../src/subjects/recipients/limits.ts';
import { sendRefusal } from './answer.ts';

/** As at the agency, and at its simulator. */
export const QR_CHECK_PATH = '/wlpl/TIKE-CONT/ValidarQR';

/** The headers passed on from the simulator's answer; among them a policy that prevents scripts on its page. */
const PASSED_ON = ['content-type', 'content-security-policy', 'referrer-policy'];

/**
 * The page behind the QR codes of test invoices: that of the simulator, which is only reachable from its own machine. It is
 * public, like the agency's page.
 */
export function qrCheckHandler({
  config,
  simulatorUrl,
  log,
}: Pick<Services, 'config' | 'simulatorUrl' | 'log'>) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    // Only the parameters of the requested URL: it could contain another host in place of a path.
    const page = new URL(`${simulatorUrl.replace(/\/+$/, '')}${QR_CHECK_PATH}`);
    page.search = request.url.split('?').slice(1).join('?');
    try {
      const signal = AbortSignal.timeout(RECIPIENT_LIMITS.registerAnswer.value);
      const answer = await fetch(page, { signal, redirect: 'error' });
      for (const name of PASSED_ON) {
        const value = answer.headers.get(name);
        if (value !== null) reply.header(name, value);
      }
      return reply
        .header('cache-control', 'no-store')
        .code(answer.status)
        .send(await bounded(answer));
    } catch (error) {
      log.warn({ reason: (error as Error).name }, 'the simulator does not show a QR page');
      const refusal = new Refusal('service_unavailable', 'The simulator of the tax agency does not answer.');
      return sendRefusal(reply, refusal, config.baseUrl);
    }
  };
}

async function bounded(answer: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > RECIPIENT_LIMITS.registerAnswerSize.value) throw new Error('too long');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
