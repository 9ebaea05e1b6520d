import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { forgetLearnt } from '../../../src/engines/forget/forget-learnt.ts';
import { openState } from '../../../src/engines/sqlite/state-database.ts';
import { temporaryFolder } from '../../crawl/crawl-web.ts';

describe('What was learnt of forgotten pages', () => {
  test('goes whole, and nothing that others refer to by its place', () => {
    using folder = temporaryFolder();
    const db = openState(folder.path);
    const value = {
      origins: [
        ['https://a.test', 1],
        ['https://b.test', 2],
      ],
      pairs: [[0, 1]],
      topics: [
        ['https://hub.test/t', 'https://a.test/x/feed'],
        ['https://a.test/y/feed', 3],
      ],
      cloaked: [{ url: 'https://a.test/x/1', sign: 1 }, { url: 'https://b.test/x/1' }],
      targets: ['https://a.test/x/2', 'https://a.test/y'],
      last: 'https://a.test/x/3',
      byUrl: { 'https://a.test/x/4': 1, other: null },
    };
    db.prepare("INSERT INTO meta (name, value) VALUES ('lessons', ?)").run(JSON.stringify(value));
    db.prepare("INSERT INTO meta (name, value) VALUES ('run', ?)").run(
      JSON.stringify({ seeds: ['https://a.test/x/'] }),
    );
    const events = [
      ['guard', 'visited', [{ url: 'https://a.test/x/5' }], 1],
      ['guard', 'visited', [{ url: 'https://a.test/y' }], 2],
    ];
    db.prepare('INSERT INTO learning (events) VALUES (?)').run(serialize(events));

    // Origins match as well, as a text.
    forgetLearnt(db, (url) => url.startsWith('https://a.test') && !url.includes('/y'));

    const read = (name: string) =>
      JSON.parse((db.prepare('SELECT value FROM meta WHERE name = ?').get(name) as { value: string }).value);
    assert.deepEqual(read('lessons'), {
      ...{ origins: value.origins, pairs: value.pairs, topics: [value.topics[1]] },
      ...{ cloaked: [value.cloaked[1]], targets: ['https://a.test/y'], last: '', byUrl: { other: null } },
    });
    assert.deepEqual(read('run').seeds, ['https://a.test/x/']);
    const [row] = db.prepare('SELECT events FROM learning').all() as unknown as { events: Uint8Array }[];
    assert.deepEqual(deserialize(row.events), [events[1]]);
    db.close();
  });
});
