/**
 * What became of a message. Only `not_sent` is certain not to have been processed. With TLS 1.3 a refused certificate
 * comes out as `unknown`: the client learns of it when its message is already on its way.
 */
export type Exchange =
  | { readonly kind: 'answer'; readonly status: number; readonly text: string }
  | { readonly kind: 'not_sent'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };
