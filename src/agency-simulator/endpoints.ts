import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { census } from './census.ts';
import { applyControl, controlJson } from './control.ts';
import type { Envelope, Envelopes } from './envelopes.ts';
import { sendGarbage, sendSlowly } from './faulty-delivery.ts';
import { type Guard, guarded } from './guard.ts';
import { PAGE_HEADERS } from './html.ts';
import {
  type Handler,
  JSON_BODY_LIMIT,
  readBody,
  refuseBody,
  SOAP_BODY_LIMIT,
  send,
  sendJson,
  sendMethodNotAllowed,
  sendXml,
} from './http.ts';
import { envelopesJson, overviewPage, recordsJson } from './pages.ts';
import { type Presenter, presenterOf } from './presenter.ts';
import { checkQr, qrJson, qrPage } from './qr-page.ts';
import { query } from './query.ts';
import { Registration } from './registration.ts';
import type { Schemas } from './schemas.ts';
import type { Settings, Statistics } from './settings.ts';
import { codedFault, isFault, readSoap, type SoapFault, soapFault } from './soap.ts';
import type { Store } from './store.ts';
import { vies } from './vies.ts';

/** What the endpoints share. */
export type SimulatorContext = {
  readonly store: Store;
  readonly schemas: Schemas | null;
  readonly settings: Settings;
  readonly statistics: Statistics;
  readonly envelopes: Envelopes;
  readonly queryPageSize: number;
  readonly mostRecords: number;
  /** Requests that mode `hang` keeps without an answer. */
  readonly hanging: Set<ServerResponse>;
  readonly guard: Guard;
  /** The present instant. */
  readonly now: () => Date;
  /** Whether there is no registration service, and so nothing to set or to see. */
  readonly registersOnly: boolean;
};

const HTML = 'text/html; charset=utf-8';

/** Paths of the TLS port, as at the agency. */
export function tlsEndpoints(context: SimulatorContext): ReadonlyMap<string, Handler> {
  const endpoints = new Map<string, Handler>([
    ['/wlpl/BURT-JDIT/ws/VNifV2SOAP', forAccepted(context, censusService)],
  ]);
  const registration = '/wlpl/TIKE-CONT/ws/SistemaFacturacion/VerifactuSOAP';
  if (!context.registersOnly) endpoints.set(registration, forAccepted(context, registrationService(context)));
  return endpoints;
}

/** A certificate is refused by its name, or like all others. The agency refuses with 403 whom its authorities let in. */
function forAccepted({ settings }: SimulatorContext, handler: Handler): Handler {
  return async (request, response, url) => {
    const isRefused = settings.refuseCertificates || presenterOf(request).isRevoked;
    if (!isRefused) return handler(request, response, url);
    send(response, 403, HTML, '<h1>403 Forbidden</h1>', { connection: 'close' });
  };
}

/** Paths of the plain port: for browsers, for machines that look in, and the EU's register. */
export function plainEndpoints(context: SimulatorContext): ReadonlyMap<string, Handler> {
  const endpoints = new Map<string, Handler>([
    ['/wlpl/TIKE-CONT/ValidarQR', qrService(context)],
    ['/taxation_customs/vies/services/checkVatService', viesService(context)],
  ]);
  if (context.registersOnly) return endpoints;
  for (const [path, handler] of privateEndpoints(context))
    endpoints.set(path, guarded(context.guard, handler));
  return endpoints;
}

/** What shows records, or changes how everybody is answered. */
function privateEndpoints(context: SimulatorContext): [path: string, handler: Handler][] {
  const { store, settings, statistics, envelopes } = context;
  return [
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
      '/envelopes.json',
      forReading((response, url) => sendJson(response, 200, envelopesJson(url.searchParams, envelopes))),
    ],
    ['/_control', controlEndpoint(context)],
  ];
}

/** The page to which the codes on paper lead: for everybody, under whatever name. */
function qrService({ store }: SimulatorContext): Handler {
  return forReading((response, url) => {
    const answer = checkQr(url.searchParams, store);
    if (url.searchParams.get('formato') === 'json') sendJson(response, 200, qrJson(answer));
    else send(response, 200, HTML, qrPage(answer), PAGE_HEADERS);
  });
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

function registrationService(context: SimulatorContext): Handler {
  const { settings, hanging } = context;
  const registration = new Registration(context);
  return async (request, response) => {
    if (settings.mode === 'down') {
      request.socket.destroy();
      return;
    }
    if (settings.mode === 'hang') {
      hanging.add(response);
      response.on('close', () => hanging.delete(response));
      return;
    }
    if (request.method !== 'POST') return sendFault(response, codedFault(4135));
    const bytes = await readBody(request, SOAP_BODY_LIMIT);
    if (!Buffer.isBuffer(bytes)) return refuseBody(response, bytes);
    // As things stand now: the answer to this request is not changed by what is set while it is under way.
    const { mode, delayMs, faultCode } = settings;
    const answer =
      mode === 'fault' ? codedFault(faultCode) : answerTo(bytes, presenterOf(request), context, registration);
    const status = isFault(answer) ? 500 : 200;
    const document = isFault(answer) ? soapFault(answer) : answer.document;
    const envelope = isFault(answer) ? null : answer.envelope;
    if (envelope !== null && mode !== 'garbage')
      response.once('finish', () => noteAnswered(envelope, context));
    if (mode === 'slow') return sendSlowly(response, status, document, delayMs);
    if (delayMs > 0) await pause(delayMs);
    if (mode === 'garbage') sendGarbage(response, document);
    else if (mode === 'accept_then_drop' && envelope !== null) request.socket.destroy();
    else sendXml(response, status, document);
  };
}

function noteAnswered(envelope: Envelope, { settings, now }: SimulatorContext): void {
  envelope.answeredAt = new Date(now().getTime() + settings.clockAheadMs).toISOString();
}

/** `envelope` is null when the message was a query. */
type Answer = { readonly document: string; readonly envelope: Envelope | null };

function answerTo(
  bytes: Buffer,
  presenter: Presenter,
  context: SimulatorContext,
  registration: Registration,
): Answer | SoapFault {
  if (presenter.isSuspended) return codedFault(4141);
  const request = readSoap(bytes);
  if (isFault(request)) return request;
  const { name } = request.body;
  if (name === 'RegFactuSistemaFacturacion') return registration.submit(request, presenter);
  if (name !== 'ConsultaFactuSistemaFacturacion') return codedFault(4118, name);
  const document = query(request, presenter, context);
  return isFault(document) ? document : { document, envelope: null };
}

const censusService: Handler = async (request, response) => {
  if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
  const bytes = await readBody(request, SOAP_BODY_LIMIT);
  if (!Buffer.isBuffer(bytes)) return refuseBody(response, bytes);
  const answer = census(bytes);
  if (answer === null) request.socket.destroy();
  else if (isFault(answer)) sendFault(response, answer);
  else sendXml(response, 200, answer);
};

function viesService({ now }: SimulatorContext): Handler {
  return async (request, response) => {
    if (request.method !== 'POST') return sendMethodNotAllowed(response, 'POST');
    const bytes = await readBody(request, JSON_BODY_LIMIT);
    if (!Buffer.isBuffer(bytes)) return refuseBody(response, bytes);
    const answer = vies(bytes, now());
    if (isFault(answer)) sendFault(response, answer);
    else sendXml(response, 200, answer);
  };
}

function controlEndpoint({ settings, statistics, hanging }: SimulatorContext): Handler {
  return async (request, response) => {
    if (request.method === 'POST') {
      // No form of another page can send this type.
      if (!/^application\/json\s*(;|$)/i.test(request.headers['content-type'] ?? '')) {
        return sendJson(response, 415, { error: 'Content-Type must be application/json' });
      }
      const body = await readBody(request, JSON_BODY_LIMIT);
      if (!Buffer.isBuffer(body)) return refuseBody(response, body);
      const problem = applyControl(body.toString(), settings);
      if (problem !== null) return sendJson(response, 400, { error: problem });
      if (settings.mode !== 'hang') for (const waiting of hanging) waiting.destroy();
    } else if (request.method !== 'GET' && request.method !== 'HEAD') {
      return sendMethodNotAllowed(response, 'GET, HEAD, POST');
    }
    sendJson(response, 200, controlJson(settings, statistics));
  };
}
