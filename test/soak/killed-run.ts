import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const LAUNCHER = fileURLToPath(new URL('../../bin/orbweaver.cjs', import.meta.url));
const FIRST_SIGN_MS = 10;

/** Runs the program until it ends, or kills it so long after its first request; `asked` counts requests. */
export async function killedRun(
  args: readonly string[],
  killAfterMs: number | undefined,
  asked: () => number,
): Promise<number | null> {
  const before = asked();
  const child = spawn(process.execPath, [LAUNCHER, ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
  if (killAfterMs !== undefined) {
    const begun = setInterval(() => {
      if (asked() === before) return;
      clearInterval(begun);
      setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    }, FIRST_SIGN_MS);
    child.on('close', () => clearInterval(begun));
  }
  return ended;
}
