/** Why something cannot be decrypted. */
export type Problem =
  | { readonly kind: 'wrong_password' }
  | { readonly kind: 'unsupported'; readonly what: string }
  /** It asks for more work than any true file. */
  | { readonly kind: 'excessive'; readonly what: string }
  | { readonly kind: 'malformed' };
