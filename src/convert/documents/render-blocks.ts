import type { DocumentBlock, DocumentLink } from '../../contracts/content/document.ts';
import { type MarkupWriter, PlacedLinks } from './placed-links.ts';

const MARKDOWN: MarkupWriter = { text: escaped, link: (url, label) => `[${label}](${destination(url)})` };
/** One wide row does not make all others as wide. */
const MAX_PADDING = 64;

/** Blocks as plain text: a blank line between them, cells separated by tabs. */
export function renderText(blocks: readonly DocumentBlock[]): string {
  return joined(blocks, (block) => {
    if (block.kind !== 'table') return block.text;
    return block.rows.map((row) => row.join('\t')).join('\n');
  });
}

/** Blocks as Markdown; the first row of a table is its head. Links without a place in the text are listed at the end. */
export function renderMarkdown(blocks: readonly DocumentBlock[], links: readonly DocumentLink[] = []): string {
  const open = new PlacedLinks(links);
  const text = joined(blocks, (block) => {
    switch (block.kind) {
      case 'heading':
        return `${'#'.repeat(block.level)} ${open.inline(block.text, MARKDOWN)}`;
      case 'item':
        return `- ${open.inline(block.text, MARKDOWN)}`;
      case 'code':
        return fenced(block.text);
      case 'table':
        return markdownTable(block.rows, (cell) => open.inline(cell, { ...MARKDOWN, text: escapedCell }));
      default:
        return block.text
          .split('\n')
          .map((line) => plainStart(open.inline(line, MARKDOWN)))
          .join('\n');
    }
  });
  const rest = open.rest(MARKDOWN).map((link) => `- ${link}`);
  return [text, rest.join('\n')].filter((part) => part !== '').join('\n\n');
}

/** Items of a list follow each other without a blank line. */
function joined(blocks: readonly DocumentBlock[], render: (block: DocumentBlock) => string): string {
  let text = '';
  let before: DocumentBlock | undefined;
  for (const block of blocks) {
    if (before !== undefined) text += before.kind === 'item' && block.kind === 'item' ? '\n' : '\n\n';
    text += render(block);
    before = block;
  }
  return text;
}

function destination(url: string): string {
  return url.replace(/[\s<>()\\]/g, (char) => encodeURIComponent(char).replace('(', '%28').replace(')', '%29'));
}

/** Characters that would mean something in Markdown. */
function escaped(text: string): string {
  return text.replace(/[\\`*_[\]<>]/g, '\\$&');
}

function escapedCell(text: string): string {
  return escaped(text).replaceAll('|', '\\|');
}

/** Also what would make a line a heading, an item or a quote. */
function plainStart(line: string): string {
  return line.replace(/^(\s*)([#+=~-])/, '$1\\$2').replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

function fenced(code: string): string {
  const longest = Math.max(2, ...Array.from(code.matchAll(/`{3,}/g), ([ticks]) => Math.min(ticks.length, 50)));
  const fence = '`'.repeat(longest + 1);
  return `${fence}\n${code}\n${fence}`;
}

function markdownTable(rows: readonly (readonly string[])[], render: (cell: string) => string): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0);
  const padded = Math.min(width, MAX_PADDING);
  const line = (row: readonly string[]): string => {
    const cells = row.map((cell) => render(cell.replace(/\s*\n\s*/g, ' ')));
    return `| ${cells.join(' | ')} |${'  |'.repeat(Math.max(0, padded - row.length))}`;
  };
  const [head, ...body] = rows;
  if (head === undefined) return '';
  const rule = `|${' --- |'.repeat(Math.max(head.length, padded))}`;
  return [line(head), rule, ...body.map(line)].join('\n');
}
