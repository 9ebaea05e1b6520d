import { isIPv4, isIPv6 } from 'node:net';

/** The octets of an address in network order: 4 of IPv4, 16 of IPv6. */
export type IpOctets = Uint8Array;

/** Reads an address in its usual textual form; a zone (`fe80::1%eth0`) is dropped. Undefined when it is none. */
export function parseIp(text: string): IpOctets | undefined {
  const zone = text.indexOf('%');
  const bare = zone === -1 ? text : text.slice(0, zone);
  if (isIPv4(bare)) return Uint8Array.from(bare.split('.'), Number);
  if (isIPv6(bare)) return parseIpv6(bare);
  return undefined;
}

function parseIpv6(text: string): IpOctets {
  const octets = new Uint8Array(16);
  const gap = text.indexOf('::');
  const left = gap === -1 ? text : text.slice(0, gap);
  const right = gap === -1 ? '' : text.slice(gap + 2);
  octets.set(groupsToOctets(left), 0);
  const tail = groupsToOctets(right);
  octets.set(tail, 16 - tail.length);
  return octets;
}

function groupsToOctets(text: string): number[] {
  const octets: number[] = [];
  if (text === '') return octets;
  for (const group of text.split(':')) {
    if (group.includes('.')) octets.push(...group.split('.').map(Number));
    else {
      const value = Number.parseInt(group, 16);
      octets.push(value >> 8, value & 0xff);
    }
  }
  return octets;
}

/** A block of addresses: those whose first `bits` bits are those of `octets`. */
export interface Subnet {
  readonly octets: IpOctets;
  readonly bits: number;
}

/** Reads `10.0.0.0/8`, `fc00::/7`, or a single address. Undefined when it is neither. */
export function parseSubnet(text: string): Subnet | undefined {
  const slash = text.indexOf('/');
  const octets = parseIp(slash === -1 ? text : text.slice(0, slash));
  if (octets === undefined) return undefined;
  if (slash === -1) return { octets, bits: octets.length * 8 };
  const bits = /^\d{1,3}$/.test(text.slice(slash + 1)) ? Number(text.slice(slash + 1)) : -1;
  return bits >= 0 && bits <= octets.length * 8 ? { octets, bits } : undefined;
}

export function subnetHolds(subnet: Subnet, address: IpOctets): boolean {
  if (subnet.octets.length !== address.length) return false;
  const whole = subnet.bits >> 3;
  for (let i = 0; i < whole; i++) if (subnet.octets[i] !== address[i]) return false;
  const rest = subnet.bits & 7;
  return rest === 0 || (subnet.octets[whole] ^ address[whole]) >> (8 - rest) === 0;
}
