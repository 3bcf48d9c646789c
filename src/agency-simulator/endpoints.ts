import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { clock } from '../lib/clock.ts';
import { census } from './census.ts';
import { applyControl, controlJson } from './control.ts';
import { PAGE_HEADERS } from './html.ts';
import {
  type Handler,
  JSON_BODY_LIMIT,
  readBody,
  SOAP_BODY_LIMIT,
  send,
  sendJson,
  sendMethodNotAllowed,
  sendTooLarge,
  sendXml,
} from './http.ts';
import { overviewPage, recordsJson } from './pages.ts';
import { checkQr, qrJson, qrPage } from './qr-page.ts';
import { query } from './query.ts';
import { Registration } from './registration.ts';
import type { Schemas } from './schemas.ts';
import type { Settings, Statistics } from './settings.ts';
import { codedFault, isFault, readSoap, type SoapFault, soapFault } from './soap.ts';
import type { Store } from './store.ts';
import { vies } from './vies.ts';

/** What the endpoints share. */
export type World = {
  readonly store: Store;
  readonly schemas: Schemas | null;
  readonly settings: Settings;
  readonly statistics: Statistics;
  readonly queryPageSize: number;
  /** Requests that mode `hang` keeps without an answer. */
  readonly held: Set<ServerResponse>;
};

const HTML = 'text/html; charset=utf-8';

/** Paths of the TLS port, as at the agency. */
export function tlsEndpoints(world: World): ReadonlyMap<string, Handler> {
  return new Map<string, Handler>([
    ['/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP', registrationService(world)],
    ['/wlpl/BURT-JDIT/ws/VNifV2SOAP', censusService],
  ]);
}

/** Paths of the plain port: for browsers, for machines that look in, and the EU's register. */
export function plainEndpoints(world: World): ReadonlyMap<string, Handler> {
  const { store, settings, statistics } = world;
  return new Map<string, Handler>([
    [
      '/',
      forReading((response, url) => {
        send(response, 200, HTML, overviewPage(url.searchParams, store, settings, statistics), PAGE_HEADERS);
      }),
    ],
    [
      '/records.json',
      forReading((response, url) => sendJson(response, 200, recordsJson(url.searchParams, store))),
    ],
    [
      '/wlpl/TIKE-CONT/ValidarQR',
      forReading((response, url) => {
        const answer = checkQr(url.searchParams, store);
        if (url.searchParams.get('formato') === 'json') sendJson(response, 200, qrJson(answer));
        else send(response, 200, HTML, qrPage(answer), PAGE_HEADERS);
      }),
    ],
    ['/_control', controlEndpoint(world)],
    ['/taxation_customs/vies/services/checkVatService', viesService],
  ]);
}

function forReading(answer: (response: ServerResponse, url: URL) => void): Handler {
  return (request, response, url) => {
    if (request.method === 'GET' || request.method === 'HEAD') answer(response, url);
    else sendMethodNotAllowed(response, 'GET, HEAD');
  };
}

function sendFault(response: ServerResponse, fault: SoapFault): void {
  // SOAP 1.1 section 6.2: a fault travels with status 500.
  sendXml(response, 500, soapFault(fault));
}

function registrationService(world: World): Handler {
  const { settings, held } = world;
  const registration = new Registration(world.store, world.schemas, settings, world.statistics);
  return async (request, response) => {
    if (settings.mode === 'down') {
      request.socket.destroy();
      return;
    }
    if (settings.mode === 'hang') {
      held.add(response);
      response.on('close', () => held.delete(response));
      return;
    }
    if (request.method !== 'POST') return sendFault(response, codedFault(4135));
    const bytes = await readBody(request, SOAP_BODY_LIMIT);
    if (bytes === null) return sendTooLarge(response);
    const faulty = settings.mode === 'fault';
    const drop = settings.mode === 'accept_then_drop';
    const answer = faulty
      ? codedFault(settings.faultCode)
      : answerTo(bytes, presenterOf(request), world, registration);
    if (settings.delayMs > 0) await pause(settings.delayMs);
    if (isFault(answer)) sendFault(response, answer);
    else if (drop && answer.submission) request.socket.destroy();
    else sendXml(response, 200, answer.document);
  };
}

type Answer = { readonly document: string; readonly submission: boolean };

function answerTo(
  bytes: Buffer,
  presenter: string,
  world: World,
  registration: Registration,
): Answer | SoapFault {
  const request = readSoap(bytes);
  if (isFault(request)) return request;
  const submission = request.body.name === 'RegFactuSistemaFacturacion';
  if (!submission && request.body.name !== 'ConsultaFactuSistemaFacturacion') {
    return codedFault(4118, request.body.name);
  }
  const document = submission
    ? registration.submit(request, presenter)
    : query(request, world.store, world.schemas, world.queryPageSize);
  return isFault(document) ? document : { document, submission };
}

/** Who sends, by the client certificate: the company's NIF (VATES-), else the person's (IDCES-). */
function presenterOf(request: IncomingMessage): string {
  const { subject } = (request.socket as TLSSocket).getPeerCertificate();
  const fields = Object.values(subject ?? {}).flat();
  for (const prefix of ['VATES-', 'IDCES-']) {
    const found = fields.find((value) => String(value).startsWith(prefix));
    if (found !== undefined) return String(found).slice(prefix.length);
  }
  // A certificate without either number; the answer's schema wants a NIF.
  return '00000000T';
}

const censusService: Handler = async (request, response) => {
  if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
  const bytes = await readBody(request, SOAP_BODY_LIMIT);
  if (bytes === null) return sendTooLarge(response);
  const answer = census(bytes);
  if (answer === null) request.socket.destroy();
  else if (isFault(answer)) sendFault(response, answer);
  else sendXml(response, 200, answer);
};

const viesService: Handler = async (request, response) => {
  if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
  const bytes = await readBody(request, JSON_BODY_LIMIT);
  if (bytes === null) return sendTooLarge(response);
  const answer = vies(bytes, clock.now());
  if (isFault(answer)) sendFault(response, answer);
  else sendXml(response, 200, answer);
};

function controlEndpoint({ settings, statistics, held }: World): Handler {
  return async (request, response) => {
    if (request.method === 'POST') {
      const body = await readBody(request, JSON_BODY_LIMIT);
      if (body === null) return sendTooLarge(response);
      const problem = applyControl(body.toString(), settings);
      if (problem !== null) return sendJson(response, 400, { error: problem });
      if (settings.mode !== 'hang') for (const waiting of held) waiting.destroy();
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendMethodNotAllowed(response, 'GET, HEAD, POST');
    }
    sendJson(response, 200, controlJson(settings, statistics));
  };
}
