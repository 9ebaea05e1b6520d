import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { SyntheticWeb } from '../../src/simulate/synthetic-web.ts';
import { type WebSpecOverrides, webSpec } from '../../src/simulate/web-spec.ts';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));

export interface WebProcess extends AsyncDisposable {
  /** The same web again, for its addresses and its truth. */
  readonly web: SyntheticWeb;
  /** The home page of each host. */
  readonly origins: readonly string[];
  /** Ends the server; its log file is then complete. */
  stop(): Promise<{ readonly requests: number; readonly cpuSeconds: number }>;
}

/** Serves a synthetic web from a process of its own, so that its CPU is counted apart. All hosts are 127.0.0.1. */
export async function startWebProcess(spec: WebSpecOverrides, logFile: string): Promise<WebProcess> {
  const args = [LAUNCHER, 'simulate', 'serve', '--spec', JSON.stringify(spec), '--log', logFile];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const { port } = await nextJson<{ port: number }>(lines, child);
  const web = new SyntheticWeb(webSpec(spec), { mode: 'names', port, hostsPerAddress: 0 });
  let stopped: Promise<{ requests: number; cpuSeconds: number }> | undefined;
  const stop = async (): Promise<{ requests: number; cpuSeconds: number }> => {
    child.kill('SIGTERM');
    const told = await nextJson<{ requests: number; cpuSeconds: number }>(lines, child);
    await exited;
    return told;
  };
  return {
    web,
    origins: Array.from({ length: web.hosts.count }, (_, host) => `http://${web.hosts.authority(host)}/`),
    stop() {
      stopped ??= stop();
      return stopped;
    },
    async [Symbol.asyncDispose]() {
      await this.stop();
    },
  };
}

async function nextJson<T>(lines: AsyncIterator<string>, child: ChildProcess): Promise<T> {
  const { value, done } = await lines.next();
  if (done === true) throw new Error(`the synthetic web ended by itself (exit code ${child.exitCode})`);
  return JSON.parse(value);
}
