import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

/** What to answer: addresses with a TTL, a response code, or nothing at all. */
export type DnsReply =
  | { readonly addresses: readonly string[]; readonly ttl?: number }
  | { readonly rcode: number }
  | 'silence';

export const NXDOMAIN: DnsReply = { rcode: 3 };
export const SERVFAIL: DnsReply = { rcode: 2 };
export const NO_DATA: DnsReply = { addresses: [] };

export interface DnsServer extends AsyncDisposable {
  /** `ip:port`, as resolvers take it. */
  readonly address: string;
  /** `A name` or `AAAA name`, in the order asked. */
  readonly queries: string[];
}

/** A real DNS server on loopback. */
export async function serveDns(reply: (name: string, type: 'A' | 'AAAA', nth: number) => DnsReply): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, from) => {
    const { name, end } = readName(query);
    const type = query.readUInt16BE(end) === 28 ? 'AAAA' : 'A';
    const question = `${type} ${name}`;
    queries.push(question);
    const answer = reply(name, type, queries.filter((one) => one === question).length);
    if (answer === 'silence') return;
    socket.send(encode(query, end + 4, type, answer), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${(socket.address() as AddressInfo).port}`,
    queries,
    async [Symbol.asyncDispose]() {
      socket.close();
    },
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += query[at] + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function encode(query: Buffer, questionEnd: number, type: 'A' | 'AAAA', reply: Exclude<DnsReply, 'silence'>): Buffer {
  const addresses = 'addresses' in reply ? reply.addresses : [];
  const head = Buffer.from(query.subarray(0, questionEnd));
  head.writeUInt16BE(0x8180 | ('rcode' in reply ? reply.rcode : 0), 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) => {
    const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6Octets(address);
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type === 'A' ? 1 : 28, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt32BE(('ttl' in reply ? reply.ttl : undefined) ?? 300, 6);
    record.writeUInt16BE(data.length, 10);
    return Buffer.concat([record, data]);
  });
  return Buffer.concat([head, ...records]);
}

function ipv6Octets(address: string): Buffer {
  const [left, right = ''] = address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((one) => Number.parseInt(one, 16));
  const all = new Array<number>(8).fill(0);
  groups(left).forEach((group, i) => {
    all[i] = group;
  });
  const tail = groups(right);
  tail.forEach((group, i) => {
    all[8 - tail.length + i] = group;
  });
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
