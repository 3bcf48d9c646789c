/** Why something cannot be decrypted. */
export type Problem =
  | { readonly kind: 'wrong_password' }
  | { readonly kind: 'unsupported'; readonly what: string }
  /** It requires more work than any genuine file. */
  | { readonly kind: 'excessive'; readonly what: string }
  | { readonly kind: 'malformed' };
