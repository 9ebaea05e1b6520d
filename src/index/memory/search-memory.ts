import type { QueryNode } from '../../contracts/search-index.ts';
import type { ScoredList } from '../query/scored-list.ts';
import type { SearchedSegment } from '../query/searched-segment.ts';
import { BlockArrays } from './block-arrays.ts';
import { ColumnBuffers } from './column-buffers.ts';
import { HeapRooms } from './heap-rooms.ts';
import { ListMemory } from './list-memory.ts';
import { MatchSamples } from './match-sample.ts';
import { PairArrays } from './pair-arrays.ts';
import { WindowBuffers } from './window-buffers.ts';

type Unions = WeakMap<QueryNode, ScoredList>;

/**
 * The memory that a snapshot searches with, kept from search to search. A typed array of more than 64 bytes lies outside the
 * engine's heap: a hundred of them for every query kept the allocator and the collector busy.
 *
 * Searches of one thread take turns only where they wait. What a snapshot is asked (`matches` and its `top`, `matchesAny`,
 * `explain`, `countFacts`, `select`) is answered without waiting and without asking it anything else, so each of these has all
 * of the memory to itself; what is lent for longer is given back by whoever borrowed it (`heaps`, `samples`).
 */
export class SearchMemory {
  readonly columns = new ColumnBuffers();
  readonly windows = new WindowBuffers();
  readonly blocks = new BlockArrays();
  readonly heaps = new HeapRooms();
  readonly samples = new MatchSamples();
  readonly lists = new ListMemory();
  readonly pairs = new PairArrays();
  #unions = new Map<SearchedSegment, Unions>();

  /** A search begins: cursors and readers of the ones before are not used any more. */
  begin(): void {
    this.blocks.takeBack();
    if (!this.lists.isShort) return;
    this.lists.takeBack();
    this.#unions = new Map();
  }

  /** Words of several terms as they were scored: a query that finds too few with all its words asks for the same ones again. */
  unionsOf(searched: SearchedSegment): Unions {
    let unions = this.#unions.get(searched);
    if (unions === undefined) {
      unions = new WeakMap();
      this.#unions.set(searched, unions);
    }
    return unions;
  }
}
