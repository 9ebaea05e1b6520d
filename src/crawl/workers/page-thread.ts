/** The body of a page thread. Started by crawl/workers/watched-thread.ts. */
import { parentPort, workerData } from 'node:worker_threads';
import { OrbweaverError } from '../../base/errors.ts';
import { userAgentOf } from '../../base/settings/user-agent.ts';
import { openStateReader } from '../../engines/open-reader.ts';
import { loadPlugins } from '../../plugins/load-plugins.ts';
import { pluginFailed } from '../../plugins/plugins.ts';
import { loadDescriber } from '../content/content-extractor.ts';
import { RenderPort } from '../rendering/render-port.ts';
import type { RunRecord } from '../report/run-record.ts';
import { visitPage } from '../visit/pipeline.ts';
import { looksOf, openPageWorker } from './open-page-worker.ts';
import { PageThread, type ThreadData } from './page-thread-server.ts';
import type { FromThread } from './thread-messages.ts';

if (parentPort === null) throw new OrbweaverError('INTERNAL', 'A page thread was started as a program.');
const { settings, folder, version, handOver } = workerData as ThreadData;
const plugins = await loadPlugins(settings.plugins, { folder, userAgent: userAgentOf(settings, version) });
// What a plug-in leaves behind (a promise that nobody awaits, a timer that throws) is no fault of a page: it ends the run.
if (settings.plugins.length > 0)
  for (const stray of ['unhandledRejection', 'uncaughtException'] as const)
    process.on(stray, (cause: unknown) => {
      const { code, message, remedy = '' } = pluginFailed(plugins.names.join(', '), cause);
      parentPort?.postMessage({ kind: 'fault', code, message, remedy } satisfies FromThread);
    });
const described = settings.text ? { describer: await loadDescriber(looksOf(settings, handOver !== undefined)) } : {};
new PageThread(parentPort, workerData as ThreadData, (data, signs, clock) => {
  // What is settled is read through a connection of its own: readers and the conductor do not wait for each other.
  const state = openStateReader(data.folder);
  const rendering = data.renderPort === undefined ? undefined : new RenderPort(data.renderPort);
  const opened = openPageWorker({
    ...data,
    ...(rendering === undefined ? {} : { rendering }),
    ...described,
    plugins,
    clock,
    pages: state.pages,
    seeds: () => state.read<Pick<RunRecord, 'seeds'>>('run')?.seeds ?? [],
    ...signs,
  });
  return {
    worker: { work: (claim, timer) => visitPage(claim, opened.stages, timer) },
    addressOf: (host) => opened.addressOf(host),
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      rendering?.[Symbol.dispose]();
      state[Symbol.dispose]();
    },
  };
});
