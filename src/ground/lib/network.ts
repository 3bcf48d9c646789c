import { isIPv4, isIPv6 } from 'node:net';

/**
 * From where somebody calls, as it is counted: an IPv4 address; of IPv6 the first 64 bits, because whoever has one address
 * has all the others of them (RFC 6177, section 2). Some proxies write the port behind the address, which is another for
 * each connection. Whatever is no address counts as one.
 */
export function networkOf(address: string): string {
  const four = /^(?:::ffff:)?([\d.]+)(?::\d+)?$/i.exec(address)?.[1] ?? '';
  if (isIPv4(four)) return four;
  const six = address.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/%.*$/, '');
  if (!isIPv6(six)) return 'no address';
  // Written as RFC 5952 has it: at most one run of zeros is left out, and nothing is dotted.
  const [head = '', tail] = new URL(`http://[${six}]`).hostname.slice(1, -1).split('::');
  const groups = (part: string | undefined) => (part === undefined || part === '' ? [] : part.split(':'));
  const zeros = Array<string>(8 - groups(head).length - groups(tail).length).fill('0');
  return [...groups(head), ...zeros, ...groups(tail)].slice(0, 4).join(':');
}
