import { OrbweaverError } from '../../base/errors.ts';
import { type IpOctets, parseIp, parseSubnet, type Subnet, subnetHolds } from './ip-address.ts';

/** Why an address is not part of the public internet. */
export type NotPublic =
  | 'unspecified'
  | 'loopback'
  | 'private'
  | 'shared'
  | 'link-local'
  | 'site-local'
  | 'unique-local'
  | 'multicast'
  | 'broadcast'
  | 'documentation'
  | 'benchmarking'
  | 'discard'
  | 'reserved'
  | 'ipv4-mapped'
  | 'ipv4-compatible'
  | 'nat64-local'
  | 'not-an-address';

export type AddressVerdict = { readonly allowed: true } | { readonly allowed: false; readonly why: NotPublic };

export interface AddressGuardOptions {
  /** Lets everything through but what is no address at all. */
  readonly allowPrivate?: boolean;
  /** Exceptions: `10.1.0.0/16`, `127.0.0.1`, `[::1]:8080`, `intranet.example`, `*.corp.example`, `localhost:8080`. */
  readonly allowList?: readonly string[];
}

export interface AddressGuard {
  /** Judges the very address a socket is about to be connected to, for the host and port of the URL. */
  check(address: string, hostname: string, port: number): AddressVerdict;
}

/** The IANA special-purpose registries, longest prefix first where blocks nest. */
const IPV4_BLOCKS = blocks([
  ['0.0.0.0/8', 'unspecified'],
  ['10.0.0.0/8', 'private'],
  ['100.64.0.0/10', 'shared'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local'],
  ['172.16.0.0/12', 'private'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'reserved'],
  ['192.168.0.0/16', 'private'],
  ['198.18.0.0/15', 'benchmarking'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['255.255.255.255/32', 'broadcast'],
  ['240.0.0.0/4', 'reserved'],
]);

const IPV6_BLOCKS = blocks([
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['::ffff:0:0/96', 'ipv4-mapped'],
  ['::/96', 'ipv4-compatible'],
  ['64:ff9b:1::/48', 'nat64-local'],
  ['100::/64', 'discard'],
  ['2001:2::/48', 'benchmarking'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['fc00::/7', 'unique-local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'site-local'],
  ['ff00::/8', 'multicast'],
]);

const NAT64 = subnet('64:ff9b::/96');
const TEREDO = subnet('2001::/32');
const IETF_ASSIGNMENTS = subnet('2001::/23');
const SIX_TO_FOUR = subnet('2002::/16');
const GLOBAL_UNICAST = subnet('2000::/3');

const ALLOWED: AddressVerdict = { allowed: true };

/** Undefined when the address belongs to the public internet. Fails closed: what no registry entry makes public is not. */
export function notPublic(address: string): NotPublic | undefined {
  const octets = parseIp(address);
  if (octets === undefined) return 'not-an-address';
  return octets.length === 4 ? notPublicIpv4(octets) : notPublicIpv6(octets);
}

function notPublicIpv4(octets: IpOctets): NotPublic | undefined {
  return IPV4_BLOCKS.find((block) => subnetHolds(block.subnet, octets))?.why;
}

function notPublicIpv6(octets: IpOctets): NotPublic | undefined {
  const block = IPV6_BLOCKS.find((one) => subnetHolds(one.subnet, octets));
  if (block !== undefined) return block.why;
  // Tunnels and translators carry an IPv4 address: the packet ends there, so that is what counts.
  if (subnetHolds(NAT64, octets)) return notPublicIpv4(octets.subarray(12));
  if (subnetHolds(SIX_TO_FOUR, octets)) return notPublicIpv4(octets.subarray(2, 6));
  if (subnetHolds(TEREDO, octets)) {
    const client = octets.subarray(12).map((octet) => octet ^ 0xff);
    return notPublicIpv4(octets.subarray(4, 8)) ?? notPublicIpv4(client);
  }
  if (subnetHolds(IETF_ASSIGNMENTS, octets)) return 'reserved';
  return subnetHolds(GLOBAL_UNICAST, octets) ? undefined : 'reserved';
}

export function createAddressGuard(options: AddressGuardOptions = {}): AddressGuard {
  const allowances = (options.allowList ?? []).map(parseAllowance);
  const allowPrivate = options.allowPrivate === true;
  return {
    check(address, hostname, port) {
      const why = notPublic(address);
      if (why === undefined) return ALLOWED;
      if (why === 'not-an-address') return { allowed: false, why };
      if (allowPrivate) return ALLOWED;
      const octets = parseIp(address) as IpOctets;
      const allowed = allowances.some((allowance) => allowance(octets, hostname, port));
      return allowed ? ALLOWED : { allowed: false, why };
    },
  };
}

type Allowance = (octets: IpOctets, hostname: string, port: number) => boolean;

function parseAllowance(entry: string): Allowance {
  const text = entry.trim().toLowerCase();
  const block = parseSubnet(text);
  if (block !== undefined) return (octets) => subnetHolds(block, octets);
  const parts = /^(?:\[([^\]]+)\]|([^:/\s[\]]+))(?::(\d{1,5}))?$/.exec(text);
  if (parts === null) {
    throw new OrbweaverError('SETTING_INVALID', `"${entry}" in the allow list is no address, block, host or host:port`);
  }
  const host = parts[1] ?? parts[2];
  const onPort = parts[3] === undefined ? undefined : Number(parts[3]);
  const address = parseSubnet(host);
  if (address !== undefined) return (octets, _, port) => subnetHolds(address, octets) && (onPort ?? port) === port;
  if (host.startsWith('*.')) {
    const suffix = host.slice(1);
    return (_, hostname, port) => hostname.endsWith(suffix) && (onPort ?? port) === port;
  }
  return (_, hostname, port) => hostname === host && (onPort ?? port) === port;
}

function subnet(text: string): Subnet {
  return parseSubnet(text) as Subnet;
}

function blocks(table: readonly (readonly [string, NotPublic])[]): readonly { subnet: Subnet; why: NotPublic }[] {
  return table.map(([text, why]) => ({ subnet: subnet(text), why }));
}
