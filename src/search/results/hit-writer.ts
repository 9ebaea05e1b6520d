import type { IndexSnapshot, StoredDocument } from '../../contracts/search-index.ts';
import type { SearchHit, SnippetPart } from '../../contracts/search-service.ts';
import type { AskedWord } from '../query/asked-words.ts';
import type { TextSource } from '../text-source.ts';
import type { CodeUnits } from './code-units.ts';
import type { Foldable, FoldedAway } from './folding.ts';
import { highlighted, snippetOf } from './snippet.ts';
import { WantedWords } from './wanted-words.ts';
import { type TermsOf, WordMatcher } from './word-matcher.ts';

/** Longer titles are cut: they are meant to be read at a glance. */
const LONGEST_TITLE = 160;

/** Writes hits for reading: title and passage with the words of the query marked. */
export class HitWriter {
  readonly #wanted: WantedWords;
  readonly #termsOf: TermsOf;
  readonly #texts: TextSource;
  readonly #snapshot: IndexSnapshot;
  readonly #units: CodeUnits;
  /** Rare words tell more than frequent ones. */
  readonly #weights: readonly number[];
  readonly #matchers = new Map<string, WordMatcher>();

  constructor(
    asked: readonly AskedWord[],
    termsOf: TermsOf,
    texts: TextSource,
    snapshot: IndexSnapshot,
    units: CodeUnits,
  ) {
    this.#wanted = new WantedWords(asked);
    this.#termsOf = termsOf;
    this.#texts = texts;
    this.#snapshot = snapshot;
    this.#units = units;
    this.#weights = asked.flatMap(({ terms }) =>
      terms.map((alternatives) => {
        const documents = Math.max(0, ...alternatives.map((term) => snapshot.frequency(term)));
        return 0.2 + Math.log(1 + snapshot.documents / (1 + documents));
      }),
    );
  }

  async write(hits: readonly (Foldable & FoldedAway)[]): Promise<SearchHit[]> {
    const documents = hits.map(({ document }) => this.#snapshot.document(document));
    const texts = await this.#texts.texts(documents.map(({ id, facts }) => ({ id, fetchedAt: facts.fetchedAt })));
    return await Promise.all(hits.map((hit, at) => this.#write(hit, documents[at], texts[at] ?? '')));
  }

  /** `text`: of the copy that the index holds, because words were found in that one. */
  async #write(hit: Foldable & FoldedAway, { id, title, facts }: StoredDocument, text: string): Promise<SearchHit> {
    const { score, similar, moreFromHost } = hit;
    const { host, mediaType, language, date, fetchedAt } = facts;
    const matcher = this.#matcher(language);
    const address = /^(?:file:|[a-z][a-z0-9+.-]*:\/\/)/i.test(id) && URL.canParse(id) ? { url: id } : {};
    const shownOn = this.#texts.shownOn?.(id);
    return {
      id,
      ...address,
      title: this.#title(title.trim() === '' ? id : title, matcher),
      snippet: await this.#snippet(text, id, fetchedAt, matcher),
      host,
      mediaType,
      language,
      date,
      fetchedAt,
      score,
      similar,
      moreFromHost,
      ...(shownOn === undefined ? {} : { shownOn }),
    };
  }

  #title(title: string, matcher: WordMatcher): SnippetPart[] {
    if (title.length <= LONGEST_TITLE) return highlighted(title, matcher);
    const space = title.lastIndexOf(' ', LONGEST_TITLE);
    const cut = highlighted(title.slice(0, space > LONGEST_TITLE / 2 ? space : LONGEST_TITLE), matcher);
    return [...cut, { text: ' …', match: false }];
  }

  async #snippet(text: string, id: string, fetchedAt: number, matcher: WordMatcher): Promise<SnippetPart[]> {
    const passage = snippetOf(text, matcher, { weights: this.#weights });
    if (passage.some(({ match }) => match) || this.#texts.description === undefined) return passage;
    const description = await this.#texts.description(id, fetchedAt);
    return description === undefined ? passage : snippetOf('', matcher, { description });
  }

  #matcher(language: string): WordMatcher {
    const known = this.#matchers.get(language);
    if (known !== undefined) return known;
    const matcher = new WordMatcher(this.#wanted, this.#termsOf, language, this.#units);
    this.#matchers.set(language, matcher);
    return matcher;
  }
}
