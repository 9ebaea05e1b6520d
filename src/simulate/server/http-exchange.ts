import type { Conditions } from '../model/validators.ts';
import type { Reply } from '../model/web-model.ts';

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

/**
 * Told whether all of an answer was handed to the system, and when its last piece was written, or when the client left
 * before any. The moment before the write, not the one at which the system confirms it: a client can have read the
 * answer and begun its delay by then, and an audit must not blame it for that.
 */
export type HttpDone = (complete: boolean, at: number) => void;

/** Answers a request by calling `send` once, now or later. */
export type HttpHandler = (request: HttpRequest, send: (answer: HttpAnswer, done: HttpDone) => void) => void;
