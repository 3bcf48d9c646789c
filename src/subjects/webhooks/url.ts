import { isIP } from 'node:net';
import { invalidField, type Outcome } from '../../ground/errors/refusal.ts';
import { addressOf, isPublic } from './addresses.ts';

/**
 * The address of an endpoint as it is kept, or `invalid_request` naming `url`: https only, no credentials, no fragment,
 * and a name that resolves to public addresses alone, unless private ones are allowed (`WEBHOOK_ALLOW_PRIVATE`), which
 * also allows http. A name that does not resolve yet is taken: each delivery resolves and looks anew.
 */
export async function endpointUrl(text: string, allowPrivate: boolean): Promise<Outcome<string>> {
  const refused = (message: string) => invalidField('url', 'invalid_value', message);
  if (!URL.canParse(text)) return refused('must be a URL');
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:'))
    return refused('must begin with https://');
  if (url.username !== '' || url.password !== '') return refused('must hold no user name and no password');
  if (url.hash !== '') return refused('must have no fragment');
  const literal = url.hostname.replace(/^\[(.*)\]$/, '$1');
  if (!allowPrivate) {
    const message = 'must lead to an address of the public Internet';
    if (isIP(literal) !== 0 ? !isPublic(literal) : isLocalName(literal)) return refused(message);
    const found = await addressOf(url.hostname, allowPrivate);
    if ('reason' in found && found.resolves) return refused(message);
  }
  return url.href;
}

/** Names that no public server answers to (RFC 6761, RFC 6762, RFC 8375, and those of cloud metadata). */
function isLocalName(written: string): boolean {
  // The dot of the root makes no other name of it.
  const name = written.replace(/\.$/, '');
  return !name.includes('.') || /\.(localhost|local|internal|home\.arpa|test|invalid|onion)$/i.test(name);
}
