import { systemClock } from '../../../../src/base/clock.ts';
import { FolderControl } from '../../../../src/crawl/control/folder-control.ts';
import { CrawlReader } from '../../../../src/crawl/report/crawl-reader.ts';
import { createCrawl } from '../../../../src/index.ts';
import { FolderWatch } from '../../../../src/web/dashboard/folder-watch.ts';
import { temporaryFolder } from '../../../crawl/crawl-web.ts';

export interface ControlledFolder extends Disposable {
  readonly control: FolderControl;
  readonly parts: { readonly control: FolderControl; readonly crawl: CrawlReader; readonly watch: FolderWatch };
}

/** The folder of a crawl that has one seed and has not run. */
export async function controlledFolder(): Promise<ControlledFolder> {
  const opened = new DisposableStack();
  const folder = opened.use(temporaryFolder());
  {
    await using _crawl = await createCrawl({ folder: folder.path, seeds: ['https://spiders.example/'] });
  }
  const control = opened.use(new FolderControl(folder.path));
  const crawl = opened.use(new CrawlReader(folder.path));
  const watch = opened.use(new FolderWatch(folder.path, systemClock));
  return { control, parts: { control, crawl, watch }, [Symbol.dispose]: () => opened.dispose() };
}
