import type { ExportPage } from '../../contracts/export.ts';
import { pageFolder } from '../page-folder.ts';
import { frontMatter } from './front-matter.ts';

/** A page with thousands of links names the first of them. */
const MOST_LINKS = 1000;

/** A folder with a Markdown file for each page: its main content below what is known of it. */
export const markdownFormat = pageFolder('.md', markdownOf);

async function markdownOf(page: ExportPage): Promise<string | undefined> {
  const body = await page.markdown();
  if (body === undefined) return undefined;
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
  return `${head}\n${body.trim()}\n`;
}
