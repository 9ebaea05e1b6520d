/** The main file of the process that child-hostile.ts starts. Ends when its parent is gone. */
import { allCases } from './all-cases.ts';
import type { HostileProcessOptions, HostileStarted } from './child-hostile.ts';
import { HostileServer } from './hostile-server.ts';

const { corpora, only, honest } = JSON.parse(process.argv[2]) as HostileProcessOptions;
const { cases, certificate } = allCases(corpora);
const chosen =
  only === undefined ? cases : cases.filter(({ name, group }) => only.includes(name) || only.includes(group));
for (const hostile of chosen) hostile.prepare?.();
const server = await HostileServer.start(chosen, { honest });

process.on('message', () => process.send?.({ records: Object.fromEntries(server.records) }));
process.on('disconnect', () => process.exit(0));
const started: HostileStarted = { certificate, nameServers: server.nameServers, seeds: server.seeds };
process.send?.(started);
