const SECTOR = 512;
const END = 0xfffffffe;
const FREE = 0xffffffff;
const FAT = 0xfffffffd;

/** Writes a compound file with these streams at its top. No stream is so small that it would need the mini stream. */
export function makeCompoundFile(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const names = Object.keys(streams);
  const contents = names.map((name) => padded(streams[name], Math.max(4_096, streams[name].length)));
  const directory = padded(makeDirectory(names, contents), (names.length + 1) * 128);
  const bodies = [...contents, directory];
  const lengths = bodies.map((body) => Math.ceil(body.length / SECTOR));
  const dataSectors = lengths.reduce((sum, length) => sum + length, 0);
  const fatSectors = Math.ceil((dataSectors + 8) / 128);
  const fat = new Uint32Array(fatSectors * 128).fill(FREE);
  let next = 0;
  const starts = lengths.map((length) => {
    const start = next;
    for (let i = 0; i < length; i++) fat[start + i] = i === length - 1 ? END : start + i + 1;
    next += length;
    return start;
  });
  for (let i = 0; i < fatSectors; i++) fat[next + i] = FAT;
  const view = new DataView(directory.buffer, directory.byteOffset);
  for (let i = 0; i < names.length; i++) view.setUint32((i + 1) * 128 + 116, starts[i], true);
  const header = makeHeader(starts[names.length], next, fatSectors);
  const sectors = bodies.map((body) => padded(body, Math.ceil(body.length / SECTOR) * SECTOR));
  return Buffer.concat([header, ...sectors, Buffer.from(fat.buffer)]);
}

function makeHeader(directory: number, firstFat: number, fatSectors: number): Buffer {
  const header = Buffer.alloc(SECTOR);
  header.set([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]);
  header.writeUInt16LE(0x3e, 24);
  header.writeUInt16LE(3, 26);
  header.writeUInt16LE(0xfffe, 28);
  header.writeUInt16LE(9, 30);
  header.writeUInt16LE(6, 32);
  header.writeUInt32LE(fatSectors, 44);
  header.writeUInt32LE(directory, 48);
  header.writeUInt32LE(4_096, 56);
  header.writeUInt32LE(END, 60);
  header.writeUInt32LE(END, 68);
  for (let i = 0; i < 109; i++) header.writeUInt32LE(i < fatSectors ? firstFat + i : FREE, 76 + i * 4);
  return header;
}

/** The root, and the streams as a list that hangs on its first entry. */
function makeDirectory(names: readonly string[], contents: readonly Uint8Array[]): Buffer {
  const entries = [entry('Root Entry', 5, FREE, names.length > 0 ? 1 : FREE, 0)];
  for (const [i, name] of names.entries()) {
    entries.push(entry(name, 2, i + 1 < names.length ? i + 2 : FREE, FREE, contents[i].length));
  }
  return Buffer.concat(entries);
}

function entry(name: string, type: number, right: number, child: number, size: number): Buffer {
  const bytes = Buffer.alloc(128);
  bytes.write(name, 0, 'utf16le');
  bytes.writeUInt16LE((name.length + 1) * 2, 64);
  bytes.writeUInt8(type, 66);
  bytes.writeUInt32LE(FREE, 68);
  bytes.writeUInt32LE(right, 72);
  bytes.writeUInt32LE(child, 76);
  bytes.writeUInt32LE(type === 5 ? END : 0, 116);
  bytes.writeUInt32LE(size, 120);
  return bytes;
}

function padded(bytes: Uint8Array, length: number): Buffer {
  const whole = Buffer.alloc(length);
  whole.set(bytes);
  return whole;
}
