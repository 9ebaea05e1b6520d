import type { HostKey } from './url.ts';

/** What may be asked of a crawl while it runs; also of one that does not, for its next run. */
export type CrawlOperation =
  /** No request is begun until `resume`, by this run and by later ones. */
  | { readonly kind: 'pause' }
  | { readonly kind: 'resume' }
  /** Ends the run that is under way, as Ctrl-C does. Without one it does nothing. */
  | { readonly kind: 'stop' }
  /** A setting by its name, such as max-pages. null: what the run was started with counts again. */
  | { readonly kind: 'set'; readonly name: string; readonly value: string | null }
  /** No request to a host until it is opened; what waits for it is kept. */
  | { readonly kind: 'host'; readonly host: HostKey; readonly state: 'hold' | 'open' }
  /** A group of URLs, as `orbweaver traps` names it. 'learn': the crawl decides again. */
  | { readonly kind: 'pattern'; readonly pattern: string; readonly state: 'open' | 'hold' | 'learn' }
  /** URLs that come in as seeds do, as far as the scope admits them. */
  | { readonly kind: 'submit'; readonly urls: readonly string[] }
  /** Known URLs that are asked for once more. */
  | { readonly kind: 'requeue'; readonly urls: readonly string[] };

export type OperationSource = 'command' | 'page' | 'api';

export interface RecordedOperation {
  readonly id: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly by: OperationSource;
  readonly operation: CrawlOperation;
  /** When a crawl took it up; absent while it waits for one. */
  readonly takenAt?: number;
  /** What came of it, one line for people. */
  readonly outcome?: string;
}

/** What holds for a crawl by operations up to now. */
export interface ControlState {
  /** Since when it is paused, ms; absent where it is not. */
  readonly pausedAt?: number;
  /** Settings that were changed, by name, as text. They beat flags, environment and file. */
  readonly settings: Readonly<Record<string, string>>;
  /** Sorted. */
  readonly heldHosts: readonly HostKey[];
}

/**
 * The operations of a crawl, kept beside its state. Whoever asks and the crawl that obeys are processes of their own, and each may be
 * killed at any time:
 *  - what `record` answered is durable, with all that follows from it in `state`;
 *  - an operation is offered by `untaken` until `taken` was called for it, so that it may come twice to a crawl that was killed in
 *    between. Callers apply operations so that the second time changes nothing more;
 *  - operations come in the order of their ids.
 */
export interface ControlStore extends Disposable {
  record(operation: CrawlOperation, by: OperationSource, at: number): RecordedOperation;
  state(): ControlState;
  operation(id: number): RecordedOperation | undefined;
  /** The newest first. */
  operations(max: number): readonly RecordedOperation[];
  /** True where something may have changed since the last call, at first always. Cheap: meant to be asked many times a second. */
  hasChanged(): boolean;
  untaken(): readonly RecordedOperation[];
  taken(id: number, at: number, outcome: string): void;
}
