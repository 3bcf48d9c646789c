import { type ReportedStatus, readResponse } from './application-response.ts';
import { bodyUpTo } from './body.ts';

/**
 * The client of the public solution, based on our interpretation of the drafts: documents are posted over HTTP and
 * answered by an ApplicationResponse. Only a simulator of the same interpretation exists; the official interface,
 * once published, replaces this module.
 */
export type PublicSolution = {
  /**
   * Posts a document with an id; an id that was accepted before gets the same answer. Rejects when it is unknown
   * whether the document was accepted.
   */
  send(path: 'invoices' | 'statuses', id: string, document: Buffer): Promise<SendResult>;
  /** The first status reported by recipients of an issuer's invoices after a position; null when there is none. */
  next(issuerNif: string, after: number): Promise<Received | null>;
};

/** Whether a message was accepted, else why not. */
export type SendResult = { readonly accepted: true } | { readonly accepted: false; readonly reason: string };

/** A recipient's status and its position; `said` is null when it could not be parsed. */
export type Received = { readonly sequence: number; readonly status: ReportedStatus | null };

/** Longer than an answer takes, shorter than the time limit of a job. */
const TIMEOUT_MS = 15_000;

/** An answer contains one status. */
const MAX_BYTES = 64 * 1_024;

const PATH = '/public-solution';

/** The service could not be reached, or its answer could not be understood. */
export class NoResponse extends Error {}

/** A client of the public solution, or a simulator of it, at `base`. */
export function simulatedPublicSolution(base: string): PublicSolution {
  const request = async (path: string, init: RequestInit): Promise<Response> => {
    try {
      const signal = AbortSignal.timeout(TIMEOUT_MS);
      return await fetch(`${base.replace(/\/+$/, '')}${PATH}${path}`, { ...init, redirect: 'error', signal });
    } catch (error) {
      throw new NoResponse(`not reached: ${(error as Error).message}`);
    }
  };
  return {
    async send(path, id, document) {
      const headers = { 'content-type': 'application/xml', 'message-id': id };
      const response = await request(`/${path}`, { method: 'POST', headers, body: new Uint8Array(document) });
      const answer = await answerOf(response, 200);
      if (answer?.code === 'AP') return { accepted: true };
      if (answer?.code === 'RE')
        return { accepted: false, reason: answer.reason ?? 'refused without a reason' };
      throw new NoResponse('an answer that says neither');
    },
    async next(issuerNif, after) {
      const query = new URLSearchParams({ issuer: issuerNif, after: String(after) });
      const response = await request(`/statuses?${query}`, { method: 'GET' });
      if (response.status === 204) return null;
      const answer = await answerOf(response, 200);
      const sequence = Number(response.headers.get('sequence'));
      if (!Number.isSafeInteger(sequence) || sequence <= after) throw new NoResponse('a status out of order');
      return { sequence, status: answer };
    },
  };
}

async function answerOf(response: Response, status: number): Promise<ReportedStatus | null> {
  const bytes = await bodyUpTo(response, MAX_BYTES).catch((error: Error) => {
    throw new NoResponse(`broke off: ${error.message}`);
  });
  if (response.status !== status || bytes === null) throw new NoResponse(`answered ${response.status}`);
  return readResponse(bytes);
}
