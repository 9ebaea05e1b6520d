import { createServer, type Server, type Socket } from 'node:net';

/** How a line is cut: connections break and none is let in; or nothing comes through any more, and what was sent arrives when it is healed. */
export type Cut = 'broken' | 'silent';

/** The line of one node to the database: a TCP proxy. */
export class StoreLine implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #cut: Cut | undefined;

  private constructor(server: Server) {
    this.#server = server;
  }

  /** `connect` opens a connection to the database. */
  static async open(connect: () => Socket): Promise<StoreLine> {
    const server = createServer();
    const line = new StoreLine(server);
    server.on('connection', (near) => line.#join(near, connect()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return line;
  }

  /** The database, by this line. */
  get address(): string {
    const { port } = this.#server.address() as { port: number };
    return `postgres://orbweaver@127.0.0.1:${port}/postgres`;
  }

  /** With the tables of a crawl. */
  url(schema: string): string {
    return `${this.address}?schema=${schema}`;
  }

  cut(how: Cut): void {
    this.#cut = how;
    for (const socket of this.#sockets) {
      if (how === 'broken') socket.destroy();
      else socket.pause();
    }
  }

  heal(): void {
    this.#cut = undefined;
    for (const socket of this.#sockets) socket.resume();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(near: Socket, far: Socket): void {
    if (this.#cut === 'broken') {
      near.destroy();
      far.on('error', () => {});
      far.destroy();
      return;
    }
    for (const [from, to] of [
      [near, far],
      [far, near],
    ]) {
      this.#sockets.add(from);
      from.on('data', (chunk) => to.write(chunk));
      from.on('error', () => {});
      from.on('close', () => {
        this.#sockets.delete(from);
        to.destroy();
      });
      if (this.#cut === 'silent') from.pause();
    }
  }
}
