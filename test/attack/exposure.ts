import { readFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import type { AttackedService } from './service.ts';

/** Whether something that would let others at the simulator is shut. */
export type Check = { readonly what: string; readonly holds: boolean; readonly found: string };

/** What others can reach of the simulator that stands beside a service. */
export async function checkExposure(service: AttackedService): Promise<Check[]> {
  const port = Number(new URL(service.simulatorUrl).port);
  const addresses = listeningAddresses(port);
  const onLoopback = addresses.every((address) => address === '127.0.0.1' || address === '::1');
  const control = { method: 'POST', path: '/_control', body: JSON.stringify({ mode: 'ok' }) };
  const type = { 'content-type': 'text/plain' };
  const foreign = await statusOf(port, {
    ...control,
    headers: { ...type, origin: 'https://attacker.example' },
  });
  const rebound = await statusOf(port, { ...control, headers: { ...type, host: 'attacker.example' } });
  const records = await statusOf(port, { method: 'GET', path: '/', headers: { host: 'attacker.example' } });
  const check = (what: string, holds: boolean, found: string | number): Check => ({
    what,
    holds,
    found: String(found),
  });
  return [
    check(
      'it listens on loopback alone',
      addresses.length > 0 && onLoopback,
      addresses.join(', ') || 'nowhere',
    ),
    check('_control refuses a page of another origin', foreign >= 400, foreign),
    check('_control refuses another host’s name', rebound >= 400, rebound),
    check('records are refused under another host’s name', records >= 400, records),
  ];
}

type RequestOptions = {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
};

function statusOf(port: number, { body, ...options }: RequestOptions): Promise<number> {
  return new Promise((answered, failed) => {
    const sent = httpRequest({ host: '127.0.0.1', port, agent: false, ...options }, (response) => {
      response.resume();
      answered(response.statusCode ?? 0);
    });
    sent.once('error', failed);
    sent.end(body);
  });
}

const LISTENS = '0A';

/** The addresses on which somebody listens on a port, as the kernel lists them. */
function listeningAddresses(port: number): string[] {
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  return ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter(([, local = '', , state]) => local.endsWith(`:${hexPort}`) && state === LISTENS)
      .map(([, local = '']) => addressOf(local.split(':')[0]!)),
  );
}

/** Words of four bytes, each the other way round. */
function addressOf(hex: string): string {
  if (hex.length === 8) {
    const bytes = hex.match(/../g)!.map((byte) => Number.parseInt(byte, 16));
    return bytes.reverse().join('.');
  }
  if (/^0+$/.test(hex)) return '::';
  return hex === '00000000000000000000000001000000' ? '::1' : hex;
}
