import pg from 'pg';
import type { Statement } from './statements.ts';

type BatchedValue = string | number | bigint | boolean | Uint8Array | null;
type BatchedStep = readonly [statement: Statement, ...values: readonly BatchedValue[]];
type BatchedRows = readonly Readonly<Record<string, unknown>>[];

/** What a query of `pg` has of its connection: messages of the protocol, and the statements that were prepared on it. */
interface WireConnection {
  readonly stream: { cork(): void; uncork(): void };
  readonly parsedStatements: Record<string, string>;
  readonly submittedNamedStatements: Record<string, string>;
  parse(message: { readonly name: string; readonly text: string }): void;
  bind(message: { readonly statement: string; readonly values: readonly (string | Uint8Array | null)[] }): void;
  describe(message: { readonly type: 'P'; readonly name: string }): void;
  execute(message: { readonly portal: string }): void;
  close(message: { readonly type: 'S'; readonly name: string }): void;
  sync(): void;
}

type Answered = (error: Error | null, results?: pg.QueryResult | readonly pg.QueryResult[]) => void;

/** The parts of a query of `pg` that are built upon: results and rows are put together there, for several statements as well. */
interface WireQuery {
  handleError(error: Error, connection: WireConnection): void;
  handleCommandComplete(message: unknown, connection: WireConnection): void;
  handleReadyForQuery(connection: WireConnection): void;
}

const Query = pg.Query as unknown as new (config: { readonly text: string; readonly callback: Answered }) => WireQuery;

/**
 * Statements that the server answers together. `pg` ends each of its queries with a Sync, and at each the server writes to the socket; these have one
 * for all of them. Where one fails the server passes over those after it.
 */
export class StatementBatch extends Query {
  readonly #steps: readonly BatchedStep[];
  /** Statements that are prepared with this batch, by their places in it. */
  readonly #fresh = new Map<number, string>();
  #completed = 0;

  constructor(steps: readonly BatchedStep[], answered: Answered) {
    super({ text: '', callback: answered });
    this.#steps = steps;
  }

  /** Called by the client when it is its turn. */
  submit(connection: WireConnection): null {
    connection.stream.cork();
    try {
      for (const [at, [{ name, text, isSilent }, ...values]] of this.#steps.entries()) {
        this.#prepare(connection, at, name, text);
        connection.bind({ statement: name, values: values.map(wireValue) });
        // By what it describes the rows are read.
        if (isSilent !== true) connection.describe({ type: 'P', name: '' });
        connection.execute({ portal: '' });
      }
      connection.sync();
    } finally {
      connection.stream.uncork();
    }
    return null;
  }

  override handleCommandComplete(message: unknown, connection: WireConnection): void {
    this.#completed++;
    super.handleCommandComplete(message, connection);
  }

  override handleReadyForQuery(connection: WireConnection): void {
    for (const [at, name] of this.#fresh) this.#prepared(connection, at, name);
    super.handleReadyForQuery(connection);
  }

  override handleError(error: Error, connection: WireConnection): void {
    for (const [at, name] of this.#fresh) {
      if (at < this.#completed) this.#prepared(connection, at, name);
      // It may have been prepared, or passed over.
      else forgetStatement(connection, name);
    }
    this.#fresh.clear();
    if (isUnprepared(error)) for (const [{ name }] of this.#steps) forgetStatement(connection, name);
    super.handleError(error, connection);
  }

  #prepare(connection: WireConnection, at: number, name: string, text: string): void {
    const { parsedStatements, submittedNamedStatements } = connection;
    if (name !== '' && (parsedStatements[name] ?? submittedNamedStatements[name]) !== undefined) return;
    connection.parse({ name, text });
    if (name === '') return;
    submittedNamedStatements[name] = text;
    this.#fresh.set(at, name);
  }

  #prepared({ parsedStatements, submittedNamedStatements }: WireConnection, at: number, name: string): void {
    parsedStatements[name] = this.#steps[at][0].text;
    delete submittedNamedStatements[name];
  }
}

/** Bytes are sent in the binary format, everything else as text. */
function wireValue(value: BatchedValue): string | Uint8Array | null {
  return value === null || value instanceof Uint8Array ? value : String(value);
}

/** The server has dropped a statement that was prepared: a pooler between may do so, and so does DEALLOCATE. */
export function isUnprepared(error: unknown): boolean {
  return (error as { code?: unknown } | null)?.code === '26000';
}

/** Whoever needs the statement next prepares it; the server does not mind where it has none of that name. */
function forgetStatement(connection: WireConnection, name: string): void {
  if (name === '') return;
  delete connection.parsedStatements[name];
  delete connection.submittedNamedStatements[name];
  connection.close({ type: 'S', name });
}

/** The same for a query of `pg`, which would go on to believe that it is prepared. */
export function forgetPrepared(client: pg.Client, name: string): void {
  forgetStatement((client as unknown as { readonly connection: WireConnection }).connection, name);
}

/** Holds back what the client writes until `uncork` is called. */
export function corkUntil(client: pg.Client, later: (uncork: () => void) => void): void {
  const { stream } = (client as unknown as { readonly connection: WireConnection }).connection;
  stream.cork();
  later(() => stream.uncork());
}

/** Sends them, and answers the rows of each. */
export function runBatch(client: pg.Client, steps: readonly BatchedStep[]): Promise<BatchedRows[]> {
  return new Promise((resolve, reject) => {
    const batch = new StatementBatch(steps, (error, results) => {
      if (error !== null) reject(error);
      else resolve([results ?? []].flat().map(({ rows }) => rows as BatchedRows));
    });
    client.query(batch as unknown as pg.Submittable);
  });
}
