import { html } from '../frame/html.ts';
import { docsFrame, SEARCH_PAGE } from './docs-frame.ts';
import { type DocumentFile, readDocuments } from './documents.ts';
import { renderDocument } from './markdown.ts';
import { readTopics, type Topic } from './navigation.ts';

const CONTENTS = 'index.html';

/** The documentation as pages. Each is rendered when it is asked for. */
export class DocsSite {
  readonly documents: readonly DocumentFile[];
  readonly topics: readonly Topic[];
  readonly #byPath: ReadonlyMap<string, DocumentFile>;
  readonly #paths: ReadonlySet<string>;
  readonly #isStatic: boolean;

  constructor({ isStatic = false, documents = readDocuments() } = {}) {
    this.documents = documents;
    this.#byPath = new Map(documents.map((document) => [document.path, document]));
    this.#paths = new Set(this.#byPath.keys());
    const contents = this.#byPath.get(CONTENTS);
    this.topics = contents === undefined ? [] : readTopics(contents);
    this.#isStatic = isStatic;
  }

  /** The markup of a page; undefined where there is none of the path. */
  page(path: string): string | undefined {
    const document = this.#byPath.get(path);
    if (document === undefined) return undefined;
    const { title, content, headings } = renderDocument(document, this.#paths);
    return docsFrame({ path, title, content, headings, topics: this.topics, isStatic: this.#isStatic }).markup;
  }

  /** The page that searches by a script, for a site without a server. */
  searchPage(script: string): string {
    const content = html`<h1>Search</h1><p id="status" role="status"></p><ol id="results" class="results"></ol>
<noscript><p>This search runs in your browser and needs JavaScript.</p></noscript>`;
    return docsFrame({ path: SEARCH_PAGE, title: 'Search', content, topics: this.topics, script, isStatic: true })
      .markup;
  }
}
