import { deflateRawSync, gzipSync, zstdCompressSync } from 'node:zlib';

export interface WrittenRecord {
  readonly type: string;
  readonly url?: string;
  readonly date?: string;
  readonly fields?: Readonly<Record<string, string>>;
  readonly block: string | Uint8Array;
}

/** A record as other tools write it. */
export function warcRecord({ type, url, date = '2020-01-02T03:04:05Z', fields = {}, block }: WrittenRecord): Buffer {
  const body = Buffer.from(block as string);
  const more = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  const target = url === undefined ? '' : `WARC-Target-URI: ${url}\r\n`;
  const head = `WARC/1.0\r\nWARC-Type: ${type}\r\n${target}WARC-Date: ${date}\r\n${more.join('')}Content-Length: ${body.length}\r\n\r\n`;
  return Buffer.concat([Buffer.from(head), body, Buffer.from('\r\n\r\n')]);
}

export function httpAnswer(body: string, { status = 200, headers = '' } = {}): string {
  return `HTTP/1.1 ${status} OK\r\nContent-Type: text/html; charset=utf-8\r\n${headers}\r\n${body}`;
}

/** A page of some words of its own. */
export function pageOf(title: string, words: string, links: readonly string[] = []): string {
  const anchors = links.map((url) => `<a href="${url}">${url}</a>`).join(' ');
  return `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1><p>${words}</p>${anchors}</main></html>`;
}

export function response(url: string, body: string, more: Partial<WrittenRecord> = {}): Buffer {
  const fields = { 'Content-Type': 'application/http; msgtype=response', ...more.fields };
  return warcRecord({ type: 'response', url, block: httpAnswer(body), ...more, fields });
}

export function gzipMembers(records: readonly Buffer[]): Buffer {
  return Buffer.concat(records.map((record) => gzipSync(record)));
}

/** A frame per record, the dictionary before them. */
export function zstdFrames(records: readonly Buffer[], dictionary?: Buffer): Buffer {
  const frames = records.map((record) => zstdCompressSync(record, dictionary === undefined ? {} : { dictionary }));
  if (dictionary === undefined) return Buffer.concat(frames);
  const packed = zstdCompressSync(dictionary);
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x184d2a5d, 0);
  head.writeUInt32LE(packed.length, 4);
  return Buffer.concat([head, packed, ...frames]);
}

export function arcRecord(url: string, date: string, block: string): Buffer {
  return Buffer.from(`${url} 192.0.2.1 ${date} text/html ${Buffer.byteLength(block)}\n${block}\n`);
}

export function arcFile(records: readonly Buffer[]): Buffer {
  const about = '1 0 Other\nURL IP-address Archive-date Content-type Archive-length\n';
  return Buffer.concat([
    Buffer.from(`filedesc://x.arc 0.0.0.0 20080102030405 text/plain ${about.length}\n${about}\n`),
    ...records,
  ]);
}

/** A ZIP file of files that are stored, or deflated. */
export function zipOf(
  files: readonly { readonly name: string; readonly bytes: Buffer; readonly deflate?: boolean }[],
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const { name, bytes, deflate = false } of files) {
    const packed = deflate ? deflateRawSync(bytes) : bytes;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(deflate ? 8 : 0, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(bytes.length, 22);
    local.writeUInt16LE(name.length, 26);
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    entry.writeUInt16LE(deflate ? 8 : 0, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(bytes.length, 24);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(at, 42);
    parts.push(local, Buffer.from(name), packed);
    directory.push(entry, Buffer.from(name));
    at += 30 + name.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 8);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}
