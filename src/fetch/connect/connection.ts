import type { Socket } from 'node:net';
import type { FailureCode } from '../../contracts/fetcher.ts';
import type { ResponseTap } from '../response-tap.ts';

/** An open connection. `address` is the one it really leads to; with a proxy, the proxy's. */
export interface Connection {
  readonly origin: string;
  readonly address: string;
  readonly socket: Socket;
  /** Absent with HTTP/2. */
  readonly tap: ResponseTap | undefined;
  /** Requests begun on it. */
  requests: number;
  /** Requests under way on it. */
  busy: number;
}

/** No connection came about. Travels through the HTTP client as an error; never leaves the fetcher as one. */
export class ConnectFailure extends Error {
  readonly code = 'ORB_CONNECT';
  readonly failure: FailureCode;

  constructor(failure: FailureCode, detail: string) {
    super(detail);
    this.failure = failure;
  }
}

/** The proxy did not do its part: nothing was sent to the target. */
export class ProxyFailure extends ConnectFailure {
  constructor(proxy: string, detail: string) {
    super('proxy-failed', `${proxy}: ${detail}`);
  }
}

/** The address may not be connected to. */
export class AddressRefused extends Error {
  readonly code = 'ORB_ADDRESS';
  readonly rule: string;

  constructor(rule: string) {
    super(rule);
    this.rule = rule;
  }
}
