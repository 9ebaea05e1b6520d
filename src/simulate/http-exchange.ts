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

/** Answers a request by calling `send` once, now or later; `done` tells whether all of it was sent. */
export type HttpHandler = (
  request: HttpRequest,
  send: (answer: HttpAnswer, done: (complete: boolean) => void) => void,
) => void;
