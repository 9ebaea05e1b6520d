import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable, Writable } from 'node:stream';
import { runProgram } from '../src/cli/program.ts';

export interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** What a command sees of its process, besides the exit code. */
interface CalledProcess {
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly env: NodeJS.ProcessEnv;
}

const called = new AsyncLocalStorage<CalledProcess>();
/** A process has one exit code: its commands run one after another. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command line within this process, which saves what starting one costs: a third of a second and more. The command has streams
 * and environment of its own. What takes a process (signals, limits, closed pipes, terminals) is tried with `bin/orbweaver.cjs`.
 */
export function callProgram(
  args: readonly string[],
  options: { readonly env?: Readonly<Record<string, string>>; readonly input?: string | Readable } = {},
): Promise<Ended> {
  const ended = last.then(() => callAlone(args, options));
  last = ended.catch(() => {});
  return ended;
}

async function callAlone(
  args: readonly string[],
  { env, input }: { readonly env?: Readonly<Record<string, string>>; readonly input?: string | Readable },
): Promise<Ended> {
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const { exitCode } = process;
  process.exitCode = 0;
  try {
    const call = {
      stdin: typeof input === 'object' ? input : Readable.from(input === undefined ? [] : [Buffer.from(input)]),
      stdout: collecting(stdout),
      stderr: collecting(stderr),
      env: { ...process.env, ...env },
    };
    using _standIns = standIns(Object.keys(call) as (keyof CalledProcess)[]);
    await called.run(call, () => runProgram(['node', 'orbweaver', ...args]));
    const text = (pieces: readonly Buffer[]): string => Buffer.concat(pieces).toString();
    return { status: Number(process.exitCode), stdout: text(stdout), stderr: text(stderr) };
  } finally {
    process.exitCode = exitCode;
  }
}

/** A command sees its own, everybody else in this process what was there. */
function standIns(names: readonly (keyof CalledProcess)[]): Disposable {
  const own = names.map(
    (name) => [name, Object.getOwnPropertyDescriptor(process, name) as PropertyDescriptor] as const,
  );
  for (const [name, { get, value }] of own)
    Object.defineProperty(process, name, {
      configurable: true,
      enumerable: true,
      get: () => called.getStore()?.[name] ?? (get === undefined ? value : get.call(process)),
    });
  return {
    [Symbol.dispose]: () => {
      for (const [name, descriptor] of own) Object.defineProperty(process, name, descriptor);
    },
  };
}

function collecting(pieces: Buffer[]): Writable {
  return new Writable({
    write: (piece: Buffer, _encoding, done) => {
      pieces.push(piece);
      done();
    },
  });
}
