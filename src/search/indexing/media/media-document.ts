import { createHash } from 'node:crypto';
import type { IndexedDocument } from '../../../contracts/search-index.ts';
import { mediaTypeByName } from '../../../extract/media/media-types.ts';
import type { Showing } from './media-store.ts';

/** A file as the index takes it, by what is said of it; `showings` has one at least. */
export function mediaDocument(media: string, showings: readonly Showing[]): IndexedDocument {
  const best = bestShowing(showings);
  const { page } = best;
  return {
    id: media,
    title: best.alt || best.caption || fileName(media),
    headings: distinct(showings.map(({ caption }) => caption)),
    body: mediaText(showings),
    description: page.title,
    anchors: [],
    facts: {
      // That of the page: what is shown by a site is its picture, wherever it is loaded from.
      host: page.host,
      mediaType: mediaTypeByName(media, best.kind),
      ...{ language: page.language, date: page.date, fetchedAt: page.fetchedAt, cluster: 0, spam: page.spam, rank: 0 },
    },
  };
}

/** Everything that is said, for the index and for snippets; the words around the best showing alone. */
export function mediaText(showings: readonly Showing[]): string {
  const best = bestShowing(showings);
  const said = showings.flatMap(({ alt, caption }) => [caption, alt]);
  return distinct([...said, best.heading, best.words]);
}

/** The page that says most of it; of two that say as much, the one with the shorter address, which is seldom a list. */
export function bestShowing(showings: readonly Showing[]): Showing {
  const worth = ({ alt, caption, words }: Showing): number =>
    (caption === '' ? 0 : 4) + (alt === '' ? 0 : 2) + (words === '' ? 0 : 1);
  return showings.reduce((best, one) => {
    const more = worth(one) - worth(best);
    if (more !== 0) return more > 0 ? one : best;
    return one.page.url.length < best.page.url.length ? one : best;
  });
}

export function digestOf(document: IndexedDocument): string {
  return createHash('sha1').update(JSON.stringify(document)).digest('base64url');
}

function distinct(texts: readonly string[]): string {
  return [...new Set(texts)].filter((text) => text !== '').join('\n');
}

function fileName(url: string): string {
  const name = new URL(url).pathname.split('/').at(-1) ?? '';
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
