import { stringify } from 'yaml';

/** What stands above the text of a page. */
export interface FrontMatter {
  readonly url: string;
  readonly title?: string;
  /** When the copy was fetched, ISO 8601. */
  readonly fetched: string;
  /** When the page was published, or changed, by its own words. */
  readonly date?: string;
  readonly language?: string;
  readonly description?: string;
  readonly authors?: readonly string[];
  readonly canonical?: string;
  readonly links?: readonly string[];
}

/** As a block of YAML between two lines of three dashes. */
export function frontMatter(fields: FrontMatter): string {
  const given = Object.entries(fields as unknown as Record<string, string | readonly string[]>);
  const clean = given.map(([name, value]) => [
    name,
    typeof value === 'string' ? value.toWellFormed() : value.map(wellFormed),
  ]);
  const yaml = stringify(Object.fromEntries(clean), {
    lineWidth: 0,
    // Also what other readers of YAML would take for a date, a number or a boolean stays a text.
    defaultStringType: 'QUOTE_DOUBLE',
    defaultKeyType: 'PLAIN',
    aliasDuplicateObjects: false,
  });
  return `---\n${yaml}---\n`;
}

/** Titles may hold anything: half characters are no UTF-8. */
function wellFormed(text: string): string {
  return text.toWellFormed();
}
