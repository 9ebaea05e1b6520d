import { connect, createServer, type Server, type Socket } from 'node:net';

/** An address before the server that can be taken off the net: while it is closed, connections to it are refused. */
export class AddressGate {
  readonly #address: string;
  readonly #port: number;
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;

  constructor(address: string, port: number) {
    this.#address = address;
    this.#port = port;
  }

  async open(): Promise<void> {
    if (this.#server !== undefined) return;
    const server = createServer((socket) => this.#join(socket));
    this.#server = server;
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(this.#port, this.#address, resolve);
    });
  }

  async close(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    this.#server = undefined;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    for (const socket of this.#sockets) socket.destroy();
    await closed;
  }

  #join(outside: Socket): void {
    const inside = connect(this.#port, '127.0.0.1');
    this.#sockets.add(outside);
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ]) {
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => other.destroy());
    }
    outside.on('close', () => this.#sockets.delete(outside));
  }
}
