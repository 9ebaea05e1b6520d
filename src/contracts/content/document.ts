/** One piece of a converted document, in reading order. Texts have collapsed white space; only code and plain text keep line breaks. */
export type DocumentBlock =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph'; readonly text: string }
  | { readonly kind: 'item'; readonly text: string }
  | { readonly kind: 'table'; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'code'; readonly text: string };

/** A link within a document, as written there: absolute or not. */
export interface DocumentLink {
  readonly url: string;
  readonly text: string;
}

/** What a PDF, an Office file or a plain text says: its structure, without its looks. */
export interface ConvertedDocument {
  readonly title?: string;
  readonly authors: readonly string[];
  /** ms since the epoch. */
  readonly created?: number;
  readonly modified?: number;
  /** As the document declares it, a language tag. */
  readonly language?: string;
  readonly description?: string;
  readonly keywords?: readonly string[];
  /** Pages, slides or sheets it says it has. */
  readonly pages?: number;
  readonly blocks: readonly DocumentBlock[];
  readonly links: readonly DocumentLink[];
  /** A limit was reached: what is here is the beginning. */
  readonly cut?: 'pages' | 'text' | 'time' | 'size';
}

/** What became of a document. Nothing that its bytes do can throw. */
export type Conversion =
  | { readonly kind: 'converted'; readonly document: ConvertedDocument }
  | {
      readonly kind: 'unreadable';
      readonly why: 'encrypted' | 'broken' | 'too-large' | 'timeout' | 'busy' | 'unsupported';
      readonly detail: string;
    };

/** What one conversion may take. */
export interface ConversionLimits {
  readonly maxMs: number;
  /** Pages, slides or sheets. */
  readonly maxPages: number;
  /** Characters of text in all blocks together. */
  readonly maxText: number;
  /** Bytes that compressed parts may unpack to, all together. */
  readonly maxUnpacked: number;
  readonly maxLinks: number;
}
