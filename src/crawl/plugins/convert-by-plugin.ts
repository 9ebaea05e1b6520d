import type { ConversionLimits, DocumentBlock } from '../../contracts/content/document.ts';
import type { MediaConverter, MediaDocument } from '../../contracts/plugin.ts';
import { renderText } from '../../convert/documents/render-blocks.ts';
import { hasStructure, renderHtml } from '../../convert/documents/render-html.ts';
import { describePluginFault, type Part } from '../../plugins/plugins.ts';
import type { ConvertedText } from '../content/convert-to-text.ts';

/** What the converter of a plug-in makes of a document. Never rejects: its faults are told of the document. */
export async function convertByPlugin(
  { plugin, call }: Part<MediaConverter>,
  document: MediaDocument,
  { maxText, maxLinks }: Pick<ConversionLimits, 'maxText' | 'maxLinks'>,
): Promise<ConvertedText> {
  try {
    const converted = await call(document);
    if (converted === undefined)
      return { kind: 'unreadable', why: 'unsupported', detail: `plug-in ${plugin} gave no text` };
    const { text, blocks: given = [], authors = [], links = [], ...said } = converted;
    const blocks = given.map(plainBlock);
    const ofBlocks = renderText(blocks);
    const whole = String(text ?? ofBlocks);
    const kept = links.slice(0, maxLinks).map((link) => ({ url: String(link.url), text: String(link.text ?? '') }));
    const own = blocks.length > 0 ? blocks : paragraphs(whole);
    const addresses = kept.reduce((sum, { url }) => sum + url.length, 0);
    const isBounded = Math.max(whole.length, ofBlocks.length, addresses) <= maxText;
    const isStructured = whole !== '' && isBounded && hasStructure({ blocks: own, links: kept });
    const { title, description, language, keywords, ...facts } = said;
    const about = textsOf({ title, description, language });
    return {
      kind: 'converted',
      text: whole.slice(0, maxText),
      ...(isStructured ? { html: renderHtml({ ...about, blocks: own, links: kept }) } : {}),
      document: {
        ...facts,
        ...about,
        ...(Array.isArray(keywords) ? { keywords: keywords.map(plain) } : {}),
        ...(whole.length > maxText ? { cut: 'text' as const } : {}),
        authors: Array.isArray(authors) ? authors.map(plain) : [],
        links: kept,
      },
    };
  } catch (cause) {
    return { kind: 'unreadable', why: 'broken', detail: describePluginFault(plugin, cause) };
  }
}

function paragraphs(text: string): DocumentBlock[] {
  return text.split(/\n{2,}/).map((paragraph) => ({ kind: 'paragraph', text: paragraph }));
}

/** Plug-ins in JavaScript give numbers for texts, or nothing. */
function plainBlock(block: DocumentBlock): DocumentBlock {
  if (block.kind === 'table') return { kind: 'table', rows: block.rows.map((row) => row.map(plain)) };
  const text = plain(block.text);
  return block.kind === 'heading' ? { kind: 'heading', level: Number(block.level) || 1, text } : { ...block, text };
}

/** Those that say something. */
function textsOf<Key extends string>(given: Readonly<Record<Key, unknown>>): { readonly [Name in Key]?: string } {
  const said = Object.entries(given).map(([name, value]) => [name, plain(value)]);
  return Object.fromEntries(said.filter(([, text]) => text !== ''));
}

function plain(text: unknown): string {
  return text === undefined || text === null ? '' : String(text);
}
