/** Crawls a site, then searches it: `node examples/crawl-and-search.ts https://example.org/ "what to look for"` */
import { createCrawl, openSearch, updateIndex } from '../src/index.ts';

const [seed, query, folder = 'my-crawl'] = process.argv.slice(2);
{
  await using crawl = await createCrawl({ folder, seeds: [seed], maxPages: 100, allowPrivate: true });
  crawl.on('settled', ({ claim, outcome }) => console.error(outcome.kind, claim.task.url));
  const { pages, ended } = await crawl.run();
  console.error(`${pages} pages, ${ended}`);
}
await updateIndex(folder);
await using search = await openSearch({ folder });
const { hits, total } = await search.search({ query });
console.log(`${total} found`);
for (const { url, title } of hits) console.log(url, title.map(({ text }) => text).join(''));
