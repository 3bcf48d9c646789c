import { type AddressInfo, createServer, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { type Counter, register } from 'prom-client';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { AnswerReader } from '../../src/subjects/registration/aeat/answer.ts';
import {
  type AgencyAccess,
  type AgencyClient,
  type ClientLimits,
  openAgencyClient,
} from '../../src/subjects/registration/aeat/transport.ts';
import { AGENCY_LIMITS } from '../../src/subjects/registration/limits.ts';
import { answer, readWhole } from '../support/agency/answers.ts';
import {
  type Certificates,
  certificates,
  reply,
  type Script,
  type ScriptedAgency,
  scriptedAgency,
} from '../support/agency/scripted.ts';
import { gapsDuring } from '../support/processes/event-loop.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const resource of opened.splice(0)) await resource.close();
});

const ANSWER = answer([{ number: 'Ñ-1', date: '20-11-2026', state: 'Correcto' }]);
let stranger: Certificates;
beforeAll(async () => {
  stranger = await certificates();
});

async function agencyThat(script: Script): Promise<ScriptedAgency> {
  const agency = await scriptedAgency(script);
  opened.push({ close: () => agency.stop() });
  return agency;
}

function lineTo(access: AgencyAccess, limits: Partial<ClientLimits> = {}): AgencyClient {
  const line = openAgencyClient(access, { connectMs: 2_000, answerMs: 2_000, ...limits });
  opened.push(line);
  return line;
}

test('a message arrives byte for byte, with the headers of SOAP 1.1, and its answer comes back', async () => {
  let headers: Record<string, unknown> = {};
  const agency = await agencyThat((_, response, request) => {
    headers = { ...request.headers, method: request.method };
    reply(response, ANSWER);
  });
  const message = `<a>${'Ñandú & €'.repeat(200_000)}</a>`;
  expect(await lineTo(agency.access).post(message)).toEqual({ kind: 'answer', status: 200, text: ANSWER });
  expect(agency.received[0] === message).toBe(true);
  expect(headers).toMatchObject({
    ...{ method: 'POST', 'content-type': 'text/xml; charset=utf-8', soapaction: '""' },
    'content-length': String(Buffer.byteLength(message)),
  });
});

test('a refusal of our certificate is counted for the alarm, but not that of one that is tried', async () => {
  const counter = register.getSingleMetric('lacre_upstream_certificate_refused_total') as Counter;
  const counted = async () =>
    (await counter.get()).values.find(({ labels }) => labels['service'] === 'registration')!.value;
  const before = await counted();
  const agency = await agencyThat((_, response) => reply(response, ANSWER, 403));
  const trial = openAgencyClient(agency.access, {}, true);
  opened.push(trial);
  await trial.post('<a/>');
  expect(await counted()).toBe(before);
  await lineTo(agency.access).post('<a/>');
  expect(await counted()).toBe(before + 1);
});

test('an answer counts with any HTTP status', async () => {
  const agency = await agencyThat((_, response) => reply(response, ANSWER, 500));
  expect(await lineTo(agency.access).post('<a/>')).toMatchObject({
    kind: 'answer',
    status: 500,
    text: ANSWER,
  });
});

test('connections are kept', async () => {
  const agency = await agencyThat((_, response) => reply(response, ANSWER));
  const line = lineTo(agency.access);
  for (let round = 0; round < 3; round += 1) await line.post('<a/>');
  expect(agency.connections()).toBe(1);
});

test('connection refused: certainly not sent', async () => {
  const agency = await scriptedAgency(() => {});
  await agency.stop();
  const exchange = await lineTo(agency.access).post('<a/>');
  expect(exchange).toMatchObject({ kind: 'not_sent', reason: expect.stringContaining('ECONNREFUSED') });
});

test('a name that does not resolve: certainly not sent', async () => {
  const { client, ca } = stranger;
  const access = { endpointUrl: 'https://nobody.invalid/soap', ...client, ca };
  expect(await lineTo(access).post('<a/>')).toMatchObject({ kind: 'not_sent' });
});

test('a server that is not the agency: certainly not sent', async () => {
  const agency = await agencyThat((_, response) => reply(response, ANSWER));
  const access = { ...agency.access, ca: stranger.ca };
  expect(await lineTo(access).post('<a/>')).toMatchObject({ kind: 'not_sent' });
  expect(agency.received).toEqual([]);
});

test('a certificate that the agency refuses: no answer, and nothing received', async () => {
  const agency = await agencyThat((_, response) => reply(response, ANSWER));
  const exchange = await lineTo({ ...agency.access, ...stranger.client }).post('<a/>');
  expect(exchange.kind).not.toBe('answer');
  expect(agency.received).toEqual([]);
});

test('a host that accepts the connection and never completes the TLS handshake: certainly not sent', async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push({
    close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  });
  const { client, ca } = stranger;
  const { port } = server.address() as AddressInfo;
  const access = { endpointUrl: `https://127.0.0.1:${port}/soap`, ...client, ca };
  const exchange = await lineTo(access, { connectMs: 50 }).post('<a/>');
  expect(exchange).toEqual({ kind: 'not_sent', reason: 'no connection within 50 ms' });
});

test('without an answer within the time limit the outcome is unknown', async () => {
  const agency = await agencyThat(() => {});
  const exchange = await lineTo(agency.access, { answerMs: 50 }).post('<a/>');
  expect(exchange).toEqual({ kind: 'unknown', reason: 'no answer within 50 ms' });
});

test('an answer that begins and never ends: unknown', async () => {
  const agency = await agencyThat((_, response) => void response.writeHead(200).write('<a>'));
  const exchange = await lineTo(agency.access, { answerMs: 80 }).post('<a/>');
  expect(exchange).toMatchObject({ kind: 'unknown' });
});

test('a connection that is cut instead of an answer: unknown', async () => {
  const agency = await agencyThat((_, __, request) => void request.socket.destroy());
  expect(await lineTo(agency.access).post('<a/>')).toMatchObject({ kind: 'unknown' });
});

test('an answer larger than any of the agency’s: unknown', async () => {
  const agency = await agencyThat((_, response) => reply(response, 'x'.repeat(2_000)));
  const exchange = await lineTo(agency.access, { answerBytes: 1_000 }).post('<a/>');
  expect(exchange).toEqual({ kind: 'unknown', reason: 'the answer exceeds 1000 bytes' });
});

test('an answer that is read as it arrives may be of any size and take its time, as long as it goes on', async () => {
  const agency = await agencyThat(async (_, response) => {
    response.writeHead(200);
    for (let part = 0; part < 6; part += 1) {
      response.write('x'.repeat(1_000));
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    response.end();
  });
  let bytes = 0;
  const write = (chunk: Uint8Array) => {
    bytes += chunk.length;
    return true;
  };
  const line = lineTo(agency.access, { answerBytes: 1_000, answerMs: 1_500 });
  expect(await line.post('<a/>', undefined, { write, keepsText: false })).toEqual({
    kind: 'answer',
    status: 200,
    text: '',
  });
  expect(bytes).toBe(6_000);
});

test('and is aborted when no more of it arrives, or no more of it is needed', async () => {
  const agency = await agencyThat((_, response) => void response.writeHead(200).write('<a>'));
  const hasty = lineTo(agency.access, { answerMs: 80 });
  expect(await hasty.post('<a/>', undefined, { write: () => true, keepsText: false })).toMatchObject({
    kind: 'unknown',
  });
  const agencyClient = lineTo(agency.access);
  expect(await agencyClient.post('<a/>', undefined, { write: () => false, keepsText: false })).toMatchObject({
    kind: 'answer',
  });
});

/** A reader of answers to envelopes, whose text is kept. */
function readerOfAnswers() {
  const reader = new AnswerReader();
  const reading = { write: (chunk: Uint8Array) => reader.write(chunk), keepsText: true };
  return { reader, reading };
}

test('of an answer that is rejected only the beginning is read, and kept', async () => {
  const agency = await agencyThat((_, response) => {
    response.writeHead(200).write('<a>'.repeat(1_000_000));
  });
  const { reader, reading } = readerOfAnswers();
  // The rest never comes.
  const exchange = await lineTo(agency.access).post('<a/>', undefined, reading);
  expect(exchange.kind).toBe('answer');
  const length = exchange.kind === 'answer' ? exchange.text.length : 0;
  expect(length).toBeGreaterThanOrEqual(AGENCY_LIMITS.uselessAnswer.value);
  expect(length).toBeLessThan(4 * AGENCY_LIMITS.uselessAnswer.value);
  expect(reader.close().kind).toBe('unreadable');
});

test('other callers are served while the costliest answer is read', async () => {
  const comments = `<a>${'<!---->'.repeat(1_190_000)}</a>`;
  // In pieces: writing and encrypting it at once would be the longest time of this thread.
  const pieces = comments.match(/.{1,65536}/gs)!;
  const agency = await agencyThat((_, response) => void Readable.from(pieces).pipe(response.writeHead(200)));
  const line = lineTo(agency.access, { answerMs: 30_000 });
  const { reader, reading } = readerOfAnswers();
  const { answer: exchange, longestGap } = await gapsDuring(() => line.post('<a/>', undefined, reading));
  expect(exchange).toMatchObject({ kind: 'answer', text: comments });
  expect(reader.close().kind).toBe('unreadable');
  expect(longestGap).toBeLessThan(200);
});

test('a slow answer has the same time limit as any other', async () => {
  const drips: NodeJS.Timeout[] = [];
  opened.push({ close: () => drips.forEach(clearInterval) });
  const agency = await agencyThat((_, response) => {
    response.writeHead(200);
    drips.push(setInterval(() => response.write(' '), 5));
  });
  const exchange = await lineTo(agency.access, { answerMs: 150 }).post('<a/>');
  expect(exchange).toEqual({ kind: 'unknown', reason: 'no answer within 150 ms' });
});

test('endless headers: unknown, long before the time limit', async () => {
  const agency = await agencyThat((_, __, request) => {
    request.socket.write('HTTP/1.1 200 OK\r\n');
    const more = `X-More: ${'x'.repeat(8_000)}\r\n`;
    for (let count = 0; count < 20; count += 1) request.socket.write(more);
  });
  const exchange = await lineTo(agency.access).post('<a/>');
  expect(exchange).toMatchObject({ kind: 'unknown', reason: expect.stringContaining('HPE_HEADER_OVERFLOW') });
});

test.each([
  ['switches protocols', 'HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'],
  ['is preceded by interim ones without end', 'HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(10_000)],
])('an answer that %s: unknown, at once', async (_what, text) => {
  const agency = await agencyThat((_, __, request) => {
    request.socket.write(text);
  });
  const exchange = await lineTo(agency.access, { answerMs: 60_000 }).post('<a/>');
  expect(exchange).toMatchObject({ kind: 'unknown', reason: expect.stringMatching(/protocols|interim/) });
});

test('a compressed answer is not unpacked, so a small one cannot become a large one', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));
  const agency = await agencyThat((_, response, request) => {
    expect(request.headers['accept-encoding']).toBeUndefined();
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const exchange = await lineTo(agency.access).post('<a/>');
  expect(exchange.kind === 'answer' && exchange.text.length).toBeLessThanOrEqual(bomb.length);
  expect(exchange.kind === 'answer' && readWhole(new AnswerReader(), exchange.text).kind).toBe('unreadable');
});

test('a caller that gives up does not wait', async () => {
  const agency = await agencyThat(() => {});
  const giveUp = new AbortController();
  const line = lineTo(agency.access);
  const exchange = line.post('<a/>', giveUp.signal);
  await expect.poll(() => agency.received.length).toBe(1);
  giveUp.abort();
  expect(await exchange).toMatchObject({ kind: 'unknown' });
  expect(await line.post('<a/>', giveUp.signal)).toMatchObject({ kind: 'not_sent' });
});

test('an answer cut at any byte is never taken for a whole one', async () => {
  const whole = Buffer.from(ANSWER);
  let length = 0;
  let withLength = true;
  const agency = await agencyThat((_, response, request) => {
    const head = withLength ? { 'Content-Length': whole.length } : { Connection: 'close' };
    response.writeHead(200, head);
    response.flushHeaders();
    if (length === 0) request.socket.end();
    else response.write(whole.subarray(0, length), () => request.socket.end());
  });
  const line = lineTo(agency.access);
  for (withLength of [true, false]) {
    for (length = 0; length < whole.length; length += 37) {
      const exchange = await line.post('<a/>');
      const read =
        exchange.kind === 'answer' ? readWhole(new AnswerReader(), exchange.text).kind : exchange.kind;
      expect(['unknown', 'unreadable'], `cut at ${length}`).toContain(read);
    }
  }
});

test('a bad certificate or passphrase is reported at once', () => {
  const { client, ca } = stranger;
  const access = { endpointUrl: 'https://127.0.0.1/', ...client, ca };
  expect(() => openAgencyClient({ ...access, passphrase: 'other' })).toThrow('mac verify failure');
  expect(() => openAgencyClient({ ...access, pfx: Buffer.from('no') })).toThrow();
});
