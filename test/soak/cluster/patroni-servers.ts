import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { StoreLine } from './store-line.ts';

/** The programs of a cluster of PostgreSQL servers that Patroni watches; all of the machine. */
export interface PatroniPrograms {
  readonly patroni: string;
  readonly etcd: string;
  /** Where pg_ctl, postgres and pg_basebackup lie. */
  readonly postgresFolder: string;
  /** PostgreSQL refuses to run as root. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

interface Member {
  readonly name: string;
  readonly port: number;
  readonly restPort: number;
  readonly config: string;
  process: ChildProcess | undefined;
}

/** A leader that was not heard of for so long is no leader any more. */
const LEADER_SECONDS = 5;
const STARTS_WITHIN_MS = 60_000;
const LOOK_MS = 100;
/** Ends the program when standard input does: also where the process that holds the other end was killed. */
const GUARD = '"$@" >>"$LOG" 2>&1 </dev/null & program=$!; cat >/dev/null; kill $program; wait $program';

/** What the machine has installed; a string says what is missing. */
export function findPatroni(): PatroniPrograms | string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const program = (name: string): string | undefined =>
    folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
  const [patroni, etcd] = [program('patroni'), program('etcd')];
  const server = program('pg_ctl') ?? globSync('/usr/lib/postgresql/*/bin/pg_ctl').sort().at(-1);
  if (patroni === undefined || etcd === undefined || server === undefined)
    return 'patroni, etcd and PostgreSQL have to be installed (apt install patroni python3-etcd etcd-server postgresql)';
  const found = { patroni, etcd, postgresFolder: dirname(server) };
  if (process.getuid?.() !== 0) return found;
  const idOf = (flag: string): number => Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }));
  return { ...found, user: { uid: idOf('-u'), gid: idOf('-g') } };
}

/**
 * Two PostgreSQL servers, of which Patroni makes one the primary and the other its synchronous copy, and etcd, in which they
 * agree on that. Whoever connects reaches the primary of the moment.
 */
export class PatroniServers implements AsyncDisposable {
  readonly #programs: PatroniPrograms;
  readonly #folder: string;
  readonly #members: Member[] = [];
  #etcd: ChildProcess | undefined;
  #front: StoreLine | undefined;
  #primary: Member | undefined;
  #looking: NodeJS.Timeout | undefined;
  /** From the end of a primary to the first answer of the next, each. */
  readonly failoverMs: number[] = [];

  private constructor(programs: PatroniPrograms) {
    this.#programs = programs;
    this.#folder = mkdtempSync(join(tmpdir(), 'orbweaver-patroni-'));
    this.#own(this.#folder);
  }

  static async start(programs: PatroniPrograms, settings: Readonly<Record<string, string>>): Promise<PatroniServers> {
    const servers = new PatroniServers(programs);
    try {
      await servers.#start(settings);
      return servers;
    } catch (error) {
      await servers[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** By a line that follows the primary. */
  get url(): string {
    return `${this.#front?.address}?connect_timeout=120`;
  }

  readonly connect = (): Socket => createConnection({ host: '127.0.0.1', port: this.#primary?.port ?? CLOSED_PORT });

  /** kill -9 of the primary with all its processes, as if its machine were gone; a new one in its place copies the next primary after so long. */
  async crash(downMs = 0): Promise<void> {
    const dead = this.#primary;
    if (dead === undefined) throw new Error('There was never a primary.');
    const began = performance.now();
    this.#killAll(dead);
    await this.#until('another primary', () => this.#primary !== undefined && this.#primary !== dead);
    this.failoverMs.push(Math.round(performance.now() - began));
    await new Promise((resolve) => setTimeout(resolve, downMs));
    rmSync(join(this.#folder, dead.name, 'data'), { recursive: true, force: true });
    this.#run(dead);
    // With one server alone the next failover would have nowhere to go.
    await this.#untilReplicated();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#looking);
    await this.#front?.[Symbol.asyncDispose]();
    for (const member of this.#members) this.#killAll(member);
    if (this.#etcd?.pid !== undefined) send(-this.#etcd.pid, 'SIGKILL');
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #start(settings: Readonly<Record<string, string>>): Promise<void> {
    const [client, peer, ...ports] = await freePorts(6);
    const [clientUrl, peerUrl] = [client, peer].map((port) => `http://127.0.0.1:${port}`);
    this.#etcd = this.#spawn(this.#programs.etcd, [
      ...['--data-dir', join(this.#folder, 'etcd'), '--name', 'one', '--initial-cluster', `one=${peerUrl}`],
      ...['--listen-client-urls', clientUrl, '--advertise-client-urls', clientUrl],
      ...['--listen-peer-urls', peerUrl, '--initial-advertise-peer-urls', peerUrl, '--unsafe-no-fsync'],
    ]);
    await this.#until('etcd', () => answers(`${clientUrl}/health`));
    for (const [at, name] of ['a', 'b'].entries()) {
      const [port, restPort] = ports.slice(2 * at, 2 * at + 2);
      const config = join(this.#folder, `${name}.json`);
      writeFileSync(config, JSON.stringify(this.#configOf({ name, port, restPort, etcd: client, settings }), null, 1));
      this.#own(config);
      this.#members.push({ name, port, restPort, config, process: undefined });
    }
    this.#looking = setInterval(() => void this.#look(), LOOK_MS);
    for (const member of this.#members) this.#run(member);
    await this.#untilReplicated();
    this.#front = await StoreLine.open(this.connect);
  }

  #configOf(of: {
    readonly name: string;
    readonly port: number;
    readonly restPort: number;
    readonly etcd: number;
    readonly settings: Readonly<Record<string, string>>;
  }): object {
    const { name, port, restPort, etcd, settings } = of;
    const data = join(this.#folder, name);
    mkdirSync(data, { mode: 0o700 });
    this.#own(data);
    return {
      ...{ scope: 'orbweaver', name, etcd3: { host: `127.0.0.1:${etcd}` } },
      restapi: { listen: `127.0.0.1:${restPort}`, connect_address: `127.0.0.1:${restPort}` },
      bootstrap: {
        dcs: {
          ...{ ttl: LEADER_SECONDS, loop_wait: 1, retry_timeout: 2, maximum_lag_on_failover: 1 << 20 },
          // What is committed is on both: nothing is lost with either.
          synchronous_mode: true,
          postgresql: {
            parameters: { max_connections: '60', wal_keep_size: '256MB', ...settings },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      },
      postgresql: {
        ...{ listen: `127.0.0.1:${port}`, connect_address: `127.0.0.1:${port}`, data_dir: join(data, 'data') },
        ...{ bin_dir: this.#programs.postgresFolder, pgpass: join(data, 'pgpass') },
        authentication: {
          superuser: { username: 'orbweaver', password: 'soak' },
          replication: { username: 'copies', password: 'soak' },
        },
        pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
        // Tests end servers, not machines: nothing has to be flushed to the device.
        parameters: {
          unix_socket_directories: data,
          shared_buffers: '32MB',
          fsync: 'off',
          full_page_writes: 'off',
          jit: 'off',
        },
      },
    };
  }

  #run(member: Member): void {
    member.process = this.#spawn(this.#programs.patroni, [member.config], join(this.#folder, `${member.name}.log`));
  }

  #spawn(program: string, args: readonly string[], log = join(this.#folder, 'etcd.log')): ChildProcess {
    const { user } = this.#programs;
    const command = ['-c', GUARD, 'sh', program, ...args];
    const env = { PATH: process.env.PATH, LC_ALL: 'C.UTF-8', HOME: this.#folder, LOG: log };
    // A group of its own: all its processes can be killed at once.
    return spawn('sh', command, {
      ...user,
      env,
      cwd: this.#folder,
      stdio: ['pipe', 'ignore', 'ignore'],
      detached: true,
    });
  }

  /** Patroni, and the server that it has started with its processes, which form a session of their own. */
  #killAll({ name, process: patroni }: Member): void {
    const pidFile = join(this.#folder, name, 'data', 'postmaster.pid');
    const server = existsSync(pidFile) ? Number(readFileSync(pidFile, 'utf8').split('\n')[0]) : undefined;
    const children = server === undefined ? [] : childrenOf(server);
    const all = [...(patroni?.pid === undefined ? [] : [-patroni.pid]), ...(server ? [server] : []), ...children];
    // Stopped first: none of them sees the others go.
    for (const signal of ['SIGSTOP', 'SIGKILL'] as const) for (const pid of all) send(pid, signal);
  }

  async #look(): Promise<void> {
    const found = await Promise.all(
      this.#members.map(({ restPort }) => answers(`http://127.0.0.1:${restPort}/primary`)),
    );
    // One that says nothing for a moment may be slow: it stays the one to ask until there is another.
    this.#primary = this.#members.find((_, at) => found[at]) ?? this.#primary;
  }

  async #untilReplicated(): Promise<void> {
    await this.#until('a synchronous copy', async () => {
      const found = await Promise.all(
        this.#members.map(({ restPort }) => answers(`http://127.0.0.1:${restPort}/synchronous`)),
      );
      return this.#primary !== undefined && found.includes(true);
    });
  }

  async #until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
    for (const until = performance.now() + STARTS_WITHIN_MS; performance.now() < until; ) {
      if (await isSo()) return;
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
    const logs = globSync(join(this.#folder, '*.log')).map((log) => readFileSync(log, 'utf8').slice(-6000));
    throw new Error(`never came: ${what}\n${logs.join('\n')}`);
  }

  #own(path: string): void {
    const { user } = this.#programs;
    if (user !== undefined) chownSync(path, user.uid, user.gid);
  }
}

const CLOSED_PORT = 1;

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1000) });
    await response.body?.cancel();
    return response.status === 200;
  } catch {
    return false;
  }
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as { port: number }).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(/\s+/)
      .map(Number);
  } catch {
    return [];
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended.
  }
}
