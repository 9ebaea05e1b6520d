import { OrbweaverError } from '../../../base/errors.ts';
import type { ImportedDocument } from './document-block.ts';

const SHOWN = 80;

/**
 * Documents from lines of `{"id", "title", "text"}`; `_id` and a missing title are taken too. Blank lines are none. The
 * first bad line ends it, unless bad lines are to be told and passed over.
 */
export async function* jsonlDocuments(
  lines: AsyncIterable<string>,
  name: string,
  passOver?: (bad: OrbweaverError) => void,
): AsyncGenerator<ImportedDocument> {
  let number = 0;
  for await (const line of lines) {
    number++;
    if (line.trim() === '') continue;
    const document = documentOf(line);
    if (typeof document !== 'string') {
      yield document;
      continue;
    }
    const bad = badLine(name, number, document, line);
    if (passOver === undefined) throw bad;
    passOver(bad);
  }
}

/** Or what is wrong with the line. */
function documentOf(line: string): ImportedDocument | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON';
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a JSON object';
  const { id = (value as { _id?: unknown })._id, title = '', text } = value as Record<string, unknown>;
  if ((typeof id !== 'string' || id === '') && typeof id !== 'number') return 'has no "id"';
  if (typeof text !== 'string') return 'has no "text"';
  if (title !== null && typeof title !== 'string') return 'has a "title" that is no string';
  return { id: String(id), title: title ?? '', text };
}

function badLine(name: string, number: number, what: string, line: string): OrbweaverError {
  const shown = line.length > SHOWN ? `${line.slice(0, SHOWN)}...` : line;
  return new OrbweaverError('INPUT_INVALID', `Line ${number} of ${name} ${what}: ${shown}`, {
    remedy:
      'Every line is one object: {"id": "d1", "title": "optional", "text": "..."}. What came before this line is indexed; ' +
      'correct the line and import again (documents are replaced by id), or pass over such lines with --skip-bad.',
  });
}
