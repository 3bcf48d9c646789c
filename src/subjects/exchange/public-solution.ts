import { readResponse, type Said } from './application-response.ts';
import { bodyUpTo } from './body.ts';

/**
 * The way to the public solution by our own reading of the drafts: documents are posted over HTTP and answered by an
 * ApplicationResponse. What is there to speak to is a simulator of the same reading; the service's own interface, when it is published,
 * takes this module's place.
 */
export type PublicSolution = {
  /** Posts a document under an id; one that was taken before is answered as then. Rejects when nobody knows whether it was taken. */
  send(what: 'invoices' | 'statuses', id: string, document: Buffer): Promise<Taken>;
  /** The first status of recipients of an issuer's invoices behind a position; null when there is none. */
  next(issuerNif: string, after: number): Promise<Received | null>;
};

/** Whether a message was taken, and else why not. */
export type Taken = { readonly taken: true } | { readonly taken: false; readonly why: string };

/** A recipient's status and its position; `said` is null of what could not be read. */
export type Received = { readonly sequence: number; readonly said: Said | null };

/** Longer than an answer takes, shorter than a job may. */
const TIMEOUT_MS = 15_000;

/** An answer says one thing. */
const MAX_BYTES = 64 * 1_024;

const PATH = '/public-solution';

/** The service was not reached, or gave no answer that could be understood. */
export class Unanswered extends Error {}

/** The public solution as a simulator of it answers at `base`. */
export function simulatedPublicSolution(base: string): PublicSolution {
  const ask = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return await fetch(`${base.replace(/\/+$/, '')}${PATH}${path}`, { ...init, redirect: 'error', signal });
    } catch (error) {
      throw new Unanswered(`not reached: ${(error as Error).message}`);
    }
  };
  return {
    async send(what, id, document) {
      const headers = { 'content-type': 'application/xml', 'message-id': id };
      const response = await ask(`/${what}`, { method: 'POST', headers, body: new Uint8Array(document) });
      const said = await answerOf(response, 200);
      if (said?.code === 'AP') return { taken: true };
      if (said?.code === 'RE') return { taken: false, why: said.reason ?? 'refused without a reason' };
      throw new Unanswered('an answer that says neither');
    },
    async next(issuerNif, after) {
      const query = new URLSearchParams({ issuer: issuerNif, after: String(after) });
      const response = await ask(`/statuses?${query}`, { method: 'GET' });
      if (response.status === 204) return null;
      const said = await answerOf(response, 200);
      const sequence = Number(response.headers.get('sequence'));
      if (!Number.isSafeInteger(sequence) || sequence <= after) throw new Unanswered('a status out of order');
      return { sequence, said };
    },
  };
}

async function answerOf(response: Response, status: number): Promise<Said | null> {
  const bytes = await bodyUpTo(response, MAX_BYTES).catch((error: Error) => {
    throw new Unanswered(`broke off: ${error.message}`);
  });
  if (response.status !== status || bytes === null) throw new Unanswered(`answered ${response.status}`);
  return readResponse(bytes);
}
