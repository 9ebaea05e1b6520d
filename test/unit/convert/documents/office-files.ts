import { strToU8, type Zippable, zipSync } from 'fflate';
import type { ConversionLimits, ConvertedDocument, DocumentBlock } from '../../../../src/contracts/content/document.ts';
import { convertDocument } from '../../../../src/convert/documents/convert-document.ts';

/** An archive of parts with these texts. The part named mimetype is stored first, as its formats want it. */
export function archive(parts: Readonly<Record<string, string | Uint8Array>>): Uint8Array {
  const files: Zippable = {};
  for (const [name, content] of Object.entries(parts)) {
    const bytes = typeof content === 'string' ? strToU8(content) : content;
    files[name] = name === 'mimetype' ? [bytes, { level: 0 }] : bytes;
  }
  return zipSync(files);
}

/** Parts of relationships: [id, type, target, external]. */
export function relationships(...list: readonly (readonly [string, string, string, boolean?])[]): string {
  const entries = list.map(
    ([id, type, target, external]) =>
      `<Relationship Id="${id}" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"${external === true ? ' TargetMode="External"' : ''}/>`,
  );
  return `<?xml version="1.0"?><Relationships>${entries.join('')}</Relationships>`;
}

const TYPES = '<?xml version="1.0"?><Types/>';

export function docx(body: string, parts: Readonly<Record<string, string>> = {}): Uint8Array {
  return archive({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relationships(['rId1', 'officeDocument', 'word/document.xml']),
    'word/document.xml': `<?xml version="1.0"?><w:document xmlns:w="w"><w:body>${body}</w:body></w:document>`,
    ...parts,
  });
}

/** A paragraph of Word with one run. */
export function p(text: string, properties = ''): string {
  return `<w:p><w:pPr>${properties}</w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`;
}

export function xlsx(
  sheets: Readonly<Record<string, string>>,
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  const names = Object.keys(sheets);
  return archive({
    '[Content_Types].xml': TYPES,
    '_rels/.rels': relationships(['rId1', 'officeDocument', 'xl/workbook.xml']),
    'xl/workbook.xml': `<workbook><sheets>${names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="s${at}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': relationships(
      ...names.map((_, at) => [`s${at}`, 'worksheet', `worksheets/sheet${at}.xml`] as const),
    ),
    ...Object.fromEntries(
      names.map((name, at) => [`xl/worksheets/sheet${at}.xml`, `<worksheet>${sheets[name]}</worksheet>`]),
    ),
    ...parts,
  });
}

export function odf(
  kind: 'text' | 'spreadsheet' | 'presentation',
  body: string,
  parts: Readonly<Record<string, string>> = {},
): Uint8Array {
  return archive({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'META-INF/manifest.xml': '<manifest:manifest/>',
    'content.xml': `<office:document-content><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...parts,
  });
}

/** The document that these bytes are read as; a failure is thrown. */
export async function converted(
  bytes: Uint8Array | string,
  mediaType?: string,
  limits?: Partial<ConversionLimits>,
): Promise<ConvertedDocument> {
  const conversion = await convertDocument(typeof bytes === 'string' ? strToU8(bytes) : bytes, {
    ...(mediaType === undefined ? {} : { mediaType }),
    ...(limits === undefined ? {} : { limits }),
  });
  if (conversion.kind === 'unreadable') throw new Error(`${conversion.why}: ${conversion.detail}`);
  return conversion.document;
}

/** Blocks in short: "h1 Title", "- item", "words", "``` code", rows of tables joined by | and /. */
export function short(blocks: readonly DocumentBlock[]): string[] {
  return blocks.map((block) => {
    if (block.kind === 'heading') return `h${block.level} ${block.text}`;
    if (block.kind === 'item') return `- ${block.text}`;
    if (block.kind === 'code') return `\`\`\` ${block.text}`;
    return block.kind === 'table' ? block.rows.map((row) => row.join('|')).join(' / ') : block.text;
  });
}
