import type { ExportFolder, ExportFolderFile, ExportSource, FolderFormat } from '../../contracts/export.ts';
import { runExport } from '../../export/run-export.ts';
import { siteSearchFormat } from '../../export/site-search/site-search-format.ts';
import { readStaticFile } from '../http/static-files.ts';
import { SEARCH_PAGE } from './docs-frame.ts';
import { DocsIndex } from './docs-index.ts';
import { DocsSite } from './docs-site.ts';

const STYLES = ['style.css', 'docs.css'];
const SCRIPT = 'docs-search.js';
const BUNDLE = 'search-index/';
/** Of the bundle: its own page, in whose place the site has one that looks like the others. */
const UNUSED: ReadonlySet<string> = new Set(['index.html', 'search.js', 'search.css']);
const UNUSED_FILE: ExportFolderFile = { bytes: 0, write: async () => {}, close: async () => {} };

/**
 * Writes the documentation as a folder of files that any web server shows, and that search without one. Returns the number of pages.
 * What is there already is kept, as for every export: the folder must be new or empty.
 */
export async function exportDocs(folder: string): Promise<number> {
  const site = new DocsSite({ isStatic: true });
  await using index = await DocsIndex.build(site.documents);
  const format = docsFormat(site);
  const entry = { name: 'docs', meaning: 'the documentation as a site', extension: '', load: async () => format };
  const { rows } = await runExport({ entry, format, source: indexSource(index.folder), options: {}, to: folder });
  return rows;
}

function docsFormat(site: DocsSite): FolderFormat {
  return {
    target: 'folder',
    options: [],
    async write(source, folder, job) {
      for (const { path } of site.documents) await write(folder, path, site.page(path) ?? '');
      await write(folder, SEARCH_PAGE, site.searchPage(SCRIPT));
      for (const name of [...STYLES, SCRIPT]) await write(folder, name, readStaticFile(name, '').body);
      await siteSearchFormat.write(source, below(folder), job);
      return { rows: site.documents.length };
    },
  };
}

async function write(folder: ExportFolder, path: string, contents: string | Uint8Array): Promise<void> {
  const file = await folder.file(path);
  await file.write(contents);
  await file.close();
}

/** Where the bundle goes. */
function below(folder: ExportFolder): ExportFolder {
  return {
    isDue: false,
    checkpoint: async () => {},
    file: async (path) => (UNUSED.has(path) ? UNUSED_FILE : await folder.file(BUNDLE + path)),
    rename: (from, to) => folder.rename(BUNDLE + from, BUNDLE + to),
  };
}

/** A folder with an index and no crawl. */
function indexSource(folder: string): ExportSource {
  const none = async function* (): AsyncGenerator<never> {};
  return {
    about: { name: 'Orbweaver documentation', seeds: [], folders: [folder] },
    filter: {},
    identity: 'documentation',
    signature: () => '',
    isResumable: false,
    ...{ pages: none, urls: none, decisions: none, links: none, versions: none, rows: none },
    documentAt: async () => undefined,
    [Symbol.asyncDispose]: async () => {},
  };
}
