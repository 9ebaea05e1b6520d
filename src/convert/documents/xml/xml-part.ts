import { xmlEncoding } from '../../xml-encoding.ts';
import type { PartReading, ZipArchive } from '../packed/zip-archive.ts';
import { type XmlHandler, XmlReader } from './xml-reader.ts';

export interface XmlPartOptions {
  /** Read as XHTML: see `XmlReader`. */
  readonly markup?: boolean;
  /** Asked after each piece; true ends the reading. */
  readonly enough?: () => boolean;
}

/** Reads one part of an archive as XML, piece by piece. The handler sees every element closed, however the part ends. */
export function readXmlPart(
  archive: ZipArchive,
  name: string,
  handler: XmlHandler,
  options: XmlPartOptions = {},
): PartReading {
  const reader = new XmlReader(handler, options.markup === true);
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  const reading = archive.read(name, (bytes) => {
    decoder ??= decoderOf(bytes);
    reader.write(decoder.decode(bytes, { stream: true }));
    return options.enough?.() !== true;
  });
  reader.end();
  return reading;
}

/** Parts are UTF-8 or UTF-16, and say so if they are anything else. */
function decoderOf(start: Uint8Array): InstanceType<typeof TextDecoder> {
  const wide =
    start[0] === 0xff && start[1] === 0xfe
      ? 'utf-16le'
      : start[0] === 0xfe && start[1] === 0xff
        ? 'utf-16be'
        : undefined;
  try {
    return new TextDecoder(wide ?? xmlEncoding(start) ?? 'utf-8');
  } catch {
    // An encoding that has a name, but no decoder.
    return new TextDecoder('utf-8');
  }
}
