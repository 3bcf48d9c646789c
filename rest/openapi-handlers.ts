import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../src/ground/lib/network.ts';
import { runInThread } from '../src/ground/lib/run-in-thread.ts';
import { SharedAnswer } from '../src/ground/lib/shared-answer.ts';
import { singleFlight } from '../src/ground/lib/single-flight.ts';
import type { Services } from '../src/services.ts';
import { sendRefusal } from './answer.ts';
import type { DocumentRequest } from './openapi-worker.ts';

type Answering = Pick<Services, 'config' | 'shares'>;

/** GET /v1/openapi.json. */
export const openApiHandler = (services: Answering) => handler(services, 'openapi');

/** GET /docs/postman.json. */
export const postmanHandler = (services: Answering) => handler(services, 'postman');

function handler({ config, shares }: Answering, form: DocumentRequest['form']) {
  const script = new URL('./openapi-worker.ts', import.meta.url);
  const answer = singleFlight(async () =>
    SharedAnswer.of(await runInThread<DocumentRequest, string>(script, { baseUrl: config.baseUrl, form }), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refusal = shares.take(`network ${networkOf(request.ip)}`, 'pages');
    return refusal === null
      ? (await answer()).send(request, reply)
      : sendRefusal(reply, refusal, config.baseUrl);
  };
}
