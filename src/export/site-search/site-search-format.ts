import { readFileSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportFolder, ExportJob, ExportSource, ExportSummary, FolderFormat } from '../../contracts/export.ts';
import { FIELDS } from '../../index/fields.ts';
import { BLOCK } from '../../index/format/posting-writer.ts';
import { lengthOfByte } from '../../index/format/quantise.ts';
import { withPriors } from '../../index/query/priors.ts';
import { type DocumentTotals, snapshotBasis } from '../../index/query/snapshot-basis.ts';
import { DEFAULT_RANKING } from '../../index/ranking-options.ts';
import { LiveDocuments } from '../segments/live-documents.ts';
import { type BundleAbout, byteOfPrior } from './browser/bundle-format.ts';
import { browserModules } from './browser-modules.ts';
import { PAGES_PER_PART, PagesWriter } from './pages-writer.ts';
import { TermsWriter } from './terms-writer.ts';

const ASSETS = ['index.html', 'search.js', 'search.css'];
const LIBRARY = 'lib';
/** Other work gets its turn after so many terms. */
const TURN = 1000;
/** A language of fewer pages is more likely a wrong guess than worth a wider search. */
const LEAST_SHARE = 0.02;

/** A folder that any web server of static files makes a search of: a page, a script, and the index in small parts. */
export const siteSearchFormat: FolderFormat = {
  target: 'folder',
  options: ['title'],
  write: writeSiteSearch,
};

async function writeSiteSearch(source: ExportSource, folder: ExportFolder, job: ExportJob): Promise<ExportSummary> {
  using live = await LiveDocuments.open(source);
  const totals = totalsOf(live);
  const { segments } = snapshotBasis(live.segments, DEFAULT_RANKING, totals);
  const terms = new TermsWriter(folder);
  const documents = new Uint32Array(BLOCK);
  const codes = new Uint32Array(BLOCK);
  let looked = 0;
  for (const { term, parts } of live.terms()) {
    for (const { input, postings } of parts) {
      const { weigher } = segments[input];
      const numbers = live.numbers[input];
      for (let block = 0; block < postings.blocks; block++) {
        const count = postings.readDocuments(block, documents);
        postings.readCodes(block, codes);
        for (let at = 0; at < count; at++) {
          const number = numbers[documents[at]];
          if (number >= 0) terms.addPosting(number, weigher.weigh(documents[at], codes[at]));
        }
      }
    }
    await terms.endTerm(term);
    if (++looked % TURN !== 0) continue;
    await nextTurn();
    job.signal?.throwIfAborted();
  }
  await terms.finish();
  const priors = new Uint8Array(live.count);
  const languages = new Map<string, number>();
  using pages = new PagesWriter(folder);
  for (const found of live.documents()) {
    const { state, document, number } = found;
    const searched = segments[live.segments.indexOf(state)];
    priors[number] = byteOfPrior(withPriors(0, searched, document, DEFAULT_RANKING, totals.newest));
    const { language } = state.segment.columns.facts(document);
    languages.set(language, (languages.get(language) ?? 0) + 1);
    await pages.add(found);
    job.signal?.throwIfAborted();
    job.progress(number + 1);
  }
  await pages.finish();
  const about: BundleAbout = {
    version: 1,
    title: job.options.title ?? source.about.name,
    pages: live.count,
    pagesPerPart: PAGES_PER_PART,
    k1: DEFAULT_RANKING.k1,
    languages: frequentLanguages(languages, live.count),
    firstTerms: terms.firstTerms,
  };
  await writeFile(folder, 'priors.bin', priors);
  await writeFile(folder, 'index.json', JSON.stringify(about));
  for (const name of ASSETS) await writeFile(folder, name, readFileSync(new URL(`./assets/${name}`, import.meta.url)));
  for (const { path, source: script } of await browserModules()) await writeFile(folder, `${LIBRARY}/${path}`, script);
  return { rows: live.count };
}

async function writeFile(folder: ExportFolder, path: string, contents: Uint8Array | string): Promise<void> {
  const file = await folder.file(path);
  await file.write(contents);
  await file.close();
}

/** Of the documents of the export alone: a part of a crawl ranks as if it were all. */
function totalsOf(live: LiveDocuments): DocumentTotals {
  const lengthSums = FIELDS.map(() => 0);
  let newest = 0;
  for (const { state, document } of live.documents()) {
    const { lengths } = state.segment.columns;
    for (let field = 0; field < FIELDS.length; field++) lengthSums[field] += lengthOfByte(lengths[field][document]);
    newest = Math.max(newest, state.segment.columns.number('date', document));
  }
  return { documents: live.count, lengthSums, newest };
}

function frequentLanguages(counts: ReadonlyMap<string, number>, pages: number): string[] {
  return [...counts]
    .filter(([language, count]) => language !== '' && count >= LEAST_SHARE * pages)
    .sort((a, b) => b[1] - a[1])
    .map(([language]) => language);
}
