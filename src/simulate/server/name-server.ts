import { createSocket, type Socket } from 'node:dgram';
import type { HostTable } from '../model/addressing.ts';

const TYPE_A = 1;
const TTL_SECONDS = 300;
const NO_ERROR = 0;
const NO_SUCH_NAME = 3;
const NOT_IMPLEMENTED = 4;

/** A name server for a simulated web, on 127.0.0.1 over UDP: unlike a hosts table it knows endless subdomains. No IPv6. */
export class NameServer implements AsyncDisposable {
  readonly port: number;
  readonly #socket: Socket;
  #queries = 0;

  private constructor(socket: Socket, hosts: Pick<HostTable, 'resolve'>) {
    this.#socket = socket;
    this.port = socket.address().port;
    socket.on('message', (query, { port, address }) => {
      this.#queries++;
      const answer = answerQuery(query, (name) => hosts.resolve(name));
      if (answer !== undefined) socket.send(answer, port, address);
    });
  }

  static async start(hosts: Pick<HostTable, 'resolve'>, port = 0): Promise<NameServer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve, reject) => {
      socket.once('error', reject);
      socket.bind(port, '127.0.0.1', () => {
        socket.removeListener('error', reject);
        resolve();
      });
    });
    return new NameServer(socket, hosts);
  }

  /** For a setting such as `dns-servers`. */
  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  get queries(): number {
    return this.#queries;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#socket.close(() => resolve()));
  }
}

/** One question, one answer (RFC 1035); undefined where the packet is no query. */
export function answerQuery(query: Buffer, resolve: (name: string) => string | undefined): Buffer | undefined {
  const isQuery = query.length > 12 && (query[2] & 0x80) === 0 && query.readUInt16BE(4) === 1;
  if (!isQuery) return undefined;
  const labels: string[] = [];
  let at = 12;
  while (at < query.length && query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]));
    at += 1 + query[at];
  }
  const end = at + 5;
  if (end > query.length) return undefined;
  const opcode = (query[2] >> 3) & 15;
  const address = opcode === 0 ? resolve(labels.join('.').toLowerCase()) : undefined;
  const isAnswered = address !== undefined && query.readUInt16BE(at + 1) === TYPE_A;
  const code = opcode !== 0 ? NOT_IMPLEMENTED : address === undefined ? NO_SUCH_NAME : NO_ERROR;
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  // An answer, by the authority itself; recursion is available where it was desired.
  head[2] = 0x84 | (opcode << 3) | (query[2] & 1);
  head[3] = ((query[2] & 1) << 7) | code;
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(isAnswered ? 1 : 0, 6);
  const question = query.subarray(12, end);
  if (!isAnswered) return Buffer.concat([head, question]);
  const record = Buffer.alloc(16);
  // The name is the one at offset 12.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  for (const [i, part] of address.split('.').entries()) record[12 + i] = Number(part);
  return Buffer.concat([head, question, record]);
}
