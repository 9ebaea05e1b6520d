import xxhash from 'xxhash-wasm';

/** A 64-bit fingerprint as an unsigned bigint. */
export type Fingerprint = bigint;

const hasher = await xxhash();

/** xxHash64 of the UTF-8 form of a string. */
export function fingerprint(text: string): Fingerprint {
  return hasher.h64(text);
}

/** The same of a string that is UTF-8 already. */
export function fingerprintOfBytes(utf8: Uint8Array): Fingerprint {
  return hasher.h64Raw(utf8);
}

/** The same as SQLite's signed 64-bit integer, and back. */
export function toSigned(fp: Fingerprint): bigint {
  return BigInt.asIntN(64, fp);
}

export function fromSigned(value: bigint): Fingerprint {
  return BigInt.asUintN(64, value);
}
