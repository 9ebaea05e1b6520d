import {
  type AssembledFunction,
  type Code,
  i32,
  select,
  WasmFunction,
  when,
  whileDo,
} from '../../../base/wasm/wasm-assembler.ts';
import { CODE, FORMS_BYTES, headOf, NEXT_POSTING, POSTING, type Region, TERM } from './posting-layout.ts';

const n = i32.const;
const beginOf = (region: Region): Code => i32.load(n(headOf(region)));
const TERM_BITS = Math.log2(TERM.bytes);

/**
 * Leaves in the region `order`, where all terms stand by their numbers in the order of the dictionary, those that have postings; sorts the postings by them,
 * and counts those of each code. Returns how many terms are left.
 */
export function orderPostings(): AssembledFunction {
  const f = new WasmFunction();
  const count = f.param('i32');
  const [order, at, end, number, term, rank, sum] = Array.from({ length: 7 }, () => f.local('i32'));
  const [terms, postings, sorted, codes, posting, code, place, termOf] = Array.from({ length: 8 }, () =>
    f.local('i32'),
  );
  return f.with([
    order.set(beginOf('order')),
    terms.set(beginOf('terms')),
    sorted.set(beginOf('sorted')),
    codes.set(beginOf('codes')),
    postings.set(beginOf('postings')),
    at.set(order.get),
    end.set(i32.add(order.get, i32.shiftLeft(count.get, n(2)))),
    whileDo(i32.less(at.get, end.get), [
      number.set(i32.load(at.get)),
      term.set(i32.add(terms.get, i32.shiftLeft(number.get, n(TERM_BITS)))),
      i32.store(term.get, sum.get, TERM.end),
      i32.store(term.get, rank.get, TERM.rank),
      i32.store(i32.add(order.get, i32.shiftLeft(rank.get, n(2))), number.get),
      sum.set(i32.add(sum.get, i32.load(term.get, TERM.postings))),
      rank.set(i32.add(rank.get, i32.less(n(0), i32.load(term.get, TERM.postings)))),
      at.set(i32.add(at.get, n(4))),
    ]),
    posting.set(n(1)),
    end.set(i32.load(n(NEXT_POSTING))),
    termOf.set(beginOf('termOfPostings')),
    at.set(beginOf('postings')),
    whileDo(i32.less(posting.get, end.get), [
      number.set(i32.load(i32.add(termOf.get, i32.shiftLeft(posting.get, n(2))))),
      term.set(i32.add(terms.get, i32.shiftLeft(number.get, n(TERM_BITS)))),
      place.set(i32.load(term.get, TERM.end)),
      i32.store(term.get, i32.add(place.get, n(1)), TERM.end),
      i32.store(i32.add(sorted.get, i32.shiftLeft(place.get, n(2))), i32.sub(at.get, postings.get)),
      code.set(i32.add(codes.get, i32.mul(i32.load(at.get, POSTING.code), n(CODE.bytes)))),
      i32.store(code.get, i32.add(i32.load(code.get, CODE.uses), n(1)), CODE.uses),
      when(i32.less(i32.load(term.get, TERM.rank), i32.load(code.get, CODE.firstRank)), [
        i32.store(code.get, i32.load(term.get, TERM.rank), CODE.firstRank),
        i32.store(code.get, posting.get, CODE.firstPosting),
      ]),
      posting.set(i32.add(posting.get, n(1))),
      number.set(
        i32.add(
          i32.shiftLeft(i32.load(at.get, POSTING.count), n(2)),
          select(i32.lessSigned(i32.load(at.get, POSTING.document), n(0)), n(FORMS_BYTES), n(0)),
        ),
      ),
      at.set(i32.add(i32.add(at.get, n(POSTING.bytes)), number.get)),
    ]),
    rank.get,
  ]);
}
