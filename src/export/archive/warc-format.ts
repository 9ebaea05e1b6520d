import { randomUUID } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import type { ExportJob, ExportOutput, ExportSource, ExportSummary, StreamFormat } from '../../contracts/export.ts';
import { archiveFolders } from './archive-folders.ts';
import { checkArchiveTable, ExportedVisitsReader, missingCopies } from './exported-visits.ts';
import { subsetWarcinfo } from './subset-warcinfo.ts';
import { VisitCopier } from './visit-copier.ts';

/** A WARC file with the records of the pages that match, copied byte for byte, behind a warcinfo record. */
export const warcFormat: StreamFormat = {
  target: 'stream',
  isCompressible: false,
  options: ['table'],
  // What was copied already follows from the order of the pages.
  needsSameCrawl: true,
  check: checkArchiveTable,
  write: writeWarc,
};

async function writeWarc(source: ExportSource, output: ExportOutput, job: ExportJob): Promise<ExportSummary> {
  const { from } = job;
  const copier = new VisitCopier(archiveFolders(source.about));
  using reader = new ExportedVisitsReader(source, copier, job.options);
  let rows = from?.rows ?? 0;
  if (output.bytes === 0)
    await output.write(subsetWarcinfo({ id: randomUUID(), date: systemClock.now(), isPartOf: source.about.name }));
  for await (const { cursor, visits, copy } of reader.rows(from)) {
    for (const visit of visits) for await (const piece of copier.bytesOf(visit)) await output.write(piece);
    if (copy !== undefined) job.progress(++rows);
    if (output.isDue) await output.checkpoint({ cursor, rows });
  }
  if (reader.missing > 0) job.notice(missingCopies(reader.missing));
  return { rows };
}
