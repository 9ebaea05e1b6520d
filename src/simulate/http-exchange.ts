import type { Conditions } from './validators.ts';
import type { Reply } from './web-model.ts';

/** A request as any version of HTTP brings it. */
export interface HttpRequest extends Conditions {
  readonly protocol: 'http/1.1' | 'h2';
  readonly method: string;
  /** Path and query as sent. */
  readonly target: string;
  readonly host: string;
  readonly agent: string;
  readonly acceptsGzip: boolean;
}

export interface HttpAnswer extends Reply {
  /** The Date header. */
  readonly date: string;
  /** How fast the body goes out; 0: as fast as it can. */
  readonly bytesPerSecond: number;
}

/** Told whether all of an answer was handed to the system, and when that was, or when the client left. */
export type HttpDone = (complete: boolean, at: number) => void;

/** Answers a request by calling `send` once, now or later. */
export type HttpHandler = (request: HttpRequest, send: (answer: HttpAnswer, done: HttpDone) => void) => void;
