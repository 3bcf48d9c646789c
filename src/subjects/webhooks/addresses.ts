import dns from 'node:dns/promises';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** An address that a delivery may connect to. */
export type Address = { readonly address: string; readonly family: 4 | 6 };

/** Why deliveries to a host are refused, as a text for the endpoint's owner. */
export type NoAddress = { readonly reason: string; readonly resolves: boolean };

/** What is assigned to the Internet of IPv6 (RFC 4291 section 2.4, IANA's registry of the address space). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** A public address that belongs to a cloud platform and serves metadata to that cloud's machines (Azure). */
const OF_CLOUDS = ['168.63.129.16'];

/**
 * Whether an address is on the public Internet: not private, loopback, link-local (where clouds serve metadata),
 * shared, documentation, multicast or reserved (IANA special-purpose registries, RFC 6890). An IPv4 address
 * embedded in IPv6 (mapped, compatible, NAT64, 6to4, Teredo) never counts as public.
 */
export function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address) || OF_CLOUDS.includes(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_IPV6);
}

/**
 * Resolves the host of an endpoint once, and returns the address to connect to. One address that is not public
 * makes the whole name refused, since the owner of the name decides which of them is used; `allowPrivate` disables
 * that.
 */
export async function addressOf(hostname: string, allowPrivate: boolean): Promise<Address | NoAddress> {
  const literal = hostname.replace(/^\[(.*)\]$/, '$1');
  const family = isIP(literal);
  const found =
    family === 0
      ? await dns.lookup(literal, { all: true }).catch(() => [])
      : [{ address: literal, family: family as 4 | 6 }];
  const first = found[0];
  if (first === undefined) return { reason: `the name ${literal} does not resolve`, resolves: false };
  const hidden = allowPrivate ? undefined : found.find(({ address }) => !isPublic(address));
  if (hidden !== undefined)
    return { reason: `${literal} is not an address of the public Internet`, resolves: true };
  return first as Address;
}
