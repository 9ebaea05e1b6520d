import { cleanHtml } from './clean/clean-html.ts';
import { markdown } from './clean/markdown.ts';
import { plainText } from './clean/plain-text.ts';
import { proseText } from './clean/prose-text.ts';
import { unlinkedText } from './clean/unlinked-text.ts';
import { type ContentSelection, selectedLength } from './content-selection.ts';
import type { ContentTree } from './content-tree.ts';
import { type Confidence, type SelectedContent, selectContent } from './select-content.ts';
import { StatedContent } from './stated-content.ts';
import { tagPlateau } from './tag-plateau.ts';
import { buildTree, DEFAULT_TREE_LIMITS, type TreeLimits } from './tree-builder.ts';
import { countWords } from './word-count.ts';

export interface MainContentOptions {
  /** Where the document was found. */
  readonly url: string;
  /** Makes references absolute and minds `<base>`; the platform's URL parser when absent. */
  readonly resolve?: (reference: string) => string | undefined;
  /** 'structure' finds the body of the page; 'tag-plateau' is the baseline of the textbooks, to compare with. */
  readonly method?: 'structure' | 'tag-plateau';
  readonly limits?: TreeLimits;
}

/** Every form is made when it is asked for first. Until it is let go, it keeps the document in memory. */
export interface MainContent {
  /** One line for each block. */
  readonly text: string;
  /** What of the text is written in sentences; of an article all of it. */
  readonly prose: string;
  /** The text without what its links are called; of an article all of it. */
  readonly unlinked: string;
  readonly html: string;
  readonly markdown: string;
  readonly wordCount: number;
  /** 'low': no body was found, what is there had to do. 'none': there is no text. */
  readonly confidence: Confidence;
  /** 'document': no article stands out, and the text is all that is not the frame of the site. */
  readonly kind: 'article' | 'document';
}

/** A body that is stated but not shown counts where the page shows less than this. */
const SHOWN_LITTLE = 500;

/**
 * The main content of an HTML document, given as bytes of UTF-8 or as decoded text: without navigation, advertising,
 * boilerplate, comments and links to other pages. Pure; no document makes it throw; time grows with its length alone.
 */
export function mainContent(source: Uint8Array | string, options: MainContentOptions): MainContent {
  return contentOf(buildTree(source, options.limits ?? DEFAULT_TREE_LIMITS), options);
}

/** The same, where the document has been read already. */
export function contentOf(tree: ContentTree, options: MainContentOptions): MainContent {
  const selected = options.method === 'tag-plateau' ? plateau(tree) : selectContent(tree, options.url);
  const stated = tree.statedBodies.reduce((longest, body) => (body.length > longest.length ? body : longest), '');
  if (options.method !== 'tag-plateau' && selected.length < SHOWN_LITTLE && stated.length > selected.length * 2)
    return new StatedContent(stated);
  return new SelectedMainContent(tree, selected, options);
}

function plateau(tree: ContentTree): SelectedContent {
  const selection = tagPlateau(tree);
  const length = selectedLength(tree, selection);
  return { ...selection, length, confidence: length === 0 ? 'none' : 'low', kind: 'article' };
}

class SelectedMainContent implements MainContent {
  readonly confidence: Confidence;
  readonly kind: 'article' | 'document';
  readonly #tree: ContentTree;
  readonly #selected: SelectedContent;
  readonly #resolve: (reference: string) => string | undefined;
  #text: string | undefined;
  #html: string | undefined;
  #markdown: string | undefined;

  constructor(tree: ContentTree, selected: SelectedContent, options: MainContentOptions) {
    this.#tree = tree;
    this.#selected = selected;
    this.confidence = selected.confidence;
    this.kind = selected.kind;
    this.#resolve = options.resolve ?? platformResolver(options.url, tree.base);
  }

  get text(): string {
    this.#text ??= plainText(this.#tree, this.#selected);
    return this.#text;
  }

  get prose(): string {
    return this.kind === 'article' ? this.text : proseText(this.#tree, this.#selected);
  }

  get unlinked(): string {
    return this.kind === 'article' ? this.text : unlinkedText(this.#tree, this.#selected);
  }

  get html(): string {
    this.#html ??= cleanHtml(this.#tree, this.#withHeadline, this.#resolve);
    return this.#html;
  }

  get markdown(): string {
    this.#markdown ??= markdown(this.#tree, this.#withHeadline, this.#resolve);
    return this.#markdown;
  }

  /** A reader of the text has the title beside it; the other forms are read alone. */
  get #withHeadline(): ContentSelection {
    const { roots, dropped, headline } = this.#selected;
    return headline === undefined ? { roots, dropped } : { roots: [headline, ...roots], dropped };
  }

  get wordCount(): number {
    return countWords(this.text);
  }
}

function platformResolver(url: string, base: string | undefined): (reference: string) => string | undefined {
  const start = (base === undefined ? undefined : URL.parse(base, url)?.href) ?? url;
  return (reference) => URL.parse(reference, start)?.href;
}
