import { FastMembers } from './fast-members.ts';
import { gzipMemberInBackground } from './gzip-member.ts';
import type { MemberWriter } from './member-writer.ts';
import type { MainRecord, VisitRecords } from './visit-records.ts';
import { RECORD_END } from './warc-record.ts';
import { ZlibMembers } from './zlib-members.ts';

/** A visit ready to be appended: one gzip member per record. Good until the next visit is encoded. */
export interface EncodedVisit {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
  /** Of the response or revisit, from the first byte of the visit. */
  readonly mainOffset: number;
  readonly mainLength: number;
  readonly capture: VisitRecords['capture'];
}

/** Compressing more than this at once would hold up the event loop for some 20 ms. */
const BACKGROUND_FROM_FAST = 8 * 1024 * 1024;
const BACKGROUND_FROM_ZLIB = 1024 * 1024;

export class VisitEncoder {
  readonly #level: number;
  readonly #members: MemberWriter;

  /** 0: stored; 1: our own encoder, made for speed; 2 to 9: zlib. */
  constructor(level: number) {
    this.#level = level;
    this.#members = level === 0 || level === 1 ? new FastMembers(level) : new ZlibMembers(level);
  }

  /** The member of the main record, made in the background, where making it at once would take too long. */
  mainInBackground({ main }: VisitRecords): Promise<Uint8Array> | undefined {
    const limit = this.#level === 1 ? BACKGROUND_FROM_FAST : BACKGROUND_FROM_ZLIB;
    if (main.body.length < limit || main.bodyIsCompressed || this.#level === 0) return undefined;
    return gzipMemberInBackground(piecesOf(main), this.#level);
  }

  encode(records: VisitRecords, madeMain?: Uint8Array): EncodedVisit {
    const members = this.#members;
    const { request, main, metadata, conversion, capture } = records;
    members.clear();
    if (request !== undefined) members.addSmall(request);
    const mainOffset = members.length;
    if (madeMain !== undefined) members.addMade(madeMain);
    else if (main.body.length === 0) members.addSmall(piecesOf(main));
    else if (main.bodyIsCompressed) members.addStored(main.head, main.body, RECORD_END);
    else members.addLarge(piecesOf(main));
    const mainLength = members.length - mainOffset;
    if (metadata !== undefined) members.addSmall(metadata);
    if (conversion !== undefined) members.addText(conversion);
    return { parts: members.parts(), length: members.length, mainOffset, mainLength, capture };
  }
}

function piecesOf(main: MainRecord): Uint8Array[] {
  return main.body.length === 0 ? [main.head, RECORD_END] : [main.head, main.body, RECORD_END];
}
