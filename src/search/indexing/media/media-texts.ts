import { existsSync } from 'node:fs';
import type { ShownOn } from '../../../contracts/search-service.ts';
import type { TextCopy, TextSource } from '../../text-source.ts';
import { mediaFolder } from '../index-folder.ts';
import { bestShowing, mediaText } from './media-document.ts';
import { MediaStore, mediaStorePath, type Showing } from './media-store.ts';

/** What is said of pictures, for snippets; of several folders the first that knows one. */
export class MediaTexts implements TextSource, Disposable {
  readonly #stores: readonly MediaStore[];

  constructor(folders: readonly string[]) {
    const places = folders.map(mediaFolder).filter((place) => existsSync(mediaStorePath(place)));
    this.#stores = places.map((place) => new MediaStore(place, { readOnly: true }));
  }

  async texts(copies: readonly TextCopy[]): Promise<readonly (string | undefined)[]> {
    return copies.map(({ id }) => {
      const showings = this.#showings(id);
      return showings.length === 0 ? undefined : mediaText(showings);
    });
  }

  shownOn(id: string): ShownOn | undefined {
    const showings = this.#showings(id);
    if (showings.length === 0) return undefined;
    const { page, width, height } = bestShowing(showings);
    return { url: page.url, title: page.title, ...(width > 0 && height > 0 ? { width, height } : {}) };
  }

  #showings(id: string): readonly Showing[] {
    for (const store of this.#stores) {
      const showings = store.showings(id);
      if (showings.length > 0) return showings;
    }
    return [];
  }

  [Symbol.dispose](): void {
    for (const store of this.#stores) store[Symbol.dispose]();
  }
}
