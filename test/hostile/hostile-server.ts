import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { HostileCase } from './hostile-case.ts';
import { message } from './hostile-message.ts';
import { deafNameServer, LyingNameServer } from './lying-name-server.ts';

/** What the server saw of a case. */
export interface HostileRecord {
  connections: number;
  requests: number;
  /** Handed to the system on all its connections; some of it may never have been read. */
  bytes: number;
}

export interface HostileServerOptions {
  /** Names that are not hostile, with their addresses: the crawl asks one name server for all. */
  readonly honest?: Readonly<Record<string, string>>;
}

interface Served {
  readonly hostile: HostileCase;
  readonly record: HostileRecord;
  readonly origin: string;
}

const ROBOTS_TARGET = '/robots.txt';

/**
 * Serves every case on a host and a loopback address of its own, so that a case is known before the first byte of a
 * request has come. Needs a system that answers on all of 127.0.0.0/8, such as Linux.
 */
export class HostileServer implements AsyncDisposable {
  readonly cases: readonly HostileCase[];
  readonly records = new Map<string, HostileRecord>();
  readonly #names: LyingNameServer;
  readonly #deaf: Awaited<ReturnType<typeof deafNameServer>>;
  readonly #servers: readonly Server[];
  readonly #sockets = new Set<Socket>();
  readonly #byAddress = new Map<string, Served>();
  readonly #ports: { readonly http: number; readonly https: number };

  private constructor(
    cases: readonly HostileCase[],
    servers: readonly [plain: Server, secure: Server],
    names: LyingNameServer,
    deaf: Awaited<ReturnType<typeof deafNameServer>>,
  ) {
    this.cases = cases;
    this.#servers = servers;
    this.#names = names;
    this.#deaf = deaf;
    const [http, https] = servers.map((server) => (server.address() as AddressInfo).port);
    this.#ports = { http, https };
    for (const [i, hostile] of cases.entries()) {
      const record = { connections: 0, requests: 0, bytes: 0 };
      this.records.set(hostile.name, record);
      this.#byAddress.set(addressOf(i), { hostile, record, origin: this.originOf(hostile) });
    }
    for (const server of servers) server.on('connection', (socket: Socket) => this.#connect(socket));
  }

  static async start(
    cases: readonly HostileCase[],
    { honest = {} }: HostileServerOptions = {},
  ): Promise<HostileServer> {
    // A range can be listened to only by listening everywhere; strangers are turned away in #connect.
    const servers = [createServer({ noDelay: true }), createServer({ noDelay: true })] as const;
    for (const server of servers) {
      server.listen(0, '0.0.0.0');
      await once(server, 'listening');
    }
    const byName = new Map(cases.map((hostile, i) => [`${hostile.name}.test`, { hostile, address: addressOf(i) }]));
    const names = await LyingNameServer.start((name, type, nth) => {
      const known = byName.get(name);
      if (known?.hostile.resolve !== undefined) return known.hostile.resolve(nth, known.address, type);
      const address = known?.address ?? honest[name];
      if (address === undefined) return { rcode: 3 };
      return { addresses: type === 'A' ? [address] : [] };
    });
    return new HostileServer(cases, servers, names, await deafNameServer());
  }

  /** For the setting `dns-servers`: the first one is down. */
  get nameServers(): readonly string[] {
    return [this.#deaf.address, this.#names.address];
  }

  originOf({ name, scheme = 'http' }: HostileCase): string {
    return `${scheme}://${name}.test:${this.#ports[scheme]}`;
  }

  /** Host name -> address, for clients that ask no name server. */
  hostsMap(): Record<string, string> {
    return Object.fromEntries(this.cases.map(({ name }, i) => [`${name}.test`, addressOf(i)]));
  }

  get seeds(): string[] {
    return this.cases.flatMap((hostile) => (hostile.seeds ?? ['/']).map((path) => `${this.originOf(hostile)}${path}`));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    for (const server of this.#servers) {
      server.close();
      await once(server, 'close');
    }
    await this.#names[Symbol.asyncDispose]();
    await this.#deaf[Symbol.asyncDispose]();
  }

  #connect(socket: Socket): void {
    const served = this.#byAddress.get(socket.localAddress?.replace('::ffff:', '') ?? '');
    if (served === undefined) {
      socket.destroy();
      return;
    }
    const { hostile, record } = served;
    record.connections++;
    this.#sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => {
      this.#sockets.delete(socket);
      record.bytes += socket.bytesWritten;
    });
    if (hostile.connect !== undefined) {
      record.requests++;
      hostile.connect(socket);
    } else serveRequests(socket, served);
  }
}

function serveRequests(socket: Socket, { hostile, record, origin }: Served): void {
  let received = '';
  socket.on('data', (bytes: Buffer) => {
    received += bytes.toString('latin1');
    for (let end = received.indexOf('\r\n\r\n'); end >= 0; end = received.indexOf('\r\n\r\n')) {
      const target = received.slice(0, end).split(' ', 2)[1] ?? '/';
      received = received.slice(end + 4);
      if (target !== ROBOTS_TARGET) record.requests++;
      const request = { target, nth: record.requests, origin };
      if (target !== ROBOTS_TARGET) hostile.answer?.(socket, request);
      else if (hostile.robots === undefined) socket.write(message('', [], '404 Not Found'));
      else hostile.robots(socket, request);
    }
  });
}

/** 250 addresses to the last octet: 127.7.0.1, 127.7.0.2 ... */
function addressOf(index: number): string {
  return `127.7.${Math.floor(index / 250)}.${(index % 250) + 1}`;
}
