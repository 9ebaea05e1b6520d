import type {
  ExportFolder,
  ExportJob,
  ExportPage,
  ExportSource,
  ExportSummary,
  FolderFormat,
} from '../../contracts/export.ts';
import { readablePages } from '../page-parts.ts';
import { pagePath } from '../page-path.ts';
import { frontMatter } from './front-matter.ts';

/** A page with thousands of links names the first of them. */
const MOST_LINKS = 1000;

/** A folder with a Markdown file for each page: its main content below what is known of it. */
export const markdownFormat: FolderFormat = {
  target: 'folder',
  options: [],
  write: writeMarkdown,
};

async function writeMarkdown(source: ExportSource, folder: ExportFolder, job: ExportJob): Promise<ExportSummary> {
  let rows = job.from?.rows ?? 0;
  let missing = 0;
  const { limit = Number.POSITIVE_INFINITY } = source.filter;
  for await (const page of readablePages(source, job.from)) {
    if (rows >= limit) break;
    const body = await page.markdown();
    if (body === undefined) missing++;
    else {
      const file = await folder.file(pagePath(page.url, '.md'));
      await file.write(await markdownOf(page, body));
      await file.close();
      rows++;
    }
    job.progress(rows);
    if (folder.isDue) await folder.checkpoint({ cursor: page.cursor, rows });
  }
  if (missing > 0) job.notice(`${missing} pages are left out: their copies could not be read.`);
  return { rows };
}

async function markdownOf(page: ExportPage, body: string): Promise<string> {
  const { url, facts } = page;
  const { about } = facts;
  const links = [...new Set((await page.links()).map((link) => link.url))].slice(0, MOST_LINKS);
  const date = about?.modified ?? about?.published;
  const language = about?.language ?? about?.declaredLanguage;
  const title = about?.title ?? facts.title;
  const head = frontMatter({
    url,
    ...(title === undefined ? {} : { title }),
    fetched: new Date(facts.requestedAt).toISOString(),
    ...(date === undefined ? {} : { date: new Date(date).toISOString() }),
    ...(language === undefined ? {} : { language }),
    ...(about?.description === undefined ? {} : { description: about.description }),
    ...(about?.authors === undefined ? {} : { authors: about.authors }),
    ...(facts.canonical === undefined ? {} : { canonical: facts.canonical }),
    ...(links.length === 0 ? {} : { links }),
  });
  return `${head}\n${body.toWellFormed().trim()}\n`;
}
