import { createHash } from 'node:crypto';

const SCRIPT = /<script>([\s\S]*?)<\/script>/g;

/** A page without the one script of ours that it may carry. */
export function withoutOwnScript(text: string): string {
  return text.replace(SCRIPT, (whole, script: string) => (script.includes('EventSource') ? '' : whole));
}

/** A page's policy without what it says of that script, which must be its hash, its addresses, and nothing else. */
export function policyWithoutScript({
  headers,
  text,
}: {
  readonly headers: Headers;
  readonly text: string;
}): string {
  const policy = headers.get('content-security-policy') ?? '';
  const [script] = [...text.matchAll(SCRIPT)].map(([, own]) => own!);
  if (script === undefined) return policy;
  const digest = createHash('sha256').update(script).digest('base64');
  return policy.replace(`; script-src 'sha256-${digest}'; connect-src 'self'`, '');
}
