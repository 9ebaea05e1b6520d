/**
 * Searches over shards, each served by a process of its own on loopback: are the ten best those of one index, and how long does it take
 * beside the slowest shard alone? `npx node bench/shard-search.ts [--documents 20000] [--shards 4] [--queries 200]`. Both are asked in turn,
 * over the same connections; a shard alone is one that is asked as if there were no others. Prints one JSON object.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { DocumentStore } from '../src/search/indexing/imports/document-store.ts';
import { openIndexOf } from '../src/search/indexing/open-index.ts';
import { openSearcher } from '../src/search/open-searcher.ts';
import { serveShard } from '../src/search/shards/serve-shard.ts';

const LEAST_GAP = 1e-6;
const { values } = parseArgs({
  options: {
    documents: { type: 'string', default: '20000' },
    shards: { type: 'string', default: '4' },
    queries: { type: 'string', default: '200' },
    serve: { type: 'string' },
    name: { type: 'string', default: '' },
  },
});

if (values.serve !== undefined) {
  const shard = await serveShard({ folder: values.serve, node: values.name, address: '127.0.0.1:0', token: '' });
  process.send?.(shard.address);
  await once(process, 'disconnect');
  await shard[Symbol.asyncDispose]();
} else await measure(Number(values.documents), Number(values.shards), Number(values.queries));

async function measure(documents: number, count: number, queries: number): Promise<void> {
  const root = mkdtempSync(join(tmpdir(), 'orbweaver-bench-shards-'));
  const random = numbers(17);
  const vocabulary = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 2 + Math.floor(random() * 3) }, () => 'bcdfglmnprst'[Math.floor(random() * 12)])
      .map((consonant) => consonant + 'aeiou'[Math.floor(random() * 5)])
      .join(''),
  );
  const words = (many: number): string =>
    Array.from({ length: many }, () => vocabulary[Math.floor(vocabulary.length * random() ** 3)]).join(' ');
  const all = Array.from({ length: documents }, (_, number) => ({
    ...{ number, id: `https://h${number % 997}.example/${number}`, title: words(4), text: words(60 + (number % 400)) },
    rank: random(),
  }));
  const make = async (name: string, held: typeof all): Promise<string> => {
    const folder = join(root, name);
    await using opened = await openIndexOf(folder);
    using store = new DocumentStore(folder);
    for (const { id, title, text, number, rank } of held) {
      const date = Date.UTC(2026, 0, 1 + (number % 300));
      store.put({ id, title, text });
      opened.index.add({
        ...{ id, title, headings: '', body: text, description: '', anchors: [] },
        facts: {
          ...{ host: `h${number % 997}.example`, mediaType: 'text/html', language: 'en', date, fetchedAt: date },
          ...{ cluster: 0, spam: 0, rank },
        },
      });
    }
    store.commit();
    await opened.index.commit({});
    return folder;
  };
  const children = [];
  try {
    await using one = await openSearcher(await make('whole', all));
    const shards: { readonly name: string; readonly address: string }[] = [];
    for (let at = 0; at < count; at++) {
      const name = `shard-${at}`;
      const folder = await make(
        name,
        all.filter(({ number }) => number % count === at),
      );
      const child = fork(fileURLToPath(import.meta.url), ['--serve', folder, '--name', name]);
      children.push(child);
      const [address] = (await once(child, 'message')) as [string];
      shards.push({ name, address });
    }
    const remote = { token: '', timeoutMs: 60_000 };
    await using together = await openSearcher('none', { remote: { ...remote, shards } });
    await using opened = new AsyncDisposableStack();
    const alone = [];
    for (const shard of shards)
      alone.push(opened.use(await openSearcher('none', { remote: { ...remote, shards: [shard] } })));
    const times = { one: [] as number[], together: [] as number[], slowest: [] as number[] };
    const timed = async <T>(call: () => Promise<T>): Promise<[number, T]> => {
      const began = performance.now();
      const answer = await call();
      return [performance.now() - began, answer];
    };
    let [equal, tied] = [0, 0];
    for (let number = -20; number < queries; number++) {
      const query = number % 5 === 4 ? `"${words(2)}" OR ${words(1)}` : words(1 + (Math.abs(number) % 4));
      const [oneMs, expected] = await timed(() => one.search({ query, exactWords: true }));
      const [togetherMs, found] = await timed(() => together.search({ query, exactWords: true }));
      const ofShards = [];
      for (const shard of alone) ofShards.push((await timed(() => shard.search({ query, exactWords: true })))[0]);
      // The first ones fill caches.
      if (number < 0) continue;
      times.one.push(oneMs);
      times.together.push(togetherMs);
      times.slowest.push(Math.max(...ofShards));
      const scores = expected.hits.map(({ score }) => score);
      const isTied = scores.some((score, at) => at > 0 && scores[at - 1] - score < LEAST_GAP);
      // Sums of other parts may differ in the last digit.
      const seen = (hits: typeof found.hits) =>
        JSON.stringify(hits.map(({ id, score }) => [isTied ? '' : id, score.toFixed(9)]));
      if (seen(found.hits) === seen(expected.hits) && found.total === expected.total) equal++;
      else
        process.stderr.write(
          `${query}: ${expected.total} ${found.total}\n${seen(expected.hits)}\n${seen(found.hits)}\n`,
        );
      if (isTied) tied++;
    }
    const at = (list: readonly number[], share: number): number =>
      Number(list.toSorted((a, b) => a - b)[Math.floor(list.length * share)].toFixed(2));
    const shown = (list: readonly number[]) => ({ p5: at(list, 0.05), p50: at(list, 0.5), p95: at(list, 0.95) });
    process.stdout.write(
      `${JSON.stringify({
        ...{ documents, shards: count, queries, equal, tied, one: shown(times.one) },
        ...{ together: shown(times.together), slowestShardAlone: shown(times.slowest) },
        p95BeyondSlowest: Number((at(times.together, 0.95) - at(times.slowest, 0.95)).toFixed(2)),
      })}\n`,
    );
  } finally {
    for (const child of children) child.disconnect();
    rmSync(root, { recursive: true, force: true });
  }
}

function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
