import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';

const { FLAGS, environment } = createRequire(import.meta.url)('../../bin/engine-options.cjs') as {
  readonly FLAGS: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
};

/** Whatever takes longer hangs. */
const DEFAULT_LIMIT_SECONDS = 300;

export interface ChildReport<T> {
  readonly result: T;
  /** Of the child's whole life. */
  readonly cpuSeconds: number;
  readonly maxRssMb: number;
}

/** Heaps grow as they do in the command that is measured (bin/bounded-heaps.cjs). */
function commandOf(module: string): string {
  return module.includes('crawl') ? 'crawl' : 'serve';
}

/**
 * Calls `measure(options)` of a module in a process of its own, so that its memory and CPU are nobody else's.
 * `module` is a path beside this folder, such as 'frontier.ts'.
 */
export async function inChild<T>(
  module: string,
  options: unknown,
  nodeOptions: readonly string[] = [],
  limitSeconds = DEFAULT_LIMIT_SECONDS,
): Promise<ChildReport<T>> {
  const child = fork(new URL('./child.ts', import.meta.url), [commandOf(module), module], {
    execArgv: ['--expose-gc', ...FLAGS, ...nodeOptions],
    env: environment,
    serialization: 'advanced',
  });
  let report: ChildReport<T> | undefined;
  child.on('message', (message) => {
    report = message as ChildReport<T>;
  });
  child.send({ options });
  const limit = setTimeout(() => child.kill('SIGKILL'), limitSeconds * 1000);
  const [code, signal] = await once(child, 'exit');
  clearTimeout(limit);
  if (signal === 'SIGKILL') throw new Error(`measuring ${module} took more than ${limitSeconds} s and was ended`);
  if (code !== 0 || report === undefined) throw new Error(`measuring ${module} ended with ${signal ?? code}`);
  return report;
}
