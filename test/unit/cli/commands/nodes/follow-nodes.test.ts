import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { placesOfNodes } from '../../../../../src/cli/arguments/searched-places.ts';
import { NodeFollower } from '../../../../../src/cli/commands/nodes/follow-nodes.ts';
import type { ClusterView, NodeHome, NodeRecord } from '../../../../../src/contracts/state/nodes.ts';
import { createAnalyzer } from '../../../../../src/index/analysis/analyzer.ts';
import { openSegmentIndex } from '../../../../../src/index/segment-index.ts';
import type { SearchedPlaces } from '../../../../../src/search/threads/searched-indexes.ts';

const REMOTE = { token: 'secret', timeoutMs: 1000 };

const node = (name: string, home: NodeHome, pages = 10): NodeRecord => ({
  ...{ name, home, pages, weight: 1, bytes: 0, pagesPerSecond: 0, queued: 0, inFlight: 0, takeovers: 0, lost: 0 },
  ...{ isAlive: true, isDraining: false, lagMs: 0 },
});
const elsewhere = (name: string, search?: string): NodeRecord =>
  node(name, { machine: 'another', folder: `/of/${name}`, ...(search === undefined ? {} : { search }) });

describe('searches that follow the nodes of their crawl', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'orbweaver-follow-'));
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const here = (name: string): NodeRecord => {
    mkdirSync(join(root, name, 'archive'), { recursive: true });
    return node(name, { machine: hostname(), folder: join(root, name) });
  };
  const indexed = async (name: string): Promise<NodeRecord> => {
    await using index = await openSegmentIndex({
      ...{ folder: join(root, name, 'index'), analyze: createAnalyzer().analyze },
    });
    const facts = { mediaType: 'text/html', language: 'en', date: 0, fetchedAt: 0, cluster: 0, spam: 0, rank: 0 };
    index.add({
      ...{ id: `https://${name}.example/`, title: name, headings: '', body: name, description: '', anchors: [] },
      facts: { ...facts, host: `${name}.example` },
    });
    await index.commit();
    return here(name);
  };

  test('places: folders here that have an index, addresses elsewhere; the others are named', async () => {
    const [a, b] = [await indexed('a'), here('b')];
    const how = { dir: join(root, 'none'), remote: REMOTE };
    const { places, missing } = placesOfNodes([a, b, elsewhere('c', '10.0.0.3:1'), elsewhere('d')], how);
    assert.deepEqual(places, {
      ...{ folder: a.home?.folder, also: [] },
      remote: { ...REMOTE, shards: [{ name: 'c', address: '10.0.0.3:1' }] },
    });
    assert.deepEqual([...missing], [['d', 'Not searched: 10 pages of the node d, in /of/d on another.']]);
    // The one that opens the folder tells that there is no index.
    assert.equal(placesOfNodes([b], how).places.folder, b.home?.folder);
    assert.throws(() => placesOfNodes([elsewhere('d')], how), { code: 'INDEX_MISSING' });
  });

  test('nodes that come are taken up, those that have gone are let go, in one look each', async () => {
    const a = await indexed('a');
    let nodes: readonly NodeRecord[] | Error = [a];
    let looks = 0;
    const wakes: (() => void)[] = [];
    const told: string[] = [];
    const moves: SearchedPlaces[] = [];
    const placesOf = (found: readonly NodeRecord[]) => placesOfNodes(found, { dir: root, remote: REMOTE });
    await using _follower = new NodeFollower({
      cluster: {
        view: async () => {
          looks++;
          if (nodes instanceof Error) throw nodes;
          return { nodes, partitions: [], pending: 0, isStill: true } satisfies ClusterView;
        },
      },
      ...{ placesOf, found: placesOf([a]), tell: (line) => told.push(line) },
      search: { moveTo: async (places) => void moves.push(places) },
      clock: {
        now: () => 0,
        sleep: (ms, signal) =>
          new Promise((resolve) => {
            assert.ok(ms >= 2000, 'the database is asked every few seconds at most');
            wakes.push(resolve);
            signal?.addEventListener('abort', () => resolve());
          }),
      },
    });
    /** The cluster looks so, until the follower sleeps again. */
    const look = async (found: readonly NodeRecord[] | Error): Promise<readonly SearchedPlaces[]> => {
      nodes = found;
      const [asleep, before] = [wakes.length, moves.length];
      wakes[asleep - 1]();
      while (wakes.length === asleep) await turn();
      return moves.slice(before);
    };
    assert.deepEqual(await look([a]), [], 'nothing has changed');
    const b = here('b');
    assert.deepEqual(await look([a, b]), [], 'it has no index yet');
    await indexed('b');
    const both = { folder: a.home?.folder, also: [b.home?.folder] };
    assert.deepEqual(await look([a, b]), [both]);
    assert.deepEqual(await look(new Error('away')), []);
    assert.deepEqual(await look(new Error('away')), []);
    const far = { ...REMOTE, shards: [{ name: 'c', address: '10.0.0.3:1' }] };
    assert.deepEqual(await look([a, b, elsewhere('c', '10.0.0.3:1')]), [{ ...both, remote: far }]);
    assert.deepEqual(await look([a, b, elsewhere('c')]), [both], 'its address has gone');
    assert.deepEqual(await look([a, b, elsewhere('c')]), []);
    rmSync(join(root, 'a'), { recursive: true });
    assert.deepEqual(await look([b]), [{ folder: b.home?.folder, also: [] }]);
    assert.equal(looks, 9);
    assert.deepEqual(told, [
      'The search stays with the nodes that it has: away',
      'Not searched: 10 pages of the node c, in /of/c on another.',
    ]);
  });
});
