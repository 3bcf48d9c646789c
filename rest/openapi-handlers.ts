import { readFileSync } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { networkOf } from '../src/ground/lib/network.ts';
import { SharedAnswer } from '../src/ground/lib/shared-answer.ts';
import { singleFlight } from '../src/ground/lib/single-flight.ts';
import type { Services } from '../src/services.ts';
import { sendRefusal } from './answer.ts';
import { OPENAPI_FILE, PRINTED_BASE_URL } from './openapi/printed-file.ts';
import { type Document, postmanCollection } from './postman.ts';

type Answering = Pick<Services, 'config' | 'shares'>;

/** GET /v1/openapi.json. */
export const openApiHandler = (services: Answering) => handler(services, (document) => document);

/** GET /docs/postman.json. */
export const postmanHandler = (services: Answering) => handler(services, postmanCollection);

/** Made when first requested, in about 20 ms. */
function handler({ config, shares }: Answering, formOf: (document: Document, baseUrl: string) => object) {
  const { baseUrl } = config;
  const answer = singleFlight(() =>
    SharedAnswer.of(JSON.stringify(formOf(printedDocument(baseUrl), baseUrl)), {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-cache',
    }),
  );
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const refusal = shares.take(`network ${networkOf(request.ip)}`, 'pages');
    return refusal === null ? (await answer()).send(request, reply) : sendRefusal(reply, refusal, baseUrl);
  };
}

/** The printed document: building it from the schemas takes ten times as long. */
function printedDocument(baseUrl: string): Document {
  const address = JSON.stringify(baseUrl).slice(1, -1);
  return JSON.parse(readFileSync(OPENAPI_FILE, 'utf8').replaceAll(PRINTED_BASE_URL, () => address));
}
