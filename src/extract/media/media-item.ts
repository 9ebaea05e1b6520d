export type MediaKind = 'image' | 'video' | 'audio';

/** A picture, film or sound that a page shows, and what the page says of it. Texts have white space collapsed; '' where nothing is said. */
export interface MediaItem {
  readonly kind: MediaKind;
  /** The media file; canonical. */
  readonly url: string;
  /** What it shows, for who does not see it: alternative text, or the name in structured data. */
  readonly alt: string;
  readonly caption: string;
  /** The nearest heading before it. */
  readonly heading: string;
  /** Before and after it on the page. */
  readonly words: string;
  /** In CSS pixels, as declared; 0 where nothing is. */
  readonly width: number;
  readonly height: number;
}

/** The same before its address is known to be one. */
export interface FoundMedia extends Omit<MediaItem, 'url'> {
  readonly reference: string;
}

/** Of each text; what is longer is no description. */
export const LONGEST_TEXT = 500;

export function collapsed(text: string, longest: number = LONGEST_TEXT): string {
  // Cut first: white space without end must not cost without bound.
  const plain = text
    .slice(0, 8 * longest)
    .replace(/\s+/g, ' ')
    .trim();
  if (plain.length <= longest) return plain;
  const space = plain.lastIndexOf(' ', longest);
  return plain.slice(0, space > longest / 2 ? space : longest).toWellFormed();
}
