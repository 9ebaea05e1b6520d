import { accessSync, constants, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import { startDemoWeb } from '../demo/demo-web.ts';
import type { WebSpecOverrides } from '../model/web-spec.ts';
import { type SitesSpec, sitesSpec } from '../sites/sites-spec.ts';
import { SitesWeb } from '../sites/sites-web.ts';
import { NameServer } from './name-server.ts';
import { startSyntheticWeb, WebServer } from './web-server.ts';

/** What the command line can say; every part may be left out. */
export interface ServeOptions {
  /** 'synthetic' by default. */
  readonly web?: 'synthetic' | 'sites' | 'demo';
  /** Parameters of the synthetic web, or of the web of sites. */
  readonly spec?: WebSpecOverrides | Partial<SitesSpec>;
  readonly port?: number;
  readonly mode?: 'names' | 'addresses';
  readonly logFile?: string;
  /** Write the names and addresses here, one "address name" per line, as in a hosts file. */
  readonly hostsFile?: string;
  /** https with HTTP/2, with a certificate made for the purpose; of the synthetic web only. */
  readonly tls?: boolean;
  /** Write that certificate here, for clients to trust. */
  readonly certificateFile?: string;
  /** Answer DNS queries for the hosts, on a port that is told. */
  readonly nameServer?: boolean;
}

/** Told as one JSON line when the web answers, and as another when it has ended. */
export interface ServeOutput {
  print(line: string): void;
}

/** Serves a web until `signal` aborts: the body of `orbweaver simulate serve`. */
export async function serveSimulatedWeb(
  options: ServeOptions,
  output: ServeOutput,
  signal: AbortSignal,
): Promise<void> {
  for (const file of [options.logFile, options.hostsFile, options.certificateFile]) requireFolder(file);
  const server = await startWeb(options);
  const names = options.nameServer === true ? await NameServer.start(server.web.hosts) : undefined;
  if (options.hostsFile !== undefined) {
    const lines = Object.entries(server.hostsMap()).map(([name, address]) => `${address} ${name}\n`);
    writeFileSync(options.hostsFile, lines.join(''));
  }
  if (options.certificateFile !== undefined && server.certificate !== undefined) {
    writeFileSync(options.certificateFile, server.certificate);
  }
  const cpuBefore = process.cpuUsage();
  const { hosts, pageCount, seeds } = server.web;
  output.print(
    JSON.stringify({
      serving: server.web.url(0),
      port: server.port,
      hosts: hosts.count,
      pages: pageCount,
      ...(seeds === undefined ? {} : { seeds }),
      ...(names === undefined ? {} : { nameServer: names.address }),
    }),
  );
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  await names?.[Symbol.asyncDispose]();
  await server.close();
  const cpu = process.cpuUsage(cpuBefore);
  output.print(JSON.stringify({ requests: server.log.length, cpuSeconds: (cpu.user + cpu.system) / 1e6 }));
}

/** Before anything listens: a server whose files cannot be written would answer, and leave no log. */
function requireFolder(file: string | undefined): void {
  if (file === undefined) return;
  try {
    accessSync(dirname(resolve(file)), constants.W_OK);
  } catch (cause) {
    throw new OrbweaverError('USAGE', `${file} cannot be written: its folder is missing, or closed to you.`, {
      cause,
      remedy: 'Make the folder, or name another file.',
    });
  }
}

function startWeb({ web, spec, port, mode, logFile, tls = false }: ServeOptions): Promise<WebServer> {
  const common = { ...(port === undefined ? {} : { port }), ...(logFile === undefined ? {} : { logFile }) };
  switch (web) {
    case 'demo':
      return startDemoWeb(common);
    case 'sites': {
      const sites = sitesSpec((spec ?? {}) as Partial<SitesSpec>);
      return WebServer.start((at) => new SitesWeb(sites, at), { ...common, loopbackRange: sites.extraAddresses > 0 });
    }
    default:
      return startSyntheticWeb(spec as WebSpecOverrides, { ...common, tls, ...(mode === undefined ? {} : { mode }) });
  }
}
