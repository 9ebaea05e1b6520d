import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../bin/orbweaver.cjs', import.meta.url));

export interface SignalledEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface SignalledProgram {
  /** Free for files of the run. */
  readonly folder: string;
  readonly signal: 'SIGINT' | 'SIGTERM';
  /** What it says when it listens. */
  readonly announces: RegExp;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command line that gets a signal in the very instant in which it says where it listens: no reader could be faster. */
export async function signalWhenAnnounced(
  args: readonly string[],
  { folder, signal, announces, env = {} }: SignalledProgram,
): Promise<SignalledEnd> {
  const preload = join(folder, `when-announced-${signal}.cjs`);
  writeFileSync(
    preload,
    `let isSignalled = false;
    for (const stream of [process.stdout, process.stderr]) {
      const write = stream.write;
      stream.write = (text, ...rest) => {
        const taken = write.call(stream, text, ...rest);
        // Once: a second signal would end it at once.
        if (isSignalled || !${announces}.test(text)) return taken;
        isSignalled = true;
        process.kill(process.pid, '${signal}');
        return taken;
      };
    }`,
  );
  const child = spawn(process.execPath, ['--require', preload, LAUNCHER, ...args], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<Pick<SignalledEnd, 'code' | 'signal'>>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, endedBy) => resolve({ code, signal: endedBy }));
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { ...(await ended), stdout, stderr };
}
