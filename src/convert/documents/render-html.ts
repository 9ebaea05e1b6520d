import type { ConvertedDocument, DocumentBlock } from '../../contracts/content/document.ts';
import { type MarkupWriter, PlacedLinks } from './placed-links.ts';

const HTML: MarkupWriter = { text: escaped, link: (url, label) => `<a href="${escaped(url)}">${label}</a>` };

/** Whether there is more to a document than its words: plain text says the same without. */
export function hasStructure({ blocks, links }: Pick<ConvertedDocument, 'blocks' | 'links'>): boolean {
  return links.length > 0 || blocks.some(({ kind }) => kind === 'heading' || kind === 'table' || kind === 'item');
}

/** A document as a page: headings, lists, tables and links, with nothing of its looks. Links without a place in the text stand at the end. */
export function renderHtml({ title = '', language = '', blocks, links }: Partial<ConvertedDocument>): string {
  const placed = new PlacedLinks(links ?? []);
  const content = elements(blocks ?? [], placed);
  const rest = placed.rest(HTML).map((link) => `<li>${link}</li>`);
  return [
    `<!doctype html>\n<html${language === '' ? '' : ` lang="${escaped(language)}"`}>`,
    `<head><meta charset="utf-8"><title>${escaped(title)}</title></head>\n<body>`,
    ...content,
    ...(rest.length === 0 ? [] : ['<ul>', ...rest, '</ul>']),
    '</body></html>\n',
  ].join('\n');
}

function elements(blocks: readonly DocumentBlock[], placed: PlacedLinks): string[] {
  const written: string[] = [];
  let inList = false;
  for (const block of blocks) {
    const isItem = block.kind === 'item';
    if (isItem !== inList) written.push(isItem ? '<ul>' : '</ul>');
    inList = isItem;
    written.push(element(block, placed));
  }
  if (inList) written.push('</ul>');
  return written;
}

function element(block: DocumentBlock, placed: PlacedLinks): string {
  switch (block.kind) {
    case 'heading': {
      const name = `h${Math.min(6, Math.max(1, Math.trunc(block.level)))}`;
      return `<${name}>${placed.inline(block.text, HTML)}</${name}>`;
    }
    case 'item':
      return `<li>${placed.inline(block.text, HTML)}</li>`;
    case 'code':
      // A line break right behind the tag is none of the text.
      return `<pre>\n${escaped(block.text)}</pre>`;
    case 'table':
      return `<table>\n${block.rows.map((row) => tableRow(row, placed)).join('\n')}\n</table>`;
    default:
      return `<p>${placed.inline(block.text, HTML).replaceAll('\n', '<br>\n')}</p>`;
  }
}

function tableRow(row: readonly string[], placed: PlacedLinks): string {
  return `<tr>${row.map((cell) => `<td>${placed.inline(cell, HTML)}</td>`).join('')}</tr>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
