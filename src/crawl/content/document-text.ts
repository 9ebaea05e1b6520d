import { convertDocument } from '../../convert/documents/convert-document.ts';
import { renderMarkdown, renderText } from '../../convert/documents/render-blocks.ts';
import { mainContent } from '../../extract/main-content/main-content.ts';
import { pageMetadata } from '../../extract/metadata/page-metadata.ts';
import { DocumentReader } from './document-reader.ts';
import { steadyTitle } from './text-digest.ts';

/** The main text of a document, or its Markdown, rebuilt from its bytes; '' where it has none. */
export async function documentText(
  body: Uint8Array,
  url: string,
  contentType: string | undefined,
  form: 'text' | 'markdown',
): Promise<string> {
  const { page, source, mediaType } = new DocumentReader().read(body, url, contentType);
  if (page !== undefined) return mainContent(source ?? body, { url })[form];
  const conversion = await convertDocument(body, { mediaType: contentType ?? mediaType, url });
  if (conversion.kind === 'unreadable') return '';
  const { blocks, links } = conversion.document;
  if (form === 'text') return renderText(blocks);
  // As on pages: what is read elsewhere leads where the document leads.
  return renderMarkdown(
    blocks,
    links.map((link) => ({ ...link, url: URL.parse(link.url, url)?.href ?? link.url })),
  );
}

/** What counts for changes, with the headline of a page as its first line, unless its text begins with that. */
export function withHeadline(text: string, body: Uint8Array, url: string, contentType: string | undefined): string {
  const { page, source } = new DocumentReader().read(body, url, contentType);
  const title = page && pageMetadata(source ?? body, { url }).title?.value;
  const headline = steadyTitle(title ?? '');
  return headline === '' || text.split('\n', 1)[0].trim() === headline ? text : `${headline}\n${text}`;
}
