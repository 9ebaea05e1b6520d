import { hostname } from 'node:os';
import { join } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { OwnedPartition } from '../../contracts/state/owned-partition.ts';
import { openCrawlState, openOnlyPartition, type StateToOpen } from '../../engines/open-state.ts';
import { openNodeStore } from '../../engines/open-store.ts';
import { seedTask } from '../add-seeds.ts';
import type { RunRecord } from '../report/run-record.ts';
import { type CrawlRecord, readRecord, recordedSettings, writeRecord } from './crawl-record.ts';
import { NodeShare } from './node-share.ts';
import { PartitionKeeper } from './partition-keeper.ts';

export interface NodeToOpen extends StateToOpen {
  readonly settings: Settings;
  readonly order: CrawlOrder;
  /** The node joins a crawl that exists, with the seeds and settings that are recorded there. */
  readonly joins: boolean;
}

export interface OpenedNode extends AsyncDisposable {
  readonly name: string;
  readonly share: NodeShare;
  readonly keeper: PartitionKeeper;
  readonly record: CrawlRecord | undefined;
  /** Tells all nodes how the crawl is done. */
  publish(run: Pick<RunRecord, 'seeds' | 'seedScopes'>): Promise<void>;
}

/** What a node knows of itself; kept in its folder under the name 'node'. */
export interface NodeNote {
  readonly name: string;
  /** The crawl that it takes part in. */
  readonly store: string;
}

const NODE = 'node';

/** Opens a crawl as one of its nodes. Its folder holds what is the node's own: archive, what it has learnt, working copies. */
export async function openNode(toOpen: NodeToOpen): Promise<OpenedNode> {
  const { folder, clock, random, options, adapt, settings, order, joins } = toOpen;
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await openOnlyPartition(opened.use(openCrawlState({ folder, clock, random, options }))));
  const before = home.read<NodeNote>(NODE);
  if (before === undefined && home.read<RunRecord>('run') !== undefined) throw otherCrawl(folder);
  const name = before?.name ?? newName(random);
  const leaseMs = settings.partitionLease;
  const state = opened.use(
    await openNodeStore({
      ...{ url: settings.store, clock, random, options, name, leaseMs, copies: join(folder, 'partitions') },
      ...(joins ? {} : { partitions: settings.partitions }),
      ...(adapt === undefined ? {} : { adapt }),
    }),
  );
  if (before !== undefined && before.store !== state.id) throw otherCrawl(folder);
  home.write(NODE, { name, store: state.id } satisfies NodeNote);
  const record = (await readRecord(state.notes))?.value;
  const keeper = opened.use(
    new PartitionKeeper({
      ...{ state, name, weight: settings.nodeWeight, leaseMs, clock },
      seedTask: (url) => seedTask(url, order),
    }),
  );
  await keeper.fenceFormer();
  const archiveFiles = await state.archiveFiles(`-${name}.warc.gz`);
  const { partitions, check } = keeper;
  const share = new NodeShare({ partitions, home, archiveFiles, now: () => clock.now(), check });
  const parts = opened.move();
  return {
    ...{ name, share, keeper, record },
    publish: async ({ seeds, seedScopes }) => {
      const scopes = seedScopes === undefined ? {} : { seedScopes };
      await writeRecord(state.notes, { settings: recordedSettings(settings), seeds, ...scopes });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

/** Whoever would crawl with the folder of a node as with any other. */
export function refuseNodeFolder(state: Pick<OwnedPartition, 'read'>, folder: string): void {
  const node = state.read<NodeNote>(NODE);
  if (node === undefined) return;
  throw new OrbweaverError(
    'SETTING_INVALID',
    `${folder} is the folder of ${node.name}, a node of a crawl in a database.`,
    {
      remedy: 'Choose another folder with --dir; or start the node with: orbweaver node --store … --folder DIR',
    },
  );
}

function otherCrawl(folder: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `${folder} holds another crawl.`, {
    remedy: 'Choose another folder for this node with --folder (crawl: --dir). Nothing was changed.',
  });
}

/** Names the archive files of the node as well. */
function newName(random: () => number): string {
  const machine = hostname()
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, 20);
  return `${machine}.${Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
}
