import {
  type AssembledFunction,
  type Code,
  i32,
  i64,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { NOTE_BITS, NOTE_MASK } from '../../analyze.ts';
import { FIELDS } from '../../fields.ts';
import { BASE_MARKS, MARK_BITS } from '../../format/form-marks.ts';
import { POSITION_MASK } from '../occurrences.ts';
import {
  BODY_CODES,
  FORMS_BYTES,
  GROUP,
  HAS_POSTING_FORMS,
  headOf,
  MARKS,
  MOST_BODY_CODES,
  NEXT_PLACE,
  NEXT_POSTING,
  NO_CODE,
  POSTING,
  type Region,
  RUN,
  TERM,
} from './posting-layout.ts';

const BODY = FIELDS.indexOf('body');
const GROUP_BITS = Math.log2(GROUP.bytes);
const TERM_BITS = Math.log2(TERM.bytes);
const n = i32.const;
const beginOf = (region: Region): Code => i32.load(n(headOf(region)));

/**
 * Finds the group of each of the first words of a document: those of a term make one, and the term has a posting more with the first of them. Where this
 * puts something down does not depend on what it reads but for the number of the term, so that the processor goes on to the next words while it waits
 * for one. Returns nothing of use.
 */
export function groupWords(): AssembledFunction {
  const f = new WasmFunction();
  const count = f.param('i32');
  const [at, end, terms, groups, next, term, posting, isNew, first, toGroups] = Array.from({ length: 10 }, () =>
    f.local('i32'),
  );
  return f.with([
    at.set(beginOf('words')),
    end.set(i32.add(at.get, i32.shiftLeft(count.get, n(2)))),
    toGroups.set(i32.sub(beginOf('groupOfWords'), at.get)),
    terms.set(beginOf('terms')),
    groups.set(beginOf('groups')),
    first.set(i32.load(n(NEXT_POSTING))),
    next.set(first.get),
    whileDo(i32.less(at.get, end.get), [
      term.set(i32.add(terms.get, i32.shiftLeft(i32.and(i32.load(at.get), n(NOTE_MASK)), n(TERM_BITS)))),
      posting.set(i32.load(term.get, TERM.lastPosting)),
      isNew.set(i32.less(posting.get, first.get)),
      posting.set(select(isNew.get, next.get, posting.get)),
      next.set(i32.add(next.get, isNew.get)),
      i32.store(term.get, posting.get, TERM.lastPosting),
      i32.store(term.get, i32.add(i32.load(term.get, TERM.postings), isNew.get), TERM.postings),
      i32.store(
        i32.add(at.get, toGroups.get),
        i32.add(groups.get, i32.shiftLeft(i32.sub(posting.get, first.get), n(GROUP_BITS))),
      ),
      at.set(i32.add(at.get, n(4))),
    ]),
    i32.store(n(NEXT_POSTING), next.get),
    n(0),
  ]);
}

/**
 * Counts the words of some runs in their groups. How many words a group has cannot be foreseen, and a processor that guesses wrong with each of them
 * loses more time than all else takes: what is done for each word goes without a question. Returns nothing of use.
 */
export function countWords(): AssembledFunction {
  const f = new WasmFunction();
  const [run, runsEnd] = [f.param('i32'), f.param('i32')];
  const [at, end, words, toGroups, word, group, number] = Array.from({ length: 7 }, () => f.local('i32'));
  const [adds, marks] = Array.from({ length: 2 }, () => f.local('i64'));
  return f.with([
    words.set(beginOf('words')),
    toGroups.set(i32.sub(beginOf('groupOfWords'), words.get)),
    at.set(words.get),
    whileDo(i32.less(run.get, runsEnd.get), [
      end.set(i32.add(words.get, i32.shiftLeft(i32.load(run.get, RUN.end), n(2)))),
      adds.set(i64.load(run.get, RUN.adds)),
      marks.set(i64.load(run.get, RUN.marks)),
      number.set(i32.load(run.get, RUN.number)),
      whileDo(i32.less(at.get, end.get), [
        word.set(i32.load(at.get)),
        group.set(i32.load(i32.add(at.get, toGroups.get))),
        i32.store(group.get, i32.and(word.get, n(NOTE_MASK)), GROUP.term),
        i64.store(
          group.get,
          i64.or(
            i64.load(group.get, GROUP.marks),
            i64.mul(
              i64.fromI32(i32.loadShort(i32.shiftLeft(i32.shiftRight(word.get, n(NOTE_BITS)), n(1)), MARKS)),
              marks.get,
            ),
          ),
          GROUP.marks,
        ),
        group.set(i32.add(group.get, number.get)),
        i64.store(group.get, i64.add(i64.load(group.get, GROUP.numbers), adds.get), GROUP.numbers),
        at.set(i32.add(at.get, n(4))),
      ]),
      run.set(i32.add(run.get, n(RUN.bytes))),
    ]),
    n(0),
  ]);
}

/**
 * Makes postings of the groups of a document, the first of which has the number `first`, with room for their positions. Returns how many have no code yet; of each
 * of these the region `odd` has its group and where it lies.
 */
export function makePostings(): AssembledFunction {
  const f = new WasmFunction();
  const [first, document] = [f.param('i32'), f.param('i32')];
  const [posting, end, group, terms, odd, oddAt] = Array.from({ length: 6 }, () => f.local('i32'));
  const [at, count, code, own, title, anchors, hasForms] = Array.from({ length: 7 }, () => f.local('i32'));
  const marks = f.local('i64');
  const wordsOf = (field: number): Code => i32.load(group.get, GROUP.numbers + 8 * field);
  const marksFrom = (bit: number): Code =>
    i32.and(i32.fromI64(i64.shiftRight(marks.get, i64.const(BigInt(bit)))), n(2 ** MARK_BITS - 1));
  /** `ownForms` and `addedForms`. */
  const putForms: Code = [
    marks.set(i64.load(group.get, GROUP.marks)),
    own.set(marksFrom(0)),
    title.set(marksFrom(16)),
    anchors.set(marksFrom(32)),
    code.set(select(own.get, own.get, anchors.get)),
    title.set(select(title.get, i32.shiftLeft(i32.xor(title.get, code.get), n(MARK_BITS)), n(0))),
    code.set(i32.or(i32.xor(code.get, n(BASE_MARKS)), title.get)),
    anchors.set(select(own.get, i32.and(anchors.get, i32.xor(own.get, n(-1))), n(0))),
    // Positions take their place where there are none.
    i32.store(at.get, code.get, POSTING.forms),
    i32.store(at.get, anchors.get, POSTING.addedForms),
    hasForms.set(i32.less(n(0), i32.or(code.get, anchors.get))),
  ];
  return f.with([
    posting.set(first.get),
    end.set(i32.load(n(NEXT_POSTING))),
    group.set(beginOf('groups')),
    terms.set(i32.add(beginOf('termOfPostings'), i32.shiftLeft(first.get, n(2)))),
    at.set(i32.add(beginOf('postings'), i32.load(n(NEXT_PLACE)))),
    oddAt.set(beginOf('odd')),
    odd.set(oddAt.get),
    whileDo(i32.less(posting.get, end.get), [
      count.set(FIELDS.map((_, field) => wordsOf(field)).reduce((one, other) => i32.add(one, other))),
      putForms,
      i32.store(at.get, i32.or(document.get, i32.mul(hasForms.get, n(HAS_POSTING_FORMS))), POSTING.document),
      i32.store(at.get, count.get, POSTING.count),
      code.set(n(NO_CODE)),
      when(
        i32.and(i32.equal(count.get, wordsOf(BODY)), i32.less(count.get, n(MOST_BODY_CODES))),
        code.set(i32.load(i32.shiftLeft(count.get, n(2)), BODY_CODES)),
      ),
      i32.store(at.get, code.get, POSTING.code),
      i32.store(odd.get, group.get),
      i32.store(odd.get, at.get, 4),
      odd.set(i32.add(odd.get, i32.shiftLeft(i32.equal(code.get, n(NO_CODE)), n(3)))),
      i32.store(terms.get, i32.load(group.get, GROUP.term)),
      at.set(i32.add(i32.add(at.get, n(POSTING.bytes)), i32.mul(hasForms.get, n(FORMS_BYTES)))),
      i32.store(group.get, at.get, GROUP.next),
      i32.store(group.get, n(0), GROUP.last),
      at.set(i32.add(at.get, i32.shiftLeft(count.get, n(2)))),
      posting.set(i32.add(posting.get, n(1))),
      terms.set(i32.add(terms.get, n(4))),
      group.set(i32.add(group.get, n(GROUP.bytes))),
    ]),
    i32.store(n(NEXT_PLACE), i32.sub(at.get, beginOf('postings'))),
    i32.shiftRight(i32.sub(odd.get, oddAt.get), n(3)),
  ]);
}

/** Puts the positions of the words of the same runs in their places. Returns nothing of use. */
export function placeWords(): AssembledFunction {
  const f = new WasmFunction();
  const [run, runsEnd] = [f.param('i32'), f.param('i32')];
  const [at, end, words, position, limited, group, next] = Array.from({ length: 7 }, () => f.local('i32'));
  return f.with([
    words.set(beginOf('groupOfWords')),
    at.set(words.get),
    whileDo(i32.less(run.get, runsEnd.get), [
      end.set(i32.add(words.get, i32.shiftLeft(i32.load(run.get, RUN.end), n(2)))),
      position.set(i32.load(run.get, RUN.position)),
      whileDo(i32.less(at.get, end.get), [
        group.set(i32.load(at.get)),
        next.set(i32.load(group.get, GROUP.next)),
        limited.set(select(i32.less(position.get, n(POSITION_MASK)), position.get, n(POSITION_MASK))),
        i32.store(next.get, i32.sub(limited.get, i32.load(group.get, GROUP.last))),
        i32.store(group.get, limited.get, GROUP.last),
        i32.store(group.get, i32.add(next.get, n(4)), GROUP.next),
        position.set(i32.add(position.get, n(1))),
        at.set(i32.add(at.get, n(4))),
      ]),
      run.set(i32.add(run.get, n(RUN.bytes))),
    ]),
    n(0),
  ]);
}
