import type { PageForms } from '../../contracts/content/search-form.ts';
import { searchForms } from '../../extract/forms/search-forms.ts';
import type { ReadDocument } from './document-reader.ts';

const WORD = /\p{L}[\p{L}\p{N}]{2,29}/gu;
const MOST_WORDS = 400;

/** The search forms of a page and the words that it and its links are made of; undefined where it is no page. */
export function pageForms(
  { page, source }: Pick<ReadDocument, 'page' | 'source'>,
  body: Uint8Array,
  text: string | undefined,
  resolver: (base: string) => (reference: string) => string | undefined,
): PageForms | undefined {
  if (page === undefined) return undefined;
  const words = new Set<string>();
  for (const some of [text ?? '', ...page.links.map((link) => link.text)])
    for (const [word] of some.matchAll(WORD)) {
      if (words.size >= MOST_WORDS) break;
      words.add(word.toLowerCase());
    }
  return { forms: searchForms(source ?? body, resolver(page.base)), words: [...words] };
}
