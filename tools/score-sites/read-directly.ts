import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ContentSketch } from '../../src/contracts/content/content-sketch.ts';
import { DocumentDescriber } from '../../src/crawl/content/document-describer.ts';
import { DocumentReader } from '../../src/crawl/content/document-reader.ts';
import { NearIndex } from '../../src/dedupe/near/near-index.ts';
import { combineSigns } from '../../src/rank/spam/spam-score.ts';
import type { ReadPage } from './site-pages.ts';

/** The parts that a page worker is made of, without a crawl around them. */
export async function readDirectly(folder: string, paths: readonly string[]): Promise<readonly ReadPage[]> {
  const reader = new DocumentReader();
  const describer = new DocumentDescriber({ contentSketch: true, spam: true });
  const sketches: ContentSketch[] = [];
  const comparedPaths: string[] = [];
  const index = new NearIndex({ contentSketch: (document) => sketches[document] });
  return paths.map((path): ReadPage => {
    const url = new URL(path.split('/').map(encodeURIComponent).join('/'), 'http://127.0.0.1:8000/').href;
    const body = readFileSync(join(folder, path));
    const document = reader.read(body, url, 'text/html');
    const said = describer.html(document.source ?? body, url, document.page?.links.length ?? 0);
    const near = said.contentSketch === undefined ? undefined : index.alike(said.contentSketch)[0];
    const nearTo = near === undefined ? undefined : comparedPaths[near.document];
    if (said.contentSketch !== undefined) {
      index.add(sketches.length, said.contentSketch);
      sketches.push(said.contentSketch);
      comparedPaths.push(path);
    }
    const { title = '', published, authors = [] } = said.about;
    return {
      ...{ path, title, authors, text: said.text ?? '', spam: combineSigns(said.spam ?? []).score },
      ...(published === undefined ? {} : { published }),
      ...(nearTo === undefined ? {} : { nearTo }),
    };
  });
}
