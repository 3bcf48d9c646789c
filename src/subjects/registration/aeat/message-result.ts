/**
 * The outcome of a message. Only `not_sent` guarantees that it was not processed. With TLS 1.3 a rejected
 * certificate results in `unknown`: the client learns of it when its message is in transit already.
 */
export type MessageResult =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };
