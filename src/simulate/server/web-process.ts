/** The main file of the process that child-web.ts starts. Ends when it is told to, or when its parent is gone. */

import type { WebSpec } from '../model/web-spec.ts';
import type { ChildAnswer, ChildQuestion, ChildWebOptions } from './child-web.ts';
import { NameServer } from './name-server.ts';
import { startSyntheticWeb } from './web-server.ts';

const { spec, options } = JSON.parse(process.argv[2]) as { spec: WebSpec; options: ChildWebOptions };
const { nameServer: wantsNames = false, ...serverOptions } = options;
const server = await startSyntheticWeb(spec, serverOptions);
const names = wantsNames ? await NameServer.start(server.web.hosts) : undefined;
const before = process.cpuUsage();

function tell(answer: ChildAnswer, told = (): void => {}): void {
  process.send?.(answer, told);
}

function usage(): ChildAnswer {
  const { user, system } = process.cpuUsage(before);
  return { cpuSeconds: (user + system) / 1e6, requests: server.log.length };
}

process.on('message', async (question: ChildQuestion) => {
  if (question === 'flush') server.flush();
  if (question === 'close') {
    await server.close();
    await names?.[Symbol.asyncDispose]();
  }
  tell(usage(), question === 'close' ? () => process.disconnect() : undefined);
});
process.on('disconnect', () => process.exit(0));
tell({
  description: server.web.description,
  ...(server.certificate === undefined ? {} : { certificate: server.certificate }),
  ...(names === undefined ? {} : { nameServer: names.address }),
});
