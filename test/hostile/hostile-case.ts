import type { Socket } from 'node:net';

/** A request that reached a hostile host. */
export interface HostileRequest {
  readonly target: string;
  /** 1 for the first request to this host, robots.txt excluded. */
  readonly nth: number;
  /** scheme://host:port of the case. */
  readonly origin: string;
}

/** What a name server says of the host's name; the address is the one on which the case is served. */
export type NameReply =
  | 'silence'
  | { readonly rcode: number }
  | { readonly addresses: readonly string[]; readonly ttl?: number }
  /** CNAME records, from the host's own name on, before the addresses. */
  | { readonly aliases: readonly string[]; readonly addresses: readonly string[] };

/**
 * One kind of abuse, served on a host of its own. A correct crawler files the host's URLs under one of the expected outcomes
 * and stays within the bounds.
 */
export interface HostileCase {
  /** Also the host name, below `.test`. */
  readonly name: string;
  readonly group: string;
  /** What stops it, for the report. */
  readonly bound: string;
  /** The last outcome of the host's URLs: 'stored', 'failed protocol' ... 'any' takes all but a fault of the crawler's own. */
  readonly expect: readonly string[];
  /** Of one connection, while it is busy. */
  readonly maxSeconds?: number;
  /** Sent by the server on all connections together. */
  readonly maxBytes?: number;
  readonly maxRequests?: number;
  readonly scheme?: 'http' | 'https';
  /** Paths to start from; '/' where not given. */
  readonly seeds?: readonly string[];
  /** The body that must be archived for a path of `seeds`; bodies are not compared where not given. */
  readonly archived?: (path: string) => string;
  /** Answers everything but robots.txt, which is missing. The connection stays open until it is ended here or there. */
  readonly answer?: (socket: Socket, request: HostileRequest) => void;
  /** Answers robots.txt. */
  readonly robots?: (socket: Socket, request: HostileRequest) => void;
  /** Makes what takes long to make, before the crawl begins: a server that is busy with it looks like a silent one. */
  readonly prepare?: () => void;
  /** Takes the bare connection; nothing else of the case is used then. */
  readonly connect?: (socket: Socket) => void;
  /** What the name server answers to the nth query; the address of the case where not given. */
  readonly resolve?: (nth: number, address: string, type: 'A' | 'AAAA') => NameReply;
}

/** Time limits that outlast the crawler's default timeouts by the time a busy machine may need. */
export const REQUEST_SECONDS = { connect: 20, headers: 90, body: 90, total: 330 } as const;
/** The default cap of a body, and what the two systems hold in their buffers. */
export const BODY_BYTES = 28 * 1024 * 1024;
