import type { Command } from 'commander';
import { OrbweaverError } from '../../../base/errors.ts';
import { wholeNumber } from '../../arguments/whole-number.ts';

interface ServeFlags {
  readonly demo?: boolean;
  readonly sites?: boolean;
  readonly preset?: string;
  readonly port?: string;
  readonly spec?: string;
  readonly addresses?: boolean;
  readonly tls?: boolean;
  readonly certificate?: string;
  readonly nameServer?: boolean;
  readonly log?: string;
  readonly hostsFile?: string;
}

/** `orbweaver simulate serve`: a web with known truth, for any crawler to be tried on. */
export function addSimulateServe(simulate: Command): void {
  simulate
    .command('serve')
    .description('Serve a simulated web on loopback until Ctrl-C; "simulate audit" judges a crawl by its log.')
    .option('--demo', 'the demo web')
    .option('--sites', 'a web of honest sites: blogs, forums, catalogues, references')
    .option('--preset <name>', 'a synthetic web made for a purpose: modern, rich, traps, gauntlet, spam, mirrors')
    .option('--spec <json>', 'parameters as JSON, such as {"hosts": 50, "seed": 7}; see docs/synthetic-web.md')
    .option('--port <n>', 'port to listen on; any free one by default')
    .option('--addresses', 'a loopback address for each host instead of names')
    .option('--tls', 'https with HTTP/2, with a certificate made for the purpose')
    .option('--certificate <file>', 'write that certificate here, for the crawler to trust')
    .option('--name-server', 'answer DNS queries for its names, endless subdomains among them')
    .option('--log <file>', 'append every request to a file, as JSON lines')
    .option('--hosts-file <file>', 'write names and addresses here, as in a hosts file')
    .action(serve);
}

async function serve(flags: ServeFlags): Promise<void> {
  const { serveSimulatedWeb } = await import('../../../simulate/server/serve-simulated-web.ts');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.once('SIGTERM', () => stop.abort());
  const serving = serveSimulatedWeb(
    {
      web: webOf(flags),
      ...(await specOf(flags)),
      ...(flags.port === undefined ? {} : { port: wholeNumber('--port', flags.port, 0, 65_535) }),
      ...(flags.addresses ? { mode: 'addresses' } : {}),
      ...(flags.tls === true || flags.certificate !== undefined ? { tls: true } : {}),
      ...(flags.certificate === undefined ? {} : { certificateFile: flags.certificate }),
      ...(flags.nameServer === true ? { nameServer: true } : {}),
      ...(flags.log === undefined ? {} : { logFile: flags.log }),
      ...(flags.hostsFile === undefined ? {} : { hostsFile: flags.hostsFile }),
    },
    { print: (line) => process.stdout.write(`${line}\n`) },
    stop.signal,
  );
  await serving.catch((cause: NodeJS.ErrnoException) => {
    if (cause.code !== 'EADDRINUSE' && cause.code !== 'EACCES') throw cause;
    throw new OrbweaverError('USAGE', `Port ${flags.port ?? 'of the demo'} cannot be used: ${cause.code}.`, {
      cause,
      remedy: 'Name another with --port; without it any free one is taken.',
    });
  });
}

function webOf({ demo, sites, preset, spec, addresses, tls, certificate }: ServeFlags): 'demo' | 'sites' | 'synthetic' {
  if (demo !== true && sites !== true) return 'synthetic';
  const web = demo === true ? '--demo' : '--sites';
  const without = {
    '--sites': demo === true && sites === true,
    '--preset': preset !== undefined,
    '--spec': demo === true && spec !== undefined,
    '--addresses': addresses === true,
    '--tls': tls === true || certificate !== undefined,
  };
  for (const [flag, given] of Object.entries(without)) {
    if (given) throw new OrbweaverError('USAGE', `${web} goes without ${flag}.`, { remedy: 'Leave one of them out.' });
  }
  return demo === true ? 'demo' : 'sites';
}

async function specOf({ preset, spec }: ServeFlags): Promise<{ spec?: Record<string, unknown> }> {
  const given = spec === undefined ? {} : parseSpec(spec);
  if (preset === undefined) return { spec: given };
  const { WEB_PRESETS } = await import('../../../simulate/model/web-presets.ts');
  const known: Readonly<Record<string, Record<string, unknown>>> = WEB_PRESETS;
  if (!Object.hasOwn(known, preset)) {
    throw new OrbweaverError('USAGE', `There is no preset ${JSON.stringify(preset)}.`, {
      remedy: `Choose one of ${Object.keys(known).join(', ')}.`,
    });
  }
  const groups = Object.entries(known[preset]).filter(([name, value]) => isGroup(value) && isGroup(given[name]));
  // A group of shares that is given changes those shares alone.
  const merged = groups.map(([name, value]) => [name, { ...(value as object), ...(given[name] as object) }]);
  return { spec: { ...known[preset], ...given, ...Object.fromEntries(merged) } };
}

function parseSpec(text: string): Record<string, unknown> {
  const remedy = 'Give parameters such as {"hosts": 50, "seed": 7}; see docs/synthetic-web.md.';
  try {
    const spec: unknown = JSON.parse(text);
    if (isGroup(spec)) return spec;
  } catch (cause) {
    throw new OrbweaverError('USAGE', `--spec is not JSON: ${(cause as Error).message}`, { cause, remedy });
  }
  throw new OrbweaverError('USAGE', '--spec is JSON, but not an object.', { remedy });
}

function isGroup(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
