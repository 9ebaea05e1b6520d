import type { ExportPage, FolderFormat } from '../contracts/export.ts';
import { eachPage } from './each-page.ts';
import { pagePath } from './page-path.ts';

/** A folder with a file for each page. `contentOf` answers undefined where its copy cannot be read. */
export function pageFolder(
  ending: `.${string}`,
  contentOf: (page: ExportPage) => Promise<string | undefined>,
): FolderFormat {
  return {
    target: 'folder',
    options: [],
    write: (source, folder, job) =>
      eachPage(source, folder, job, async (page) => {
        const content = await contentOf(page);
        if (content === undefined) return false;
        const file = await folder.file(pagePath(page.url, ending));
        await file.write(content.toWellFormed());
        await file.close();
        return true;
      }),
  };
}
