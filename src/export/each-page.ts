import type {
  ExportFolder,
  ExportJob,
  ExportOutput,
  ExportPage,
  ExportSource,
  ExportSummary,
} from '../contracts/export.ts';
import { readablePages } from './page-parts.ts';

/** Writes page after page, with progress and checkpoints. `put` answers false where the copy of the page cannot be read. */
export async function eachPage(
  source: ExportSource,
  output: Pick<ExportFolder | ExportOutput, 'isDue' | 'checkpoint'>,
  job: ExportJob,
  put: (page: ExportPage) => Promise<boolean>,
): Promise<ExportSummary> {
  let rows = job.from?.rows ?? 0;
  let missing = 0;
  const { limit = Number.POSITIVE_INFINITY } = source.filter;
  for await (const page of readablePages(source, job.from)) {
    if (rows >= limit) break;
    if (await put(page)) rows++;
    else missing++;
    job.progress(rows);
    if (output.isDue) await output.checkpoint({ cursor: page.cursor, rows });
  }
  if (missing > 0) job.notice(`${missing} pages are left out: their copies could not be read.`);
  return { rows };
}
