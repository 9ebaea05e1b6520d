import type { IndexSnapshot } from '../../contracts/search-index.ts';
import { type AnalyzeQuery, FOLDED_ONLY } from '../query/asked-words.ts';
import type { TextSource } from '../text-source.ts';

/** A word as it is written in documents. */
export interface SurfaceForm {
  readonly form: string;
  /** Without case and accents, as the index compares it. */
  readonly folded: string;
  readonly count: number;
}

export interface FormParts {
  readonly snapshot: IndexSnapshot;
  readonly analyze: AnalyzeQuery;
}

const MOST_REMEMBERED = 4000;
const LOOKED_AT = 100_000;
const WORD = /\p{L}[\p{L}\p{N}\p{M}]*/gu;

/**
 * The index holds stems, which nobody wants to read. The words that they come from are found where they stand: in the
 * texts of the documents that the term is most at home in.
 */
export class SurfaceForms {
  readonly #texts: TextSource;
  readonly #known = new Map<string, readonly SurfaceForm[]>();
  #snapshot: IndexSnapshot | undefined;

  constructor(texts: TextSource) {
    this.#texts = texts;
  }

  /** The words of a term, the most frequent first; `documents`: how many texts to look into. */
  async of(term: string, documents: number, within: FormParts): Promise<readonly SurfaceForm[]> {
    const { snapshot, analyze } = within;
    if (this.#snapshot !== snapshot) {
      this.#snapshot = snapshot;
      this.#known.clear();
    }
    const key = `${documents} ${term}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const places = snapshot
      .top({ kind: 'term', terms: [term] }, documents)
      .top.map(({ document }) => snapshot.document(document));
    const texts = await this.#texts.texts(places.map(({ id, facts }) => ({ id, fetchedAt: facts.fetchedAt })));
    const looked = places.map(({ title }, at) => `${title}\n${(texts[at] ?? '').slice(0, LOOKED_AT)}`);
    const forms = formsIn(looked, term, analyze);
    if (this.#known.size >= MOST_REMEMBERED) this.#known.clear();
    this.#known.set(key, forms);
    return forms;
  }
}

function formsIn(texts: readonly string[], term: string, analyze: AnalyzeQuery): SurfaceForm[] {
  const counts = new Map<string, number>();
  const initial = term.codePointAt(0) ?? 0;
  for (const text of texts) {
    for (const [written] of text.matchAll(WORD)) {
      const lower = written.toLowerCase();
      const first = lower.codePointAt(0) ?? 0;
      if (first < 128 && initial < 128 && first !== initial) continue;
      counts.set(lower, (counts.get(lower) ?? 0) + 1);
    }
  }
  const forms: SurfaceForm[] = [];
  for (const [form, count] of counts) {
    const [word, ...others] = analyze(form);
    if (word !== undefined && others.length === 0 && word.terms.includes(term))
      forms.push({ form, folded: analyze(form, FOLDED_ONLY)[0]?.terms[0] ?? form, count });
  }
  return forms.sort((a, b) => b.count - a.count || (a.form < b.form ? -1 : 1));
}
