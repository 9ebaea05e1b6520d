import { FOREIGN_TEXTS, type ForeignText } from '../markup/foreign-words.ts';
import { hash32, unit } from '../model/seeded-hash.ts';
import type { WebSpec } from '../model/web-spec.ts';

const PURPOSE = { charset: 130, choice: 131 } as const;

/** How a page says what charset it is in. */
export type CharsetDeclaration = 'header' | 'meta' | 'http-equiv' | 'byte-order-mark' | 'none';

export interface PageCharset {
  readonly text: ForeignText;
  readonly charset: string;
  readonly declared: CharsetDeclaration;
}

/** Which pages are not in UTF-8, and how they say so. */
export class CharsetPlan {
  readonly #seed: number;
  readonly #share: number;

  constructor(spec: Pick<WebSpec, 'seed' | 'charsetShare'>) {
    this.#seed = spec.seed;
    this.#share = spec.charsetShare;
  }

  /** Undefined: UTF-8. */
  charset(host: number, index: number): PageCharset | undefined {
    if (this.#share === 0 || unit(hash32(this.#seed, host, index, PURPOSE.charset)) >= this.#share) return undefined;
    const choice = hash32(this.#seed, host, index, PURPOSE.choice);
    const text = FOREIGN_TEXTS[choice % FOREIGN_TEXTS.length];
    // Nobody can read UTF-16 that does not say what it is: not even its links.
    const ways = text.charset.startsWith('utf-16') ? UTF16_WAYS : BYTE_WAYS;
    return { text, charset: text.charset, declared: ways[(choice >>> 16) % ways.length] };
  }
}

const UTF16_WAYS: readonly CharsetDeclaration[] = ['header', 'byte-order-mark'];
const BYTE_WAYS: readonly CharsetDeclaration[] = ['header', 'meta', 'http-equiv', 'none'];
