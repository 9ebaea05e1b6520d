import { crc32, deflateSync } from 'node:zlib';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const CSS_PIXELS_PER_METRE = 96 / 0.0254;

/** The bytes of a PNG file. `pixels`: red, green and blue, row by row; `scale`: pixels for each pixel of a page. */
export function pngFile(width: number, height: number, pixels: Uint8Array, scale: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits for each of three colours.
  header.set([8, 2, 0, 0, 0], 8);
  const density = Buffer.alloc(9);
  density.writeUInt32BE(Math.round(CSS_PIXELS_PER_METRE * scale), 0);
  density.writeUInt32BE(Math.round(CSS_PIXELS_PER_METRE * scale), 4);
  density[8] = 1;
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('pHYs', density),
    chunk('IDAT', deflateSync(rowsOf(width, height, pixels), { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Every row after a 0: as it is. Differences between pixels would hide from the packer that letters come again. */
function rowsOf(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const row = 3 * width;
  const rows = new Uint8Array(height * (row + 1));
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * row, (y + 1) * row), y * (row + 1) + 1);
  return rows;
}

function chunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content]);
  const bytes = Buffer.alloc(named.length + 8);
  bytes.writeUInt32BE(content.length, 0);
  bytes.set(named, 4);
  bytes.writeUInt32BE(crc32(named), named.length + 4);
  return bytes;
}
