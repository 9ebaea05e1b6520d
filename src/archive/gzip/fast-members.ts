import { crc32 } from 'node:zlib';
import { FastDeflate } from './fast-deflate.ts';
import { GZIP_HEADER } from './gzip-member.ts';
import { LearntCode } from './learnt-code.ts';
import type { MemberWriter } from './member-writer.ts';

/** Members by our own encoder, which costs a fraction of zlib's fastest level. Level 0: everything stored as it is. */
export class FastMembers implements MemberWriter {
  readonly #out = new FastDeflate();
  readonly #compresses: boolean;
  /** Three kinds of text alternate in an archive, each with a code of its own. */
  readonly #heads = new LearntCode();
  readonly #bodies = new LearntCode();
  readonly #texts = new LearntCode();
  readonly #trailer = Buffer.alloc(8);

  constructor(level: 0 | 1) {
    this.#compresses = level === 1;
  }

  clear(): void {
    this.#out.clear();
  }

  get length(): number {
    return this.#out.length;
  }

  parts(): readonly Uint8Array[] {
    return this.#out.parts();
  }

  addSmall(pieces: readonly Uint8Array[]): void {
    this.#add(pieces, this.#heads);
  }

  addLarge(pieces: readonly Uint8Array[]): void {
    this.#add(pieces, this.#bodies);
  }

  addText(pieces: readonly Uint8Array[]): void {
    this.#add(pieces, this.#texts);
  }

  addStored(head: Uint8Array, body: Uint8Array, tail: Uint8Array): void {
    if (!this.#compresses) {
      this.#store([head, body, tail]);
      return;
    }
    this.#out.raw(GZIP_HEADER);
    const headCrc = this.#out.deflate([head], this.#heads, false);
    this.#out.store(body, false);
    this.#out.store(tail, true);
    this.#end(crc32(tail, crc32(body, headCrc)), head.length + body.length + tail.length);
  }

  addMade(member: Uint8Array): void {
    this.#out.refer(member);
  }

  #add(pieces: readonly Uint8Array[], code: LearntCode): void {
    if (!this.#compresses) {
      this.#store(pieces);
      return;
    }
    this.#out.raw(GZIP_HEADER);
    const crc = this.#out.deflate(pieces, code, true);
    let length = 0;
    for (const piece of pieces) length += piece.length;
    this.#end(crc, length);
  }

  #store(pieces: readonly Uint8Array[]): void {
    this.#out.raw(GZIP_HEADER);
    let crc = 0;
    let length = 0;
    for (const [at, piece] of pieces.entries()) {
      this.#out.store(piece, at === pieces.length - 1);
      crc = crc32(piece, crc);
      length += piece.length;
    }
    this.#end(crc, length);
  }

  #end(crc: number, length: number): void {
    this.#trailer.writeUInt32LE(crc, 0);
    this.#trailer.writeUInt32LE(length % 2 ** 32, 4);
    this.#out.raw(this.#trailer);
  }
}
