import { gzipMember, storedMember } from './gzip-member.ts';
import type { MemberWriter } from './member-writer.ts';

/** Members by zlib: levels from 2 on, for those to whom size counts. */
export class ZlibMembers implements MemberWriter {
  readonly #level: number;
  #parts: Uint8Array[] = [];
  #length = 0;

  constructor(level: number) {
    this.#level = level;
  }

  clear(): void {
    this.#parts = [];
    this.#length = 0;
  }

  get length(): number {
    return this.#length;
  }

  parts(): readonly Uint8Array[] {
    return this.#parts;
  }

  addSmall(pieces: readonly Uint8Array[]): void {
    this.addMade(gzipMember(pieces, this.#level));
  }

  addLarge(pieces: readonly Uint8Array[]): void {
    this.addMade(gzipMember(pieces, this.#level));
  }

  addText(pieces: readonly Uint8Array[]): void {
    this.addLarge(pieces);
  }

  addStored(head: Uint8Array, body: Uint8Array, tail: Uint8Array): void {
    for (const part of storedMember(head, body, tail, this.#level)) this.addMade(part);
  }

  addMade(member: Uint8Array): void {
    this.#parts.push(member);
    this.#length += member.length;
  }
}
