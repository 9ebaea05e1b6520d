import { promisify } from 'node:util';
import { gzip, zstdCompress } from 'node:zlib';

export type Compression = 'gzip' | 'zstd';

export const COMPRESSIONS: Readonly<Record<Compression, { readonly extension: string }>> = {
  gzip: { extension: 'gz' },
  zstd: { extension: 'zst' },
};

const zipped = promisify(gzip);
const zstandard = promisify(zstdCompress);

/** A block as a member or frame of its own: such pieces put together are one file again, wherever it was cut between them. */
export async function compress(block: Uint8Array, compression: Compression): Promise<Uint8Array> {
  return compression === 'gzip' ? await zipped(block) : await zstandard(block);
}
