import { fork } from 'node:child_process';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import type { HostileRecord } from './hostile-server.ts';

export interface HostileProcessOptions {
  /** The folder that holds the public data sets. */
  readonly corpora?: string;
  /** Names of cases or groups; all where not given. */
  readonly only?: readonly string[];
  /** Names that are not hostile, with their addresses. */
  readonly honest: Readonly<Record<string, string>>;
}

export interface HostileStarted {
  readonly certificate: string;
  readonly nameServers: readonly string[];
  readonly seeds: readonly string[];
}

export interface ChildHostile extends HostileStarted, AsyncDisposable {
  /** What the server has seen so far, by case. */
  records(): Promise<Readonly<Record<string, HostileRecord>>>;
}

/** Serves the hostile cases from a process of its own: what they cost to send is not counted for the crawl. */
export async function startHostileProcess(options: HostileProcessOptions): Promise<ChildHostile> {
  const main = join(import.meta.dirname, `hostile-process${extname(import.meta.filename)}`);
  const { NODE_TEST_CONTEXT, ...env } = process.env;
  const child = fork(main, [JSON.stringify(options)], { execArgv: [], env });
  const exited = once(child, 'exit');
  const failed = exited.then(([code]) => {
    throw new Error(`the process of the hostile server ended by itself (exit code ${code})`);
  });
  failed.catch(() => {});
  const [started] = (await Promise.race([once(child, 'message'), failed])) as [HostileStarted];
  return {
    ...started,
    async records() {
      child.send('records');
      const [answer] = (await Promise.race([once(child, 'message'), failed])) as [
        { records: Record<string, HostileRecord> },
      ];
      return answer.records;
    },
    async [Symbol.asyncDispose]() {
      child.disconnect();
      await exited;
    },
  };
}
