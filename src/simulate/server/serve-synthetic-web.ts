import { writeFileSync } from 'node:fs';
import { startDemoWeb } from '../demo/demo-web.ts';
import type { WebSpecOverrides } from '../model/web-spec.ts';
import { startSyntheticWeb, type WebServer } from './web-server.ts';

/** What the command line can say; every part may be left out. */
export interface ServeOptions {
  /** The demo web instead of a synthetic one; the parameters of the synthetic web are then not used. */
  readonly demo?: boolean;
  readonly spec?: WebSpecOverrides;
  readonly port?: number;
  readonly mode?: 'names' | 'addresses';
  readonly hostsPerAddress?: number;
  readonly logFile?: string;
  /** Write the names and addresses here, one "address name" per line, as in a hosts file. */
  readonly hostsFile?: string;
  /** https with HTTP/2, with a certificate made for the purpose; not for the demo web. */
  readonly tls?: boolean;
  /** Write that certificate here, for clients to trust. */
  readonly certificateFile?: string;
}

/** Told as one JSON line when the web answers, and as another when it has ended. */
export interface ServeOutput {
  print(line: string): void;
}

/** Serves a web until `signal` aborts: the body of `orbweaver simulate serve`, and of a child process of a benchmark. */
export async function serveSyntheticWeb(
  options: ServeOptions,
  output: ServeOutput,
  signal: AbortSignal,
): Promise<void> {
  const { spec, port, mode, hostsPerAddress, logFile, tls = false } = options;
  const common = { ...(port === undefined ? {} : { port }), ...(logFile === undefined ? {} : { logFile }) };
  const server: WebServer = options.demo
    ? await startDemoWeb(common)
    : await startSyntheticWeb(spec, {
        ...common,
        tls,
        ...(mode === undefined ? {} : { mode }),
        ...(hostsPerAddress === undefined ? {} : { hostsPerAddress }),
      });
  if (options.hostsFile !== undefined) {
    const lines = Object.entries(server.hostsMap()).map(([name, address]) => `${address} ${name}\n`);
    writeFileSync(options.hostsFile, lines.join(''));
  }
  if (options.certificateFile !== undefined && server.certificate !== undefined) {
    writeFileSync(options.certificateFile, server.certificate);
  }
  const cpuBefore = process.cpuUsage();
  const { hosts, pageCount } = server.web;
  output.print(JSON.stringify({ serving: server.web.url(0), port: server.port, hosts: hosts.count, pages: pageCount }));
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await server.close();
  const cpu = process.cpuUsage(cpuBefore);
  output.print(JSON.stringify({ requests: server.log.length, cpuSeconds: (cpu.user + cpu.system) / 1e6 }));
}
