import { isIPv4, isIPv6 } from 'node:net';

/**
 * The network of a caller for counting: an IPv4 address, or the first 64 bits of an IPv6 address, because the owner of one
 * address has all others of them (RFC 6177, section 2). Some proxies append the port, which differs with each connection.
 * Anything that is not an address counts as one network.
 */
export function networkOf(address: string): string {
  const four = /^(?:::ffff:)?([\d.]+)(?::\d+)?$/i.exec(address)?.[1] ?? '';
  if (isIPv4(four)) return four;
  const six = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '');
  if (!isIPv6(six)) return 'no address';
  // Written as in RFC 5952: at most one run of zeros is omitted, and there is no dotted part.
  const [head = '', tail] = new URL(`http://[${six}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return [...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(':');
}
