/** The parts of a small PDF file. */
export interface MadePdf {
  /** Content of the pages, as operators; the text font is /F1. */
  readonly pages: readonly string[];
  /** Bodies of further objects, numbered from 10; pages see those in `/XObject << /X10 10 0 R ... >>`. */
  readonly objects?: readonly (string | Uint8Array)[];
  readonly resources?: string;
  readonly info?: string;
  /** Entries of every page. */
  readonly page?: string;
  readonly catalog?: string;
  readonly trailer?: string;
}

/** Writes a PDF file: objects, cross-reference table, trailer. */
export function makePdf(made: MadePdf): Uint8Array {
  const extra = made.objects ?? [];
  const first = 10 + extra.length;
  const bodies = new Map<number, string | Uint8Array>([
    [1, `<< /Type /Catalog /Pages 2 0 R ${made.catalog ?? ''} >>`],
    [
      2,
      `<< /Type /Pages /Count ${made.pages.length} /Kids [${made.pages.map((_, i) => `${first + i * 2} 0 R`).join(' ')}] >>`,
    ],
    [3, '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'],
    [4, `<< ${made.info ?? ''} >>`],
  ]);
  for (const [i, body] of extra.entries()) bodies.set(10 + i, body);
  for (const [i, content] of made.pages.entries()) {
    const resources = `/Resources << /Font << /F1 3 0 R >> ${made.resources ?? ''} >>`;
    bodies.set(
      first + i * 2,
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] ${resources} /Contents ${first + i * 2 + 1} 0 R ${made.page ?? ''} >>`,
    );
    bodies.set(first + i * 2 + 1, stream(content));
  }
  return write(bodies, made.trailer ?? '');
}

/** A stream object with entries of its dictionary. */
export function stream(content: string | Uint8Array, entries = ''): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'latin1') : content;
  return Buffer.concat([
    Buffer.from(`<< /Length ${bytes.length} ${entries} >>\nstream\n`),
    bytes,
    Buffer.from('\nendstream'),
  ]);
}

/** Operators that write a line of text at a place. */
export function line(text: string, x: number, y: number, size = 12): string {
  return `BT /F1 ${size} Tf 1 0 0 1 ${x} ${y} Tm (${text}) Tj ET\n`;
}

function write(bodies: ReadonlyMap<number, string | Uint8Array>, trailer: string): Uint8Array {
  const parts: Uint8Array[] = [Buffer.from('%PDF-1.4\n')];
  const places = new Map<number, number>();
  let at = parts[0].length;
  const add = (part: Uint8Array): void => {
    parts.push(part);
    at += part.length;
  };
  for (const [number, body] of bodies) {
    places.set(number, at);
    add(Buffer.from(`${number} 0 obj\n`));
    add(typeof body === 'string' ? Buffer.from(body, 'latin1') : body);
    add(Buffer.from('\nendobj\n'));
  }
  const table = at;
  const size = places.keys().reduce((most, number) => Math.max(most, number), 0) + 1;
  let lines = `xref\n0 ${size}\n0000000000 65535 f \n`;
  for (let number = 1; number < size; number++) {
    const place = places.get(number);
    lines += place === undefined ? '0000000000 00000 f \n' : `${String(place).padStart(10, '0')} 00000 n \n`;
  }
  add(
    Buffer.from(
      `${lines}trailer\n<< /Size ${size} /Root 1 0 R /Info 4 0 R ${trailer} >>\nstartxref\n${table}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}
