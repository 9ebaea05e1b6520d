/**
 * What a shard process sends: an event of Node's test runner, which comes somewhat late; that a test begins, which is sent before the
 * test can block or end the process; or that it has nothing to do, with the processor time that it and its children have taken so far.
 */
export type ShardMessage =
  | { readonly kind: 'event'; readonly event: ShardEvent }
  | { readonly kind: 'begins'; readonly test: string }
  | { readonly kind: 'idle'; readonly cpuMs: number };

/** What it is sent: the next file, or nothing more. */
export interface ShardOrder {
  readonly file?: string;
}

/** An event of node:test whose error is text: errors lose their properties on the way to another process. */
export interface ShardEvent {
  readonly type: string;
  readonly data: ShardEventData;
}

export interface ShardEventData {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly message?: string;
  readonly level?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details?: {
    readonly duration_ms: number;
    readonly type?: string;
    readonly error?: { readonly failureType: string; readonly text: string };
  };
}
