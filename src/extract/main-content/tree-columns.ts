/** Nodes that most pages have room with. */
const FIRST_ROWS = 2048;
/** Room for larger documents is not kept. */
const MOST_ROWS = 1 << 15;
/** Rows of all room that is kept, some 8 MB: dozens of pages are at the same time between being read and being described. */
const MOST_SPARE_ROWS = 1 << 17;
const BYTES = Int32Array.BYTES_PER_ELEMENT;
/** Of nodes, then of runs: no document has more runs than nodes. */
const NODE_COLUMNS = 11;
const COLUMNS = NODE_COLUMNS + 4;

/** Where a tree is put down while it is built; `content-tree.ts` says what the columns hold. */
export class TreeColumns {
  capacity = 0;
  element: Int32Array;
  parent: Int32Array;
  end: Int32Array;
  from: Int32Array;
  to: Int32Array;
  length: Int32Array;
  linked: Int32Array;
  hints: Int32Array;
  name: Int32Array;
  run: Int32Array;
  reference: Int32Array;
  runHolder: Int32Array;
  runLength: Int32Array;
  runLinked: Int32Array;
  runFirst: Int32Array;

  constructor(rows = FIRST_ROWS) {
    this.capacity = rows;
    // One piece of memory for all: to ask for each by itself takes longer.
    const memory = new ArrayBuffer(COLUMNS * rows * BYTES);
    const column = (place: number): Int32Array => new Int32Array(memory, place * rows * BYTES, rows);
    this.element = column(0);
    this.parent = column(1);
    this.end = column(2);
    this.from = column(3);
    this.to = column(4);
    this.length = column(5);
    this.linked = column(6);
    this.hints = column(7);
    this.name = column(8);
    this.run = column(9);
    this.reference = column(10);
    this.runHolder = column(11);
    this.runLength = column(12);
    this.runLinked = column(13);
    this.runFirst = column(14);
  }

  /** Room for twice as many rows, with what is there. */
  grow(): void {
    const larger = new TreeColumns(2 * this.capacity);
    larger.element.set(this.element);
    larger.parent.set(this.parent);
    larger.end.set(this.end);
    larger.from.set(this.from);
    larger.to.set(this.to);
    larger.length.set(this.length);
    larger.linked.set(this.linked);
    larger.hints.set(this.hints);
    larger.name.set(this.name);
    larger.run.set(this.run);
    larger.reference.set(this.reference);
    larger.runHolder.set(this.runHolder);
    larger.runLength.set(this.runLength);
    larger.runLinked.set(this.runLinked);
    larger.runFirst.set(this.runFirst);
    Object.assign(this, larger);
  }
}

/**
 * The room of trees that nobody needs any more, for those of the next pages: a tree is as large as its document, and to allot it anew for
 * each page keeps the collector busy. One per thread.
 */
export class TreeRooms {
  readonly #spare: TreeColumns[] = [];
  #spareRows = 0;

  take(): TreeColumns {
    const columns = this.#spare.pop();
    if (columns === undefined) return new TreeColumns();
    this.#spareRows -= columns.capacity;
    return columns;
  }

  /** The tree that was put down there is gone with this. */
  giveBack(columns: TreeColumns): void {
    const { capacity } = columns;
    if (capacity > MOST_ROWS || this.#spareRows + capacity > MOST_SPARE_ROWS) return;
    this.#spareRows += capacity;
    this.#spare.push(columns);
  }
}
