import { createHash } from 'node:crypto';
import type { Analyze } from '../analyze.ts';

const LANGUAGES = ['', 'en', 'de', 'fr', 'es', 'it', 'ru'];
const SAMPLE =
  "The spiders' indexes were re-indexed, running 3.14 times faster in select_related and C++ (naïve state-of-the-art). " +
  'Die Häuser größerer Straßenbahnen fuhren; les maisons françaises étaient œuvres; los niños corrían rápidamente; ' +
  'le città italiane; красивые дома; 検索エンジン; user@example.org https://example.org/a_b?c=d';

/** Tells one analysis from another: terms, forms and positions that it makes of a sample in several languages. */
export function analysisPrint(analyze: Analyze): string {
  const hash = createHash('sha256');
  for (const language of LANGUAGES) {
    const used = analyze(SAMPLE, language, (term, position, form = 0) => {
      hash.update(`${term} ${position} ${form}\n`);
    });
    hash.update(`${language} ${used}\n`);
  }
  return hash.digest('hex').slice(0, 16);
}
