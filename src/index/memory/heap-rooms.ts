/** Most searches find fewer than they may keep. */
const FIRST_ROOM = 1024;
/** More are needed only by as many searches at once. Most grow to what a page of results reads at most, 120 KB; larger ones are rare. */
const MOST_KEPT = 4;
const LARGEST_KEPT = 16 * 1024;

/** Memory for documents and their scores. */
export interface HeapRoom {
  readonly scores: Float64Array;
  readonly documents: Uint32Array;
}

/**
 * Lends the memory of heaps. Unlike what a search needs while it runs, matches are held until the answer is written, while other
 * searches of the same thread go on: each has a room of its own, and gives it back itself.
 */
export class HeapRooms {
  readonly #free: HeapRoom[] = [];

  /** Of any size; holds whatever it was used for before. */
  take(): HeapRoom {
    return this.#free.pop() ?? roomFor(FIRST_ROOM);
  }

  /** A room for this many with what is in the one that is too small. */
  grown(small: HeapRoom, length: number): HeapRoom {
    const large = roomFor(length);
    large.scores.set(small.scores);
    large.documents.set(small.documents);
    return large;
  }

  giveBack(room: HeapRoom): void {
    if (this.#free.length < MOST_KEPT && room.scores.length <= LARGEST_KEPT) this.#free.push(room);
  }
}

function roomFor(length: number): HeapRoom {
  return { scores: new Float64Array(length), documents: new Uint32Array(length) };
}
