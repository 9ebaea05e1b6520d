/**
 * Adds pages for as long as it lives and says which commits are done: `node committing-process.ts FOLDER`.
 * Page n is https://a.test/n and links to https://target.test/ with the text "text n"; every tenth page is visited again.
 */
import { writeSync } from 'node:fs';
import { SqliteLinkStore } from '../../../../src/engines/links/sqlite-link-store.ts';

const store = new SqliteLinkStore(process.argv[2], { batchLinks: 40 });
for (let page = Number(store.place ?? 0); ; ) {
  for (const end = page + 7; page < end; page++) {
    for (const text of page % 10 === 0 ? ['first', `text ${page}`] : [`text ${page}`]) {
      store.addPage({
        url: `https://a.test/${page}`,
        host: 'a.test',
        at: 0,
        links: [
          { url: 'https://target.test/', text, nofollow: false },
          { url: `https://other.test/${page % 50}`, text: 'other', nofollow: false },
        ],
      });
    }
  }
  await store.commit(page);
  writeSync(1, `${page}\n`);
}
