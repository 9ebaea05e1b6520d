import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { OrbweaverError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings/schema.ts';
import type { CrawlOrder } from '../../contracts/crawl-order.ts';
import type { ShippedFiles } from '../../contracts/shipped-file.ts';
import type { KeptPages } from '../../contracts/state/node-state.ts';
import type { SettledBytes } from '../../contracts/state/state-reader.ts';
import { openCrawlState, openOnlyPartition, type StateToOpen } from '../../engines/open-state.ts';
import { openNodeStore } from '../../engines/open-store.ts';
import { seedTask } from '../add-seeds.ts';
import { FORGOTTEN } from '../forget/unfinished.ts';
import type { RunRecord } from '../report/run-record.ts';
import { AnswerTimes } from './answer-times.ts';
import { isInShare, type StaticShare } from './assign-partitions.ts';
import {
  type CrawlRecord,
  readForgottenNote,
  readRecord,
  recordedSettings,
  writeRecord,
  writeRun,
} from './crawl-record.ts';
import { NodeMembership } from './node-membership.ts';
import { nodeOf, writeNode, writersOf } from './node-note.ts';
import { NodeShare } from './node-share.ts';
import { ShippedNotes } from './shipped-notes.ts';

/** Nearly all requests end within it, on a busy machine too. */
const LONGEST_HANDOVER_MS = 30_000;

export interface NodeToOpen extends StateToOpen {
  readonly settings: Settings;
  readonly order: CrawlOrder;
  /** The node joins a crawl that exists, with the seeds and settings that are recorded there. */
  readonly joins: boolean;
  /** Its pages are kept for an index that follows them. */
  readonly keptPages?: KeptPages;
  /** Lets others search its index; answers where. */
  readonly serveIndex?: (name: string) => Promise<{ readonly address: string } & AsyncDisposable>;
}

export interface OpenedNode extends AsyncDisposable {
  readonly name: string;
  readonly share: NodeShare;
  readonly membership: NodeMembership;
  /** Of the crawl, whatever address its store has. */
  readonly id: string;
  /** For readers on other machines. */
  readonly shipped: ShippedFiles;
  /** How much of the archive files of this node belongs to settled pages, at this moment. */
  settledFiles(): Promise<ReadonlyMap<string, SettledBytes>>;
  readonly record: CrawlRecord | undefined;
  /** Tells all nodes how the crawl is done. */
  publish(run: RunRecord): Promise<void>;
}

/** Of a node: its working copies, which may be deleted while it does not run. */
export function copiesFolder(folder: string): string {
  return join(folder, 'partitions');
}

/** Opens a crawl as one of its nodes. Its folder holds what is the node's own: archive, what it has learnt, working copies. */
export async function openNode(toOpen: NodeToOpen): Promise<OpenedNode> {
  const { folder, clock, random, options, adapt, settings, order, joins, keptPages, serveIndex } = toOpen;
  await using opened = new AsyncDisposableStack();
  const home = opened.use(await openOnlyPartition(opened.use(openCrawlState({ folder, clock, random, options }))));
  const before = nodeOf(home);
  if (before === undefined && home.read<RunRecord>('run') !== undefined) throw otherCrawl(folder);
  const name = before?.name ?? newName(random);
  const earlier = before?.writers === undefined ? {} : { writers: before.writers };
  const writers = writersOf({ name, ...earlier });
  const leaseMs = settings.partitionLease;
  const fixed = staticShare(settings, joins);
  const state = opened.use(
    await openNodeStore({
      ...{ url: settings.store, clock, random, name, writers, leaseMs, folder, copies: copiesFolder(folder) },
      // Requests of a node end with its lease; until then they may have taken as long as any.
      options: { ...options, maxRequestMs: 0, longestFetchMs: settings.totalTimeout },
      ...(joins ? {} : { partitions: settings.partitions, ...partitionedBy(settings) }),
      ...(adapt === undefined ? {} : { adapt }),
    }),
  );
  if (before !== undefined && before.store !== state.id) throw otherCrawl(folder);
  writeNode(home, { name, store: state.id, ...earlier });
  home.write(FORGOTTEN, await readForgottenNote(state.notes));
  const record = (await readRecord(state.notes))?.value;
  const served = serveIndex === undefined ? undefined : opened.use(await serveIndex(name));
  const answerTimes = settings.assignment === 'nearest' ? new AnswerTimes() : undefined;
  const membership = opened.use(
    new NodeMembership({
      ...{ state, name, weight: settings.nodeWeight, leaseMs, clock },
      ...(answerTimes === undefined ? {} : { answerTimes }),
      handoverMs: Math.min(LONGEST_HANDOVER_MS, settings.totalTimeout),
      ...(fixed === undefined ? {} : { share: fixed }),
      home: {
        machine: hostname(),
        folder: resolve(folder),
        ...earlier,
        ...(served === undefined ? {} : { search: served.address }),
      },
      seedTask: (url) => seedTask(url, order),
    }),
  );
  await membership.fenceFormer();
  // Nothing of a former process is written any more, and nothing of this one yet.
  if (keptPages !== undefined) await state.keepPages(keptPages);
  const archiveFiles = await state.archiveFiles(writers);
  const { partitions, check } = membership;
  const hasWall = settings.leavingLinks === 'firewall' && fixed !== undefined;
  const share = new NodeShare({
    ...{ partitions, home, archiveFiles, now: () => clock.now(), check, popularLinks: settings.popularLinks },
    ...(answerTimes === undefined ? {} : { visited: answerTimes.note.bind(answerTimes) }),
    settledUpTo: (places) => state.settledUpTo(places),
    ...(hasWall ? { follows: (partition: number) => isInShare(partition, fixed) } : {}),
  });
  const parts = opened.move();
  return {
    ...{ name, share, membership, record, id: state.id, shipped: new ShippedNotes(state.notes) },
    settledFiles: () => state.archiveFiles(writers),
    publish: async (run) => {
      const { seeds, seedScopes } = run;
      await writeRun(state.notes, run);
      const scopes = seedScopes === undefined ? {} : { seedScopes };
      await writeRecord(state.notes, { settings: recordedSettings(settings), seeds, ...scopes });
    },
    [Symbol.asyncDispose]: () => parts.disposeAsync(),
  };
}

function staticShare({ assignment, nodes, nodeNumber }: Settings, joins: boolean): StaticShare | undefined {
  if (assignment !== 'static') return undefined;
  if (joins && nodeNumber === 0)
    throw new OrbweaverError(
      'SETTING_INVALID',
      `The ${nodes} nodes of this crawl have fixed shares, by their numbers.`,
      {
        remedy: `Give this one a number that no other has, from 1 to ${nodes}: --node-number.`,
      },
    );
  return { nodes, number: Math.max(1, nodeNumber) };
}

function partitionedBy({ partitionBy }: Settings): Pick<Parameters<typeof openNodeStore>[0], 'partitionBy'> {
  return partitionBy === 'url' ? {} : { partitionBy };
}

function otherCrawl(folder: string): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `${folder} holds another crawl.`, {
    remedy: 'Choose another folder for this node with --folder (crawl: --dir). Nothing was changed.',
  });
}

/** Names the archive files of the node as well. */
export function newName(random: () => number): string {
  const machine = hostname()
    .replace(/[^A-Za-z0-9]+/g, '_')
    .slice(0, 20);
  return `${machine}.${Math.floor(random() * 36 ** 6)
    .toString(36)
    .padStart(6, '0')}`;
}
