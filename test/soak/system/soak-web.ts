/**
 * The web of the soak, in a process of its own: sites of all shapes, names, addresses that can be taken off the net, and
 * hosts that mean no good. Parameters come as JSON in the first argument, orders by messages.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { loopbackAddress } from '../../../src/simulate/model/addressing.ts';
import { NameServer } from '../../../src/simulate/server/name-server.ts';
import { WebServer } from '../../../src/simulate/server/web-server.ts';
import type { SitesSpec } from '../../../src/simulate/sites/sites-spec.ts';
import { SitesWeb } from '../../../src/simulate/sites/sites-web.ts';
import { AddressGate } from './address-gate.ts';
import { HOSTILE_ADDRESS, HOSTILE_NAMES, serveHostileHosts } from './hostile-hosts.ts';

interface WebOrder {
  readonly order: 'close-address' | 'open-address' | 'flush' | 'end';
  readonly address?: number;
}

export interface SoakWeb {
  readonly web: SitesWeb;
  readonly seeds: readonly string[];
  readonly nameServer: string;
  tell(order: WebOrder): Promise<void>;
}

/** Starts the process; its log of requests goes to `logFile`, that of the hostile hosts to `hostileLog`. */
export async function startSoakWeb(spec: SitesSpec, logFile: string, hostileLog: string): Promise<SoakWeb> {
  const child = fork(fileURLToPath(import.meta.url), [JSON.stringify({ spec, logFile, hostileLog })], { execArgv: [] });
  const [{ port, nameServer }] = (await once(child, 'message')) as [{ port: number; nameServer: string }];
  const web = new SitesWeb(spec, port);
  return {
    web,
    seeds: [...web.seeds, ...HOSTILE_NAMES.map((name) => `http://${name}:${port}/`)],
    nameServer,
    async tell(order) {
      child.send(order);
      await once(child, order.order === 'end' ? 'exit' : 'message');
    },
  };
}

async function serve(spec: SitesSpec, logFile: string, hostileLog: string): Promise<void> {
  // Nobody asks the log in memory: it is the file that is judged.
  const server = await WebServer.start((port) => new SitesWeb(spec, port), { logFile, onRequest: () => {} });
  await serveHostileHosts(server.port, hostileLog);
  const gates = Array.from(
    { length: spec.extraAddresses },
    (_, number) => new AddressGate(loopbackAddress(number), server.port),
  );
  for (const gate of gates) await gate.open();
  const names = await NameServer.start({
    resolve: (name) => (HOSTILE_NAMES.includes(name) ? HOSTILE_ADDRESS : server.web.hosts.resolve(name)),
  });
  process.on('message', async ({ order, address = 0 }: WebOrder) => {
    if (order === 'close-address') await gates[address].close();
    if (order === 'open-address') await gates[address].open();
    if (order === 'flush') server.flush();
    if (order === 'end') {
      await server.close();
      process.exit(0);
    }
    process.send?.({});
  });
  process.on('disconnect', () => process.exit(0));
  process.send?.({ port: server.port, nameServer: names.address });
}

if (import.meta.main) {
  const { spec, logFile, hostileLog } = JSON.parse(process.argv[2]);
  await serve(spec, logFile, hostileLog);
}
