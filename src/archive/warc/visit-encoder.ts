import { FastMembers } from '../gzip/fast-members.ts';
import { gzipMemberInBackground } from '../gzip/gzip-member.ts';
import type { MemberWriter } from '../gzip/member-writer.ts';
import { ZlibMembers } from '../gzip/zlib-members.ts';
import type { MainRecord, VisitRecords } from './visit-records.ts';
import { RECORD_END } from './warc-record.ts';

/** A visit ready to be appended: one gzip member per record. Good until the next visit is encoded. */
export interface EncodedVisit {
  readonly parts: readonly Uint8Array[];
  readonly length: number;
  /** Of the response or revisit, from the first byte of the visit. */
  readonly mainOffset: number;
  readonly mainLength: number;
  readonly capture: VisitRecords['capture'];
}

/** Compressing more than this at once would hold up the event loop for some 20 ms, even where the machine is busy. */
const BACKGROUND_FROM_FAST = 2 * 1024 * 1024;
const BACKGROUND_FROM_ZLIB = 1024 * 1024;

/** Members of a visit that are made already. */
export interface MadeMembers {
  readonly main?: Uint8Array | undefined;
  readonly conversion?: Uint8Array | undefined;
  readonly page?: Uint8Array | undefined;
}

export class VisitEncoder {
  readonly #level: number;
  readonly #members: MemberWriter;

  /** 0: stored; 1: our own encoder, made for speed; 2 to 9: zlib. */
  constructor(level: number) {
    this.#level = level;
    this.#members = level === 0 || level === 1 ? new FastMembers(level) : new ZlibMembers(level);
  }

  /** The members that would take too long to make at once, made in the background; undefined where there are none. */
  inBackground({ main, conversion = [], page = [] }: VisitRecords): Promise<MadeMembers> | undefined {
    if (this.#level === 0) return undefined;
    const makingMain = main.bodyIsCompressed ? undefined : this.#makeLarge(piecesOf(main));
    const makingText = this.#makeLarge(conversion);
    const makingPage = this.#makeLarge(page);
    const making = [makingMain, makingText, makingPage];
    if (making.every((one) => one === undefined)) return undefined;
    return Promise.all(making).then(([made, text, shown]) => ({ main: made, conversion: text, page: shown }));
  }

  encode(records: VisitRecords, made: MadeMembers = {}): EncodedVisit {
    const members = this.#members;
    const { request, main, metadata, conversion, page, screenshot, capture } = records;
    members.clear();
    if (request !== undefined) members.addSmall(request);
    const mainOffset = members.length;
    if (made.main !== undefined) members.addMade(made.main);
    else if (main.body.length === 0) members.addSmall(piecesOf(main));
    else if (main.bodyIsCompressed) members.addStored(main.head, main.body, RECORD_END);
    else members.addLarge(piecesOf(main));
    const mainLength = members.length - mainOffset;
    if (metadata !== undefined) members.addSmall(metadata);
    if (made.conversion !== undefined) members.addMade(made.conversion);
    else if (conversion !== undefined) members.addText(conversion);
    if (made.page !== undefined) members.addMade(made.page);
    else if (page !== undefined) members.addLarge(page);
    if (screenshot !== undefined) members.addStored(screenshot[0], screenshot[1], screenshot[2]);
    return { parts: members.parts(), length: members.length, mainOffset, mainLength, capture };
  }

  #makeLarge(pieces: readonly Uint8Array[]): Promise<Uint8Array> | undefined {
    const size = pieces.reduce((sum, { length }) => sum + length, 0);
    const isLarge = size >= (this.#level === 1 ? BACKGROUND_FROM_FAST : BACKGROUND_FROM_ZLIB);
    return isLarge ? gzipMemberInBackground(pieces, this.#level) : undefined;
  }
}

function piecesOf(main: MainRecord): Uint8Array[] {
  return main.body.length === 0 ? [main.head, RECORD_END] : [main.head, main.body, RECORD_END];
}
