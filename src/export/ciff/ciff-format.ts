import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ExportJob, ExportOutput, ExportSource, ExportSummary, StreamFormat } from '../../contracts/export.ts';
import { SOFTWARE } from '../archive/subset-warcinfo.ts';
import { LiveDocuments } from '../segments/live-documents.ts';
import { CiffMessages } from './ciff-messages.ts';
import { ownLength, TermFrequencies } from './term-frequencies.ts';

/** Other work gets its turn after so many terms. */
const TURN = 1000;

/** The search index in the Common Index File Format, for Anserini, PISA, Terrier and others. */
export const ciffFormat: StreamFormat = {
  target: 'stream',
  isCompressible: true,
  options: ['title'],
  write: writeCiff,
};

async function writeCiff(source: ExportSource, output: ExportOutput, job: ExportJob): Promise<ExportSummary> {
  using live = await LiveDocuments.open(source);
  const messages = new CiffMessages();
  const frequencies = new TermFrequencies(live);
  // The header comes first and says how many there are.
  let postingsLists = 0;
  let looked = 0;
  for (const term of live.terms()) {
    if (frequencies.occurs(term)) postingsLists++;
    if (++looked % TURN === 0) await turn(job);
  }
  let totalTerms = 0;
  for (const { state, document } of live.documents()) totalTerms += ownLength(state.segment, document);
  const description = `${job.options.title ?? source.about.name} (${SOFTWARE})`;
  await output.write(messages.header({ postingsLists, documents: live.count, totalTerms, description }));
  for (const term of live.terms()) {
    frequencies.forEach(term, (document, frequency) => messages.addPosting(document, frequency));
    const list = messages.postingsList(term.term);
    if (list !== undefined) await output.write(list);
    if (++looked % TURN === 0) await turn(job);
  }
  for (const { state, document, number } of live.documents()) {
    const { id } = state.segment.strings(document);
    await output.write(messages.document(number, id, ownLength(state.segment, document)));
    job.progress(number + 1);
    if (++looked % TURN === 0) await turn(job);
  }
  return { rows: live.count };
}

/** Lets others have theirs: among them whoever wants the export to end. */
async function turn({ signal }: ExportJob): Promise<void> {
  await nextTurn();
  signal?.throwIfAborted();
}
