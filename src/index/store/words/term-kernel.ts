import {
  type AssembledFunction,
  type Code,
  call,
  f64,
  i32,
  i64,
  type Local,
  RETURN,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { HAS_ADDED_FORMS, HAS_EXCEPTIONS, HAS_FORMS } from '../../format/patched-bits.ts';
import { BLOCK, IN_ANCHORS } from '../../format/posting-writer.ts';
import { BOUND_SHIFT, FIRST_BOUND_STEP } from '../../format/quantise.ts';
import type { CodingPlaces } from './coding-kernel.ts';
import {
  ADDED_OF_BLOCK,
  BOUNDS,
  BYTE_OF_STEP,
  CODE,
  CODES_OF_BLOCK,
  COUNTS_OF_BLOCK,
  ENTRIES,
  ENTRY_BYTES,
  FORMS_BYTES,
  FORMS_OF_BLOCK,
  HAS_POSTING_FORMS,
  headOf,
  LENGTHS_BYTES,
  NEXT_POSTING,
  NORMS,
  POSITIONS_END,
  POSTING,
  POSTINGS_END,
  type Region,
  STEPS_OF_BLOCK,
  TERM,
} from './posting-layout.ts';

/** Bytes of the numbers of a block at most, and of those that tell where it lies. */
const BLOCK_ROOM = 16 * BLOCK + 64;
const SKIP_ROOM = 15;
/** Bytes that the counts of a block take at most, and what is written behind its positions. */
const COUNTS_ROOM = 5 * BLOCK + 8;
/** Postings that are looked at before they are taken. */
const AHEAD = 256;
/** Positions that are copied whatever their number: most postings have no more. */
const AT_ONCE = 4;
const n = i32.const;
const beginOf = (region: Region): Code => i32.load(n(headOf(region)));
const move = (at: Local, bytes: number): Code => at.set(i32.add(at.get, n(bytes)));
const times = (number: Code, power: number): Code => i32.shiftLeft(number, n(Math.log2(power)));
const into = (mask: Local, bits: Code): Code => mask.set(i32.or(mask.get, bits));

/**
 * Writes terms by their places in the order, from `rank` to `to`, as `PostingWriter` does, and what the dictionary has to know of them. Stops before a
 * term that may not find room up to the ends. Returns the place of the first that it did not write.
 */
export function writeTerms({ putVarint, chooseWidth, packNumbers }: CodingPlaces): AssembledFunction {
  const f = new WasmFunction();
  const locals = (count: number): Local[] => Array.from({ length: count }, () => f.local('i32'));
  const [rank, to, postingsEnd, positionsEnd] = Array.from({ length: 4 }, () => f.param('i32'));
  const [order, terms, postings, sorted, sortedEnd, lookedTo, codes, lengths] = locals(8);
  const [term, at, end, blockEnd, from, posting, code, document, count] = locals(9);
  /** Where the next skip, bound, block and positions are put; where those of the term begin. */
  const [skip, bound, block, place, termAt, boundsAt, placesAt, entry] = locals(8);
  const [last, lastOfBlock, hasBlock, lastSteps, lastBlock, lastPlaces, fields] = locals(7);
  /** Of the block: four bytes for each posting, its words, all bits of its numbers, and how these are packed. */
  const [k, words, steps, coded, forms, added, positions, values] = locals(8);
  const [value, next, length] = locals(3);
  const [weight, most] = [f.local('f64'), f.local('f64')];

  /** `PostingWeigher`: field by field, from the lowest on. */
  const weigh: Code = [
    weight.set(f64.zero),
    next.set(i32.load(code.get, CODE.fields)),
    length.set(i32.add(lengths.get, times(document.get, LENGTHS_BYTES))),
    whileDo(next.get, [
      value.set(i32.trailingZeros(next.get)),
      weight.set(
        f64.add(
          weight.get,
          f64.mul(
            f64.load(i32.add(code.get, times(value.get, 8)), CODE.frequencies),
            f64.load(times(i32.add(times(value.get, 256), i32.loadByte(i32.add(length.get, value.get))), 8), NORMS),
          ),
        ),
      ),
      next.set(i32.and(next.get, i32.sub(next.get, n(1)))),
    ]),
    most.set(f64.most(most.get, weight.get)),
  ];

  const hold = (numbers: number, mask: Local, number: Code): Code => [
    value.set(number),
    i32.store(k.get, value.get, numbers),
    into(mask, value.get),
  ];
  const postingAt = (at: Local): Code => posting.set(i32.add(postings.get, i32.load(at.get)));
  /** All bits where the posting has forms. */
  const isFormed = i32.sub(n(0), i32.shiftRight(i32.load(posting.get, POSTING.document), n(31)));
  const gather: Code = [
    [k, words, steps, coded, forms, added].map((sum) => sum.set(n(0))),
    most.set(f64.zero),
    from.set(at.get),
    whileDo(i32.less(at.get, blockEnd.get), [
      postingAt(at),
      document.set(i32.and(i32.load(posting.get, POSTING.document), n(HAS_POSTING_FORMS - 1))),
      hold(STEPS_OF_BLOCK, steps, i32.sub(i32.sub(document.get, last.get), n(1))),
      last.set(document.get),
      code.set(i32.add(codes.get, i32.mul(i32.load(posting.get, POSTING.code), n(CODE.bytes)))),
      hold(CODES_OF_BLOCK, coded, i32.load(code.get, CODE.lasting)),
      next.set(isFormed),
      hold(FORMS_OF_BLOCK, forms, i32.and(i32.load(posting.get, POSTING.forms), next.get)),
      hold(ADDED_OF_BLOCK, added, i32.and(i32.load(posting.get, POSTING.addedForms), next.get)),
      count.set(i32.load(posting.get, POSTING.count)),
      words.set(i32.add(words.get, count.get)),
      value.set(i32.lessSigned(i32.load(code.get, CODE.occurrences), n(0))),
      i32.store(k.get, i32.mul(count.get, value.get), COUNTS_OF_BLOCK),
      into(fields, i32.mul(i32.load(code.get, CODE.fields), value.get)),
      weigh,
      move(k, 4),
      move(at, 4),
    ]),
  ];

  /** Side by side, behind the room for counts. */
  const gatherPositions: Code = [
    values.set(i32.add(place.get, n(COUNTS_ROOM))),
    value.set(values.get),
    whileDo(i32.less(from.get, blockEnd.get), [
      postingAt(from),
      next.set(i32.add(i32.add(posting.get, n(POSTING.bytes)), i32.and(isFormed, n(FORMS_BYTES)))),
      length.set(times(i32.load(posting.get, POSTING.count), 4)),
      i64.store(value.get, i64.load(next.get)),
      i64.store(value.get, i64.load(next.get, 8), 8),
      when(i32.less(n(4 * AT_ONCE), length.get), [
        count.set(n(4 * AT_ONCE)),
        whileDo(i32.less(count.get, length.get), [
          i64.store(i32.add(value.get, count.get), i64.load(i32.add(next.get, count.get))),
          move(count, 8),
        ]),
      ]),
      value.set(i32.add(value.get, length.get)),
      move(from, 4),
    ]),
    positions.set(n(0)),
    from.set(values.get),
    whileDo(i32.less(from.get, value.get), [into(positions, i32.load(from.get)), move(from, 4)]),
  ];

  const counted = i32.shiftRight(k.get, n(2));
  const choose = (numbers: number, mask: Local): Code => mask.set(call(chooseWidth, n(numbers), counted, mask.get));
  const widthOf = (chosen: Local): Code =>
    i32.or(i32.and(chosen.get, n(0xff)), select(i32.shiftRight(chosen.get, n(8)), n(HAS_EXCEPTIONS), n(0)));
  const flagOf = (chosen: Local, flag: number): Code => select(chosen.get, n(flag), n(0));
  const pack = (numbers: number, chosen: Local): Code =>
    block.set(call(packNumbers, block.get, n(numbers), counted, chosen.get));
  const packForms = (numbers: number, chosen: Local): Code =>
    when(chosen.get, [i32.storeByte(block.get, widthOf(chosen)), move(block, 1), pack(numbers, chosen)]);
  const writePostings: Code = [
    lastBlock.set(block.get),
    choose(STEPS_OF_BLOCK, steps),
    choose(CODES_OF_BLOCK, coded),
    choose(FORMS_OF_BLOCK, forms),
    choose(ADDED_OF_BLOCK, added),
    i32.storeByte(block.get, widthOf(steps)),
    i32.storeByte(
      block.get,
      i32.or(widthOf(coded), i32.or(flagOf(forms, HAS_FORMS), flagOf(added, HAS_ADDED_FORMS))),
      1,
    ),
    move(block, 2),
    pack(STEPS_OF_BLOCK, steps),
    pack(CODES_OF_BLOCK, coded),
    packForms(FORMS_OF_BLOCK, forms),
    packForms(ADDED_OF_BLOCK, added),
    lastBlock.set(i32.sub(block.get, lastBlock.get)),
  ];

  const put = (to: Local, number: Local): Code => to.set(call(putVarint, to.get, number.get));
  /** The positions are packed over themselves: what is written never gets ahead of what is read. */
  const writePositions: Code = [
    lastPlaces.set(place.get),
    from.set(n(0)),
    whileDo(i32.less(from.get, k.get), [
      count.set(i32.load(from.get, COUNTS_OF_BLOCK)),
      when(count.get, put(place, count)),
      move(from, 4),
    ]),
    positions.set(i32.sub(n(32), i32.leadingZeros(positions.get))),
    i32.storeByte(place.get, positions.get),
    place.set(call(packNumbers, i32.add(place.get, n(1)), values.get, words.get, positions.get)),
    lastPlaces.set(i32.sub(place.get, lastPlaces.get)),
  ];

  /** `byteOfBound`. */
  const writeBound: Code = [
    value.set(n(0)),
    when(f64.less(f64.load(n(BOUNDS)), most.get), [
      value.set(n(255)),
      when(i32.isZero(f64.less(f64.load(n(BOUNDS + 8 * 254)), most.get)), [
        value.set(i32.fromI64(i64.shiftRight(i64.fromF64(most.get), i64.const(BigInt(32 + BOUND_SHIFT))))),
        value.set(i32.loadByte(i32.sub(value.get, n(FIRST_BOUND_STEP)), BYTE_OF_STEP)),
        value.set(i32.add(value.get, f64.less(f64.load(times(value.get, 8), BOUNDS), most.get))),
      ]),
    ]),
    i32.storeByte(bound.get, value.get),
    move(bound, 1),
  ];

  /** Looks at the next postings, so that memory is waited for by many of them together. */
  const lookAhead: Code = [
    lookedTo.set(i32.add(at.get, n(4 * AHEAD))),
    lookedTo.set(select(i32.less(lookedTo.get, sortedEnd.get), lookedTo.get, sortedEnd.get)),
    from.set(at.get),
    value.set(n(0)),
    whileDo(i32.less(from.get, lookedTo.get), [
      value.set(i32.add(value.get, i32.load(i32.add(postings.get, i32.load(from.get))))),
      move(from, 4),
    ]),
    // Somebody has to ask for it.
    i32.store(n(ENTRIES - 4), value.get),
  ];

  const leave: Code = [rank.get, RETURN];
  const writeBlock: Code = [
    when(
      hasBlock.get,
      [lastSteps, lastBlock, lastPlaces].map((number) => put(skip, number)),
    ),
    blockEnd.set(i32.add(at.get, n(4 * BLOCK))),
    blockEnd.set(select(i32.less(blockEnd.get, end.get), blockEnd.get, end.get)),
    gather,
    when(
      i32.or(
        i32.less(postingsEnd.get, i32.add(block.get, n(BLOCK_ROOM))),
        i32.less(positionsEnd.get, i32.add(place.get, i32.add(n(2 * COUNTS_ROOM), times(words.get, 4)))),
      ),
      leave,
    ),
    gatherPositions,
    writePostings,
    writePositions,
    writeBound,
    lastSteps.set(i32.sub(last.get, lastOfBlock.get)),
    lastOfBlock.set(last.get),
    hasBlock.set(n(1)),
  ];

  const writeTerm: Code = [
    term.set(i32.add(terms.get, times(i32.load(i32.add(order.get, times(rank.get, 4))), TERM.bytes))),
    count.set(i32.load(term.get, TERM.postings)),
    i32.store(entry.get, count.get),
    end.set(i32.add(sorted.get, times(i32.load(term.get, TERM.end), 4))),
    at.set(i32.sub(end.get, times(count.get, 4))),
    when(i32.less(lookedTo.get, end.get), lookAhead),
    // Skips take less than the room for them, mostly: then what follows them moves.
    skip.set(termAt.get),
    count.set(i32.shiftRight(i32.sub(count.get, n(1)), n(Math.log2(BLOCK)))),
    boundsAt.set(i32.add(termAt.get, i32.mul(count.get, n(SKIP_ROOM)))),
    bound.set(boundsAt.get),
    block.set(i32.add(i32.add(boundsAt.get, count.get), n(1))),
    place.set(placesAt.get),
    last.set(n(-1)),
    lastOfBlock.set(n(-1)),
    hasBlock.set(n(0)),
    fields.set(n(0)),
    whileDo(i32.less(at.get, end.get), writeBlock),
    when(i32.notEqual(skip.get, boundsAt.get), [
      from.set(boundsAt.get),
      whileDo(i32.less(from.get, block.get), [
        i32.storeByte(skip.get, i32.loadByte(from.get)),
        move(skip, 1),
        move(from, 1),
      ]),
      block.set(skip.get),
    ]),
    i32.store(entry.get, i32.sub(block.get, termAt.get), 4),
    i32.store(entry.get, i32.sub(place.get, placesAt.get), 8),
    i32.store(entry.get, i32.and(fields.get, n(IN_ANCHORS)), 12),
    move(entry, ENTRY_BYTES),
    termAt.set(block.get),
    placesAt.set(place.get),
    i32.store(n(POSTINGS_END), termAt.get),
    i32.store(n(POSITIONS_END), placesAt.get),
    rank.set(i32.add(rank.get, n(1))),
  ];

  return f.with([
    order.set(beginOf('order')),
    terms.set(beginOf('terms')),
    postings.set(beginOf('postings')),
    sorted.set(beginOf('sorted')),
    sortedEnd.set(i32.add(sorted.get, times(i32.sub(i32.load(n(NEXT_POSTING)), n(1)), 4))),
    codes.set(beginOf('codes')),
    lengths.set(beginOf('lengths')),
    termAt.set(beginOf('postingBytes')),
    placesAt.set(beginOf('positionBytes')),
    i32.store(n(POSTINGS_END), termAt.get),
    i32.store(n(POSITIONS_END), placesAt.get),
    entry.set(n(ENTRIES)),
    whileDo(i32.less(rank.get, to.get), writeTerm),
    rank.get,
  ]);
}
