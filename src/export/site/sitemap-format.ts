import { OrbweaverError } from '../../base/errors.ts';
import type {
  ExportFolder,
  ExportFolderFile,
  ExportMark,
  ExportOptions,
  ExportPage,
  FolderFormat,
} from '../../contracts/export.ts';
import { originOf } from '../../url/host-key.ts';
import { xmlText } from '../xml-text.ts';
import { ALL, isListed, singleSite } from './single-site.ts';

/** The limits of the protocol, of one file. */
const MOST_URLS = 50_000;
const MOST_BYTES = 50 * 1024 * 1024;
const LONGEST_URL = 2048;

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`;
const TAIL = '</urlset>\n';
const TOLD_EVERY = 100;

interface SitemapState {
  /** Number of the file that is being written, and URLs in it. */
  readonly file: number;
  readonly urls: number;
  /** Pages of another scheme, or with a URL that is too long. */
  readonly leftOut: number;
}

/** sitemap.xml of one site; where it has too many pages, an index of several. */
export const sitemapFormat: FolderFormat = {
  ...{ target: 'folder', options: ['base'], check: ({ base }: ExportOptions): void => void (base && baseUrl(base)) },
  async write(source, folder, { options, from, progress, notice }) {
    const site = await singleSite(source, 'A sitemap');
    const files = await SitemapFiles.begin(folder, from);
    let { rows, leftOut } = { rows: from?.rows ?? 0, leftOut: files.leftOut };
    // The limit is about pages that are listed.
    const limit = source.filter.limit ?? Number.POSITIVE_INFINITY;
    for await (const page of source.pages({ ...ALL, cursor: from?.cursor ?? '' })) {
      if (rows >= limit) break;
      if (!isListed(page)) continue;
      if (originOf(page.url) !== site || page.url.length >= LONGEST_URL) {
        leftOut++;
        continue;
      }
      await files.add(entryOf(page));
      rows++;
      if (rows % TOLD_EVERY === 0) progress(rows);
      if (folder.isDue) await folder.checkpoint({ cursor: page.cursor, rows, state: files.state(leftOut) });
    }
    await files.finish(options.base === undefined ? `${site ?? 'https://example.org'}/` : baseUrl(options.base));
    if (leftOut > 0)
      notice(`${leftOut} pages are left out: not of ${site}, or with a URL of more than ${LONGEST_URL} characters.`);
    progress(rows);
    return { rows };
  },
};

class SitemapFiles {
  readonly leftOut: number;
  readonly #folder: ExportFolder;
  #number: number;
  #urls: number;
  #file: ExportFolderFile;

  private constructor(folder: ExportFolder, file: ExportFolderFile, { file: number, urls, leftOut }: SitemapState) {
    this.#folder = folder;
    this.#file = file;
    this.#number = number;
    this.#urls = urls;
    this.leftOut = leftOut;
  }

  static async begin(folder: ExportFolder, from: ExportMark | undefined): Promise<SitemapFiles> {
    const state = (from?.state as SitemapState | undefined) ?? { file: 1, urls: 0, leftOut: 0 };
    const file = await folder.file(nameOf(state.file));
    if (from === undefined) await file.write(HEAD);
    return new SitemapFiles(folder, file, state);
  }

  state(leftOut: number): SitemapState {
    return { file: this.#number, urls: this.#urls, leftOut };
  }

  async add(entry: string): Promise<void> {
    const bytes = this.#file.bytes + Buffer.byteLength(entry) + TAIL.length;
    if (this.#urls === MOST_URLS || bytes > MOST_BYTES) await this.#next();
    await this.#file.write(entry);
    this.#urls++;
  }

  /** `base`: where the files will lie. */
  async finish(base: string): Promise<void> {
    await this.#end();
    if (this.#number === 1) {
      await this.#folder.rename(nameOf(1), 'sitemap.xml');
      return;
    }
    const index = await this.#folder.file('sitemap.xml');
    await index.write(
      `<?xml version="1.0" encoding="UTF-8"?>\n<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
    );
    for (let number = 1; number <= this.#number; number++)
      await index.write(`<sitemap><loc>${xmlText(new URL(nameOf(number), base).href)}</loc></sitemap>\n`);
    await index.write('</sitemapindex>\n');
    await index.close();
  }

  async #next(): Promise<void> {
    await this.#end();
    this.#number++;
    this.#urls = 0;
    this.#file = await this.#folder.file(nameOf(this.#number));
    await this.#file.write(HEAD);
  }

  async #end(): Promise<void> {
    await this.#file.write(TAIL);
    await this.#file.close();
  }
}

function nameOf(number: number): string {
  return `sitemap-${number}.xml`;
}

function entryOf(page: ExportPage): string {
  const modified = lastModified(page);
  const lastmod = modified === undefined ? '' : `<lastmod>${new Date(modified).toISOString().slice(0, 19)}Z</lastmod>`;
  return `<url><loc>${xmlText(page.url)}</loc>${lastmod}</url>\n`;
}

/** As the page or its server says; when it was fetched says nothing of that. Dates to come are none. */
function lastModified({ facts }: ExportPage): number | undefined {
  const header = facts.lastModified === undefined ? undefined : Date.parse(facts.lastModified);
  const known = [facts.about?.modified, header, facts.about?.published];
  return known.find((at) => at !== undefined && at >= 0 && at <= facts.requestedAt);
}

function baseUrl(text: string): string {
  const url = URL.parse(text);
  if (url !== null && /^https?:$/.test(url.protocol)) return url.href.endsWith('/') ? url.href : `${url.href}/`;
  throw new OrbweaverError('USAGE', `--base ${JSON.stringify(text)} is no URL.`, {
    remedy: 'Write where the files will be published, such as https://example.org/.',
  });
}
