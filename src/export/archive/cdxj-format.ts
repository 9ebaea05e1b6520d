import { formatCdxj } from '../../archive/cdxj/cdxj-line.ts';
import type { ExportJob, ExportOutput, ExportSource, ExportSummary, StreamFormat } from '../../contracts/export.ts';
import { indexLines } from './archive-folders.ts';
import { SortedSet } from './sorted-set.ts';

/** The index of the archive as one sorted file: of all that was archived, or of the copies that match. */
export const cdxjFormat: StreamFormat = {
  target: 'stream',
  isCompressible: true,
  options: [],
  write: writeCdxj,
};

async function writeCdxj(source: ExportSource, output: ExportOutput, job: ExportJob): Promise<ExportSummary> {
  using lines = new SortedSet();
  if (Object.values(source.filter).every((value) => value === undefined))
    for await (const line of indexLines(source.about)) {
      lines.add(line);
      job.signal?.throwIfAborted();
    }
  else
    for await (const version of source.versions()) {
      const line = formatCdxj({ ...version, mime: version.mediaType });
      lines.add(line.trimEnd());
    }
  let rows = 0;
  for (const line of lines) {
    await output.write(`${line}\n`);
    job.signal?.throwIfAborted();
    job.progress(++rows);
  }
  return { rows };
}
