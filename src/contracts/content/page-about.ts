/** What a document says, and what it says of itself; part of the record of its page. */
export interface PageAbout {
  /** The headline, cleaned of the name of the site. */
  readonly title?: string;
  readonly authors?: readonly string[];
  /** ms since the epoch. */
  readonly published?: number;
  readonly modified?: number;
  readonly siteName?: string;
  readonly description?: string;
  readonly image?: string;
  readonly keywords?: readonly string[];
  /** Of the text itself, ISO 639-1. */
  readonly language?: string;
  /** How sure that is, 0 to 1. */
  readonly languageConfidence?: number;
  /** As the document declares it. */
  readonly declaredLanguage?: string;
  /** Length of the stored text, in characters, and its words. */
  readonly textLength: number;
  readonly words: number;
  /** Pages, slides or sheets. */
  readonly pages?: number;
  /** A limit was reached: the text is the beginning. */
  readonly cut?: 'pages' | 'text' | 'time' | 'size';
  /** Why a document gave no text. */
  readonly unreadable?: string;
}
