import { deflateSync } from 'node:zlib';
import { BODY_BYTES, type HostileCase, REQUEST_SECONDS } from './hostile-case.ts';
import { message } from './hostile-message.ts';
import { type ZipEntry, zipFile } from './zip-file.ts';

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
const MEBIBYTE = 1024 * 1024;

function file(
  name: string,
  type: string,
  bytes: () => Buffer,
  bound = 'document-time, document-unpacked',
): HostileCase {
  let made: Buffer | undefined;
  const body = (): Buffer => {
    made ??= bytes();
    return made;
  };
  return {
    ...{ name: `file-${name}`, group: 'documents', bound, expect: ['stored'] },
    ...{ maxBytes: 3 * BODY_BYTES, maxSeconds: REQUEST_SECONDS.body },
    answer: (socket) => void socket.write(message(body(), [`Content-Type: ${type}`])),
    prepare: () => void body(),
  };
}

/** Files whose conversion to text is the attack. */
export function documentCases(): readonly HostileCase[] {
  return [
    file(
      'pdf-many-pages',
      'application/pdf',
      () => pdf(30_000, 'BT /F1 12 Tf 72 720 Td (Every page says the same) Tj ET'),
      'document-pages',
    ),
    file('pdf-stream-bomb', 'application/pdf', () => pdf(1, Buffer.alloc(200 * MEBIBYTE, 'BT (x) Tj ET '))),
    file('pdf-page-loop', 'application/pdf', () =>
      Buffer.from(pdf(1, 'BT ET').toString('latin1').replace('/Kids [5 0 R]', '/Kids [2 0 R]'), 'latin1'),
    ),
    file('pdf-cut', 'application/pdf', () => pdf(500, 'BT (x) Tj ET').subarray(0, 4000)),
    file('pdf-noise', 'application/pdf', () => Buffer.concat([Buffer.from('%PDF-1.7\n'), noise(2 * MEBIBYTE)])),
    file('docx-bomb', DOCX, () => word(`<w:p><w:r><w:t>${'0'.repeat(256 * MEBIBYTE)}</w:t></w:r></w:p>`)),
    file('docx-lying-size', DOCX, () => word('0'.repeat(200 * MEBIBYTE), 1000)),
    file('docx-laughs', DOCX, () => word('&lol9;', undefined, laughs())),
    file('docx-deep', DOCX, () => word('<w:p>'.repeat(2_000_000))),
    file('docx-many-entries', DOCX, () =>
      zipFile([
        ...Array.from({ length: 60_000 }, (_, i) => ({ name: `x/${i}`, data: Buffer.alloc(0) })),
        ...wordParts('<w:p/>'),
      ]),
    ),
    file('docx-cut', DOCX, () => word('<w:p/>').subarray(0, 300)),
    file('xlsx-cells', XLSX, () => sheet('<row><c><v>1</v></c><c><v>2</v></c></row>'.repeat(1_500_000))),
    file('xlsx-far-cell', XLSX, () =>
      sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row><row r="1"><c r="A1"><v>2</v></c></row>'),
    ),
    file('rtf-deep', 'application/rtf', () => Buffer.from(`{\\rtf1 ${'{\\b '.repeat(3_000_000)}`)),
    file('doc-noise', 'application/msword', () =>
      Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), noise(4 * MEBIBYTE)]),
    ),
    file('text-one-line', 'text/plain', () => Buffer.alloc(16 * MEBIBYTE, 'a')),
    file('json-deep', 'application/json', () => Buffer.alloc(8 * MEBIBYTE, '[')),
  ];
}

function pdf(pages: number, content: string | Buffer): Buffer {
  const packed = deflateSync(content, { level: 9 });
  const kids = Array.from({ length: pages }, (_, i) => `${i + 5} 0 R`).join(' ');
  const objects: Buffer[] = [
    Buffer.from('<< /Type /Catalog /Pages 2 0 R >>'),
    Buffer.from(`<< /Type /Pages /Count ${pages} /Kids [${kids}] >>`),
    Buffer.from('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'),
    Buffer.concat([
      Buffer.from(`<< /Length ${packed.length} /Filter /FlateDecode >>\nstream\n`),
      packed,
      Buffer.from('\nendstream'),
    ]),
  ];
  const one = Buffer.from(
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents 4 0 R /Resources << /Font << /F1 3 0 R >> >> >>',
  );
  for (let i = 0; i < pages; i++) objects.push(one);
  const parts: Buffer[] = [Buffer.from('%PDF-1.4\n')];
  let at = parts[0].length;
  let table = '';
  for (const [i, object] of objects.entries()) {
    const whole = Buffer.concat([Buffer.from(`${i + 1} 0 obj\n`), object, Buffer.from('\nendobj\n')]);
    table += `${String(at).padStart(10, '0')} 00000 n \n`;
    at += whole.length;
    parts.push(whole);
  }
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`;
  parts.push(Buffer.from(`xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}${trailer}`));
  return Buffer.concat(parts);
}

function wordParts(body: string, claimedSize?: number, doctype = ''): ZipEntry[] {
  const document = `${doctype}<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  return [
    {
      name: '[Content_Types].xml',
      data: Buffer.from(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/word/document.xml" ContentType="${DOCX}.main+xml"/></Types>`,
      ),
    },
    { name: '_rels/.rels', data: relations('word/document.xml') },
    { name: 'word/document.xml', data: Buffer.from(document), ...(claimedSize === undefined ? {} : { claimedSize }) },
  ];
}

function word(body: string, claimedSize?: number, doctype = ''): Buffer {
  return zipFile(wordParts(body, claimedSize, doctype));
}

function sheet(rows: string): Buffer {
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
  return zipFile([
    {
      name: '[Content_Types].xml',
      data: Buffer.from(
        `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="${XLSX}.main+xml"/></Types>`,
      ),
    },
    { name: '_rels/.rels', data: relations('xl/workbook.xml') },
    {
      name: 'xl/workbook.xml',
      data: Buffer.from(
        `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="s" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      ),
    },
    { name: 'xl/_rels/workbook.xml.rels', data: relations('worksheets/sheet1.xml', 'worksheet') },
    {
      name: 'xl/worksheets/sheet1.xml',
      data: Buffer.from(`<worksheet xmlns="${main}"><sheetData>${rows}</sheetData></worksheet>`),
    },
  ]);
}

function relations(target: string, type = 'officeDocument'): Buffer {
  return Buffer.from(
    `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/${type}" Target="${target}"/></Relationships>`,
  );
}

function laughs(): string {
  const entities = Array.from(
    { length: 9 },
    (_, i) => `<!ENTITY lol${i + 1} "${`&lol${i === 0 ? '' : i};`.repeat(10)}">`,
  );
  return `<!DOCTYPE d [<!ENTITY lol "lol">${entities.join('')}]>`;
}

function noise(bytes: number): Buffer {
  const buffer = Buffer.alloc(bytes);
  for (let i = 0; i < bytes; i++) buffer[i] = (i * 7919 + (i >> 7)) & 255;
  return buffer;
}
