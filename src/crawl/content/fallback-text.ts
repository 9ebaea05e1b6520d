import { extractPage } from '../../extract/extract-page.ts';

/** What leads to other documents; pictures, scripts and frames of others come and go. */
const LEADS: ReadonlySet<string> = new Set(['a', 'area', 'frame', 'refresh']);

/**
 * What is compared of a page without main text, such as the shell of a program that runs in the browser: the text that can
 * be seen and the addresses that it leads to. Scripts, hidden fields and queries hold tokens that are new at every visit.
 */
export function fallbackText(source: Uint8Array | string, url: string): string {
  const { text, links } = extractPage(source, { url, text: true, resources: false });
  const leads = links.filter(({ kind }) => LEADS.has(kind)).map((link) => link.url.replace(/[?#;].*$/su, ''));
  return [text, ...new Set(leads)].join('\n');
}
