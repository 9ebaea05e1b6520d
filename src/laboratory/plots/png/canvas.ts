import type { Place } from '../picture.ts';

/** Steps between a pixel that is not covered and one that is: no more than eyes tell apart, for the sake of small files. */
const STEPS = 16;

type Colour = readonly [red: number, green: number, blue: number];

/**
 * Pixels that are painted with smooth edges: each is covered by as much of a shape as its distance from the edge says. All
 * parts that are covered before `paint` count as one shape, so that nothing shows where they overlap.
 */
export class Canvas {
  readonly width: number;
  readonly height: number;
  /** Red, green and blue of each pixel, row by row. */
  readonly pixels: Uint8Array;
  readonly #covered: Float32Array;
  /** What has been covered since the last `paint`. */
  #left = Number.POSITIVE_INFINITY;
  #top = Number.POSITIVE_INFINITY;
  #right = -1;
  #bottom = -1;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.pixels = new Uint8Array(3 * width * height).fill(255);
    this.#covered = new Float32Array(width * height);
  }

  /** A box with rounded corners. */
  coverBox(x: number, y: number, width: number, height: number, radius: number): void {
    const [halfX, halfY] = [width / 2, height / 2];
    const round = Math.min(radius, halfX, halfY);
    const [middleX, middleY] = [x + halfX, y + halfY];
    this.#cover(x, y, x + width, y + height, (px, py) => {
      const dx = Math.abs(px - middleX) - halfX + round;
      const dy = Math.abs(py - middleY) - halfY + round;
      const outside = dx > 0 && dy > 0 ? lengthOf(dx, dy) : Math.max(dx, dy);
      return outside - round;
    });
  }

  coverCircle([x, y]: Place, radius: number): void {
    this.#cover(x - radius, y - radius, x + radius, y + radius, (px, py) => lengthOf(px - x, py - y) - radius);
  }

  /** A line with round ends. */
  coverLine([x1, y1]: Place, [x2, y2]: Place, width: number): void {
    const half = width / 2;
    const [dx, dy] = [x2 - x1, y2 - y1];
    const squared = dx * dx + dy * dy || 1;
    this.#cover(
      Math.min(x1, x2) - half,
      Math.min(y1, y2) - half,
      Math.max(x1, x2) + half,
      Math.max(y1, y2) + half,
      (px, py) => {
        const along = Math.min(1, Math.max(0, ((px - x1) * dx + (py - y1) * dy) / squared));
        return lengthOf(px - x1 - along * dx, py - y1 - along * dy) - half;
      },
    );
  }

  /** A shape without dents; it is within all its sides. */
  coverArea(corners: readonly Place[]): void {
    const turn = Math.sign(areaOf(corners)) || 1;
    const sides = corners.map(([x1, y1], at) => {
      const [x2, y2] = corners[(at + 1) % corners.length];
      const length = lengthOf(x2 - x1, y2 - y1) || 1;
      return { x: x1, y: y1, nx: (turn * (y2 - y1)) / length, ny: (turn * (x1 - x2)) / length };
    });
    const xs = corners.map(([x]) => x);
    const ys = corners.map(([, y]) => y);
    this.#cover(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys), (px, py) => {
      let outside = Number.NEGATIVE_INFINITY;
      for (const { x, y, nx, ny } of sides) outside = Math.max(outside, (px - x) * nx + (py - y) * ny);
      return outside;
    });
  }

  /** Gives what was covered its colour. */
  paint(colour: Colour): void {
    for (let y = this.#top; y <= this.#bottom; y++) {
      for (let x = this.#left; x <= this.#right; x++) {
        const at = y * this.width + x;
        const share = Math.round(STEPS * this.#covered[at]) / STEPS;
        this.#covered[at] = 0;
        if (share === 0) continue;
        for (let part = 0; part < 3; part++) {
          const before = this.pixels[3 * at + part];
          this.pixels[3 * at + part] = Math.round(before + (colour[part] - before) * share);
        }
      }
    }
    this.#left = this.#top = Number.POSITIVE_INFINITY;
    this.#right = this.#bottom = -1;
  }

  /** `outside`: how far beyond the edge of a shape a place is, below 0 within it. */
  #cover(left: number, top: number, right: number, bottom: number, outside: (x: number, y: number) => number): void {
    const fromX = Math.max(0, Math.floor(left - 1));
    const fromY = Math.max(0, Math.floor(top - 1));
    const toX = Math.min(this.width - 1, Math.ceil(right + 1));
    const toY = Math.min(this.height - 1, Math.ceil(bottom + 1));
    for (let y = fromY; y <= toY; y++) {
      for (let x = fromX; x <= toX; x++) {
        const share = 0.5 - outside(x + 0.5, y + 0.5);
        const at = y * this.width + x;
        if (share > this.#covered[at]) this.#covered[at] = Math.min(1, share);
      }
    }
    this.#left = Math.min(this.#left, fromX);
    this.#top = Math.min(this.#top, fromY);
    this.#right = Math.max(this.#right, toX);
    this.#bottom = Math.max(this.#bottom, toY);
  }
}

/** Twice the area, above 0 where the corners go round clockwise on a page. */
function areaOf(corners: readonly Place[]): number {
  return corners.reduce((sum, [x1, y1], at) => {
    const [x2, y2] = corners[(at + 1) % corners.length];
    return sum + x1 * y2 - x2 * y1;
  }, 0);
}

/** Math.hypot is many times slower, for the sake of numbers that no picture has. */
function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y);
}
