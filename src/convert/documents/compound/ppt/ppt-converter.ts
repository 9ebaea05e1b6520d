import type { Conversion, ConversionLimits } from '../../../../contracts/content/document.ts';
import { ConversionBudget } from '../../conversion-budget.ts';
import { DocumentBuilder } from '../../document-builder.ts';
import { ByteReader } from '../byte-reader.ts';
import { summaryOf } from '../cfb-properties.ts';
import { CompoundFile } from '../cfb-reader.ts';
import { PptPresentation } from './ppt-presentation.ts';
import { pptRecordAt } from './ppt-records.ts';
import { PPT } from './ppt-types.ts';

/** The token of a presentation that needs a password. */
const ENCRYPTED_TOKEN = 0xf3d1c4df;
const EDIT_LENGTH_WITH_ENCRYPTION = 32;

/** PowerPoint presentations of the binary format, 97 to 2003. */
export function convertPpt(bytes: Uint8Array, limits: ConversionLimits): Conversion {
  const file = CompoundFile.open(bytes);
  if (file === undefined) return { kind: 'unreadable', why: 'broken', detail: 'not a compound file' };
  if (file.has('EncryptedPackage')) return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  const main = file.stream('PowerPoint Document');
  if (main === undefined) {
    const isOld = file.has('PP40');
    return { kind: 'unreadable', why: isOld ? 'unsupported' : 'broken', detail: 'no stream PowerPoint Document' };
  }
  const reader = new ByteReader(main);
  const user = new ByteReader(file.stream('Current User') ?? new Uint8Array(0));
  const edit = user.u32(16);
  if (user.u32(12) === ENCRYPTED_TOKEN || hasEncryption(reader, edit)) {
    return { kind: 'unreadable', why: 'encrypted', detail: 'needs a password' };
  }
  const document = new DocumentBuilder(new ConversionBudget(limits));
  Object.assign(document.facts, summaryOf(file));
  const presentation = new PptPresentation(document, reader, edit);
  presentation.read();
  if (presentation.slides > 0) document.facts.pages = presentation.slides;
  return document.finish();
}

/** An edit that names the session of its encryption. */
function hasEncryption(reader: ByteReader, edit: number): boolean {
  const record = pptRecordAt(reader, edit);
  return (
    record?.type === PPT.userEdit &&
    record.end - record.start >= EDIT_LENGTH_WITH_ENCRYPTION &&
    reader.u32(record.start + 28) !== 0
  );
}
