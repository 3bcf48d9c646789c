import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { sendXml, XML } from './http.ts';

/** Pieces of an answer that comes slowly. */
const PIECES = 20;

/** Sends an answer in pieces over that time, like an overloaded server. Stops when the client has disconnected. */
export async function sendSlowly(
  response: ServerResponse,
  status: number,
  document: string,
  milliseconds: number,
): Promise<void> {
  const bytes = Buffer.from(document);
  if (response.destroyed) return;
  response.writeHead(status, { 'content-type': XML, 'content-length': bytes.length });
  const size = Math.ceil(bytes.length / PIECES);
  for (let from = 0; from < bytes.length && !response.destroyed; from += size) {
    response.write(bytes.subarray(from, from + size));
    await pause(milliseconds / PIECES);
  }
  response.end();
}

/** Broken answers of gateways and proxies, used in turn. */
const GARBAGE: readonly ((document: string) => readonly [status: number, body: string])[] = [
  () => [502, '<html><body><h1>502 Bad Gateway</h1><br></body></html>'],
  (document) => [200, document.slice(0, document.length / 2)],
  () => [200, ''],
  () => [200, '<?xml version="1.0"?><respuesta><estado>OK</estado></respuesta>'],
  () => [503, 'Servicio no disponible temporalmente. \u0000\uFFFD'],
];
let turn = 0;

/** Sends a broken answer, derived from the true one. */
export function sendGarbage(response: ServerResponse, document: string): void {
  const [status, body] = GARBAGE[turn % GARBAGE.length]!(document);
  turn += 1;
  sendXml(response, status, body);
}
