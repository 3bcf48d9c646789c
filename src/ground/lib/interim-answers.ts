import type { ClientRequest } from 'node:http';

/** Servers send one or two. A flood of them takes a third of a processor for as long as it lasts. */
const MOST_INTERIM_ANSWERS = 16;

/**
 * Makes errors of two answers that are none. One that switches protocols (101), which nobody requested, ends a request of
 * Node’s without a response and without an error: whoever waits for either waits for ever. And before its answer a
 * server may send as many interim ones (1xx) as it likes, which nothing else bounds.
 */
export function refuseInterimAnswers(request: ClientRequest): void {
  let count = 0;
  request.on('information', () => {
    count += 1;
    if (count > MOST_INTERIM_ANSWERS) request.destroy(new Error('too many interim answers'));
  });
  request.on('upgrade', (_response, socket) => {
    socket.destroy();
    request.emit('error', new Error('the answer switches protocols'));
  });
}
