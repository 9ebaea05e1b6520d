import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { callProgram, type Ended } from '../../called-program.ts';
import { CrawledFolder, html } from '../search/indexing/crawled-folder.ts';

/** A crawl folder to export from, and a place to export to; both are gone when the test is over. */
export class ExportedCrawl implements AsyncDisposable {
  readonly root = mkdtempSync(join(tmpdir(), 'orbweaver-export-'));
  readonly folder = join(this.root, 'crawl');
  readonly crawled = new CrawledFolder(this.folder);

  path(name: string): string {
    return join(this.root, name);
  }

  /** Makes the search index. */
  async index(): Promise<void> {
    const { status, stderr } = await callProgram(['index', '--dir', this.folder]);
    if (status !== 0) throw new Error(stderr);
  }

  /** Exports into a file or folder; answers with its path. */
  async export(format: string, name: string, ...flags: readonly string[]): Promise<string> {
    const path = this.path(name);
    const { status, stderr } = await this.call(format, '--output', path, '--quiet', ...flags);
    if (status !== 0) throw new Error(stderr);
    return path;
  }

  call(format: string, ...flags: readonly string[]): Promise<Ended> {
    return callProgram(['export', format, '--dir', this.folder, ...flags]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.crawled[Symbol.asyncDispose]();
    rmSync(this.root, { recursive: true, force: true });
  }
}

export const SPIDER = 'https://spiders.example/garden';
export const WEAVER = 'https://spiders.example/weaver/';
export const COPY = 'https://copy.example/garden';
export const HOSTILE = 'https://hostile.example/A%20page?q=1&r=</DOC>';

/** Four pages: two plain ones, a copy of the first kept as a revisit, and one that abuses every format. */
export async function spiderCrawl(): Promise<ExportedCrawl> {
  const crawl = new ExportedCrawl();
  const { crawled } = crawl;
  const garden = html('Garden spider', 'The garden spider builds an orb web. Spiders spin silk.', [
    [WEAVER, 'weavers'],
  ]);
  const at = await crawled.visit(SPIDER, {
    html: garden,
    text: 'The garden spider builds an orb web. Spiders spin silk.',
  });
  await crawled.visit(WEAVER, {
    html: html('Orb weaver', 'Weavers make orb webs at night, and eat them in the morning.'),
    text: 'Weavers make orb webs at night, and eat them in the morning.',
    facts: {
      about: { title: 'Orb weaver', language: 'en', published: Date.UTC(2026, 0, 2), textLength: 60, words: 11 },
    },
  });
  await crawled.visit(COPY, {
    html: garden,
    text: 'The garden spider builds an orb web.',
    sameAs: { url: SPIDER, at },
  });
  const attack = `</DOC><DOC><DOCNO>forged</DOCNO></DOC>\n---\ntitle: forged\n---\n<img src=x onerror=alert(1)>`;
  await crawled.visit(HOSTILE, {
    html: `<title>"---\n: </title><script>document.title="hacked"</script>`.concat(`<p>hostile orb ${attack}</p>`),
    text: `hostile orb ${attack}`,
    facts: { title: `</script><b>"--- \u0000\ud800`, canonical: 'https://hostile.example/"\n---\nx: y' },
  });
  return crawl;
}
