import { createSocket, type Socket as UdpSocket } from 'node:dgram';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { NameReply } from './hostile-case.ts';

const TYPES: Readonly<Record<number, 'A' | 'AAAA'>> = { 1: 'A', 28: 'AAAA' };
const CNAME = 5;
const TTL_SECONDS = 300;
/** More than this does not go into a datagram: the answer is cut, and asked for again over TCP. */
const DATAGRAM_BYTES = 1200;

export type NameAnswers = (name: string, type: 'A' | 'AAAA', nth: number) => NameReply;

/** A name server that says of each name what it is told to, over UDP and TCP on 127.0.0.1. */
export class LyingNameServer implements AsyncDisposable {
  readonly address: string;
  readonly #udp: UdpSocket;
  readonly #tcp: Server;
  readonly #connections = new Set<Socket>();
  readonly #asked = new Map<string, number>();
  readonly #answers: NameAnswers;

  private constructor(udp: UdpSocket, tcp: Server, answers: NameAnswers) {
    this.#udp = udp;
    this.#tcp = tcp;
    this.#answers = answers;
    this.address = `127.0.0.1:${udp.address().port}`;
    udp.on('message', (query, { port, address }) => {
      const answer = this.#answer(query, DATAGRAM_BYTES);
      if (answer !== undefined) udp.send(answer, port, address);
    });
    tcp.on('connection', (socket) => this.#serve(socket));
  }

  static async start(answers: NameAnswers): Promise<LyingNameServer> {
    const tcp = createServer();
    tcp.listen(0, '127.0.0.1');
    await once(tcp, 'listening');
    const udp = createSocket('udp4');
    udp.bind((tcp.address() as AddressInfo).port, '127.0.0.1');
    await once(udp, 'listening');
    return new LyingNameServer(udp, tcp, answers);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#connections) socket.destroy();
    this.#udp.close();
    this.#tcp.close();
    await once(this.#tcp, 'close');
  }

  /** Over TCP every message has its length before it. */
  #serve(socket: Socket): void {
    this.#connections.add(socket);
    socket.on('close', () => this.#connections.delete(socket));
    socket.on('error', () => socket.destroy());
    let received = Buffer.alloc(0);
    socket.on('data', (bytes: Buffer) => {
      received = Buffer.concat([received, bytes]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE(0)) {
        const query = received.subarray(2, 2 + received.readUInt16BE(0));
        received = received.subarray(2 + query.length);
        const answer = this.#answer(query, 65_535);
        if (answer === undefined) continue;
        const length = Buffer.alloc(2);
        length.writeUInt16BE(answer.length, 0);
        socket.write(Buffer.concat([length, answer]));
      }
    });
  }

  #answer(query: Buffer, room: number): Buffer | undefined {
    if (query.length <= 12) return undefined;
    const { name, end } = readName(query);
    const type = end + 4 <= query.length ? TYPES[query.readUInt16BE(end)] : undefined;
    if (type === undefined) return encode(query, end + 4, 'A', { rcode: 4 }, room);
    const question = `${type} ${name}`;
    const nth = (this.#asked.get(question) ?? 0) + 1;
    this.#asked.set(question, nth);
    const reply = this.#answers(name, type, nth);
    return reply === 'silence' ? undefined : encode(query, end + 4, type, reply, room);
  }
}

/** Takes datagrams and answers none: a name server that is down. */
export async function deafNameServer(): Promise<{ readonly address: string } & AsyncDisposable> {
  const udp = createSocket('udp4');
  udp.bind(0, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${udp.address().port}`,
    async [Symbol.asyncDispose]() {
      udp.close();
    },
  };
}

function readName(query: Buffer): { name: string; end: number } {
  const labels: string[] = [];
  let at = 12;
  while (at < query.length && query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += query[at] + 1;
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 };
}

function encode(
  query: Buffer,
  questionEnd: number,
  type: 'A' | 'AAAA',
  reply: Exclude<NameReply, 'silence'>,
  room: number,
): Buffer {
  const start = Buffer.from(query.subarray(0, questionEnd));
  const records: Buffer[] = [];
  // Each alias belongs to the one before it; the addresses to the last.
  let owner: Buffer = Buffer.from([0xc0, 0x0c]);
  for (const alias of 'aliases' in reply ? reply.aliases : []) {
    const target = nameBytes(alias);
    records.push(record(owner, CNAME, TTL_SECONDS, target));
    owner = target;
  }
  const ttl = 'addresses' in reply && 'ttl' in reply ? (reply.ttl ?? TTL_SECONDS) : TTL_SECONDS;
  for (const address of 'addresses' in reply ? reply.addresses : []) {
    const data = type === 'A' ? Buffer.from(address.split('.').map(Number)) : ipv6Octets(address);
    records.push(record(owner, type === 'A' ? 1 : 28, ttl, data));
  }
  const size = records.reduce((sum, one) => sum + one.length, start.length);
  const cut = size > room;
  start.writeUInt16BE(0x8180 | (cut ? 0x0200 : 0) | ('rcode' in reply ? reply.rcode : 0), 2);
  start.writeUInt16BE(1, 4);
  start.writeUInt16BE(cut ? 0 : records.length, 6);
  start.writeUInt32BE(0, 8);
  return cut ? start : Buffer.concat([start, ...records]);
}

function record(owner: Buffer, type: number, ttl: number, data: Buffer): Buffer {
  const fields = Buffer.alloc(10);
  fields.writeUInt16BE(type, 0);
  fields.writeUInt16BE(1, 2);
  fields.writeUInt32BE(ttl, 4);
  fields.writeUInt16BE(data.length, 8);
  return Buffer.concat([owner, fields, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function ipv6Octets(address: string): Buffer {
  const [left, right = ''] = address.split('::');
  const groups = (text: string): number[] =>
    text === '' ? [] : text.split(':').map((one) => Number.parseInt(one, 16));
  const [before, after] = [groups(left), groups(right)];
  const all = [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after];
  return Buffer.from(all.flatMap((group) => [group >> 8, group & 0xff]));
}
