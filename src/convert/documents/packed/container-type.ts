import { CompoundFile } from '../compound/cfb-reader.ts';
import { readZipDirectory, type ZipEntry } from './zip-directory.ts';

const OOXML = 'application/vnd.openxmlformats-officedocument.';
/** Names of types are short. */
const MAX_TYPE = 100;

/** Folders that Office uses, whatever its parts are called. */
const FOLDERS: readonly (readonly [RegExp, string])[] = [
  [/^word\/.+\.xml$/i, `${OOXML}wordprocessingml.document`],
  [/^xl\/.+\.xml$/i, `${OOXML}spreadsheetml.sheet`],
  [/^ppt\/.+\.xml$/i, `${OOXML}presentationml.presentation`],
];

/** The streams by which old Office files are known. */
const STREAMS: readonly (readonly [string, string])[] = [
  ['WordDocument', 'application/msword'],
  ['Workbook', 'application/vnd.ms-excel'],
  ['Book', 'application/vnd.ms-excel'],
  ['PowerPoint Document', 'application/vnd.ms-powerpoint'],
];

/** What an archive is, by the names of its parts; nothing is unpacked. Undefined for archives that are no documents. */
export function zipDocumentType(bytes: Uint8Array): string | undefined {
  const entries = readZipDirectory(bytes);
  const named = entries.find((entry) => entry.name === 'mimetype' && entry.method === 0);
  const type = named === undefined ? '' : latin1(bytes, named).trim().toLowerCase();
  if (/^application\/(?:vnd\.oasis\.opendocument\.[a-z-]+|epub\+zip)$/.test(type)) return type;
  const names = new Set(entries.map((entry) => entry.name.toLowerCase()));
  if (names.has('[content_types].xml') || names.has('_rels/.rels'))
    for (const [folder, office] of FOLDERS) if (entries.some((entry) => folder.test(entry.name))) return office;
  if (names.has('meta-inf/container.xml') && entries.some((entry) => /\.opf$/i.test(entry.name)))
    return 'application/epub+zip';
  if (names.has('content.xml') && names.has('meta-inf/manifest.xml')) return 'application/vnd.oasis.opendocument.text';
  return undefined;
}

/** What a compound file is; `encrypted` for an Office archive locked up in one. */
export function compoundDocumentType(bytes: Uint8Array): string | 'encrypted' | undefined {
  const file = CompoundFile.open(bytes);
  if (file === undefined) return undefined;
  if (file.has('EncryptedPackage')) return 'encrypted';
  for (const [stream, type] of STREAMS) if (file.has(stream)) return type;
  return undefined;
}

function latin1(bytes: Uint8Array, { start, packed }: ZipEntry): string {
  // A part may claim to begin behind the end.
  return Buffer.from(bytes.subarray(start, start + Math.min(packed, MAX_TYPE))).toString('latin1');
}
