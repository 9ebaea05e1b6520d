import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { crc32, inflateSync } from 'node:zlib';
import fc from 'fast-check';
import type { Chart } from '../../../../../src/laboratory/plots/chart.ts';
import { chartPicture } from '../../../../../src/laboratory/plots/chart-picture.ts';
import type { Picture, Place, Shape } from '../../../../../src/laboratory/plots/picture.ts';
import { dashedLine } from '../../../../../src/laboratory/plots/png/dashed-line.ts';
import { pngPicture } from '../../../../../src/laboratory/plots/png/png-picture.ts';
import { textLines } from '../../../../../src/laboratory/plots/png/stroke-font.ts';
import { pngChart } from '../../../../../src/laboratory/plots/png-chart.ts';
import { svgChart } from '../../../../../src/laboratory/plots/svg-chart.ts';

interface Read {
  readonly width: number;
  readonly height: number;
  readonly chunks: readonly string[];
  /** #rrggbb */
  at(x: number, y: number): string;
}

/** Reads a PNG of eight bits, three colours and rows as they are; every checksum must be right. */
function read(png: Buffer): Read {
  assert.equal(png.subarray(0, 8).toString('latin1'), '\x89PNG\r\n\x1a\n');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < png.length; ) {
    const length = png.readUInt32BE(at);
    const type = png.toString('latin1', at + 4, at + 8);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(png.subarray(at + 4, at + 8 + length)), type);
    chunks.set(type, png.subarray(at + 8, at + 8 + length));
    at += 12 + length;
  }
  const header = chunks.get('IHDR') as Buffer;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  assert.deepEqual([...header.subarray(8)], [8, 2, 0, 0, 0]);
  const rows = inflateSync(chunks.get('IDAT') as Buffer);
  assert.equal(rows.length, height * (3 * width + 1));
  for (let y = 0; y < height; y++) assert.equal(rows[y * (3 * width + 1)], 0);
  return {
    ...{ width, height, chunks: [...chunks.keys()] },
    at: (x, y) => {
      const from = y * (3 * width + 1) + 1 + 3 * x;
      return `#${rows.toString('hex', from, from + 3)}`;
    },
  };
}

function darkness(picture: Read, [left, top, right, bottom]: readonly [number, number, number, number]): number {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) sum += 1 - Number.parseInt(picture.at(x, y).slice(1, 3), 16) / 255;
  }
  return sum;
}

function drawn(width: number, height: number, ...shapes: Shape[]): Read {
  const picture: Picture = { title: '', width, height, shapes };
  return read(pngPicture(picture, 1));
}

const CHART: Chart = {
  kind: 'lines',
  ...{ name: 'a', title: 'Freshness by budget', x: 'budget, visits per page and day', y: 'share of copies' },
  yAxis: { percent: true },
  lines: [
    { label: 'λ² – one', points: [[0, 0.2] as const, [1, 0.9] as const] },
    { label: 'two', points: [[0, 0.1] as const, [1, 0.3] as const], dashed: true },
  ],
};

describe('charts as PNG', () => {
  test('twice the size of the SVG, on white, and the same each time', () => {
    const png = pngChart(CHART, 'from here');
    const picture = read(png);
    assert.deepEqual([picture.width, picture.height], [2 * 760, 2 * 420]);
    assert.deepEqual(picture.chunks, ['IHDR', 'pHYs', 'IDAT', 'IEND']);
    assert.equal(picture.at(0, 0), '#ffffff');
    assert.ok(png.equals(pngChart(CHART, 'from here')));
  });

  test('what stands in the SVG stands in the PNG, in the same places and colours', () => {
    const { shapes } = chartPicture(CHART, 'from here');
    const svg = svgChart(CHART, 'from here');
    const picture = read(pngChart(CHART, 'from here'));
    const paper = shapes[0];
    assert.ok(paper.kind === 'rectangle' && paper.tone === 'paper');
    for (const shape of shapes.slice(1)) {
      if (shape.kind === 'text') {
        assert.ok(svg.includes(`>${shape.content}</text>`), shape.content);
        const x = Math.round(2 * (shape.at[0] - { start: 0, middle: 20, end: 40 }[shape.anchor]));
        const y = Math.round(2 * shape.at[1]);
        assert.ok(darkness(picture, [x, y - 24, x + 80, y + 4]) > 5, shape.content);
      } else if (shape.kind === 'circle' || shape.kind === 'area') {
        const corners = shape.kind === 'area' ? shape.corners : [shape.at];
        const [x, y] = [0, 1].map((part) => corners.reduce((sum, place) => sum + place[part], 0) / corners.length);
        const shown = picture.at(Math.floor(2 * x), Math.floor(2 * y));
        assert.ok(svg.includes(`.${shape.tone}{fill:${shown}}`), `${shape.tone} is ${shown}`);
      }
    }
  });

  test('shapes cover as much as they should, wherever they lie', () => {
    const middles = fc.double({ min: 20, max: 30, noNaN: true });
    fc.assert(
      fc.property(middles, middles, fc.double({ min: 4, max: 15, noNaN: true }), (x, y, size) => {
        const near = (read: Read, area: number): void => {
          const found = darkness(read, [0, 0, 50, 50]);
          assert.ok(Math.abs(found - area) < 0.03 * area + 1, `${found}, not ${area}`);
        };
        const ink = 1 - 0x1f / 255;
        near(drawn(50, 50, { kind: 'circle', at: [x, y], radius: size, tone: 'ink' }), ink * Math.PI * size * size);
        const box = {
          kind: 'rectangle',
          x: x - size,
          y: y - size,
          width: size,
          height: 2 * size,
          tone: 'ink',
        } as const;
        near(drawn(50, 50, box), ink * 2 * size * size);
        const corners: Place[] = [
          [x, y - size],
          [x + size, y],
          [x, y + size],
          [x - size, y],
        ];
        for (const turned of [corners, corners.toReversed()]) {
          near(drawn(50, 50, { kind: 'area', corners: turned, tone: 'ink' }), ink * 2 * size * size);
        }
        const places: Place[] = [
          [x - size, y],
          [x, y],
          [x + size, y],
        ];
        near(
          drawn(50, 50, { kind: 'stroke', places, width: 3, tone: 'ink' }),
          ink * (2 * size * 3 + Math.PI * 1.5 * 1.5),
        );
      }),
      { numRuns: 20 },
    );
  });

  test('text ends where it should: at its start, its middle, its end, or pressed together', () => {
    const text = (anchor: 'start' | 'middle' | 'end', width?: number): Read =>
      drawn(200, 30, {
        ...{ kind: 'text', at: [100, 20], anchor, content: 'HHHHHH', size: 16, bold: false, tone: 'ink' },
        ...(width === undefined ? {} : { width }),
      });
    const columns = (read: Read): [number, number] => {
      const dark = Array.from({ length: 200 }, (_, x) => darkness(read, [x, 0, x + 1, 30]) > 0.5);
      return [dark.indexOf(true), dark.lastIndexOf(true)];
    };
    const [startLeft, startRight] = columns(text('start'));
    const [endLeft, endRight] = columns(text('end'));
    const [middleLeft, middleRight] = columns(text('middle'));
    assert.ok(startLeft >= 100 && startLeft < 104);
    assert.ok(endRight <= 100 && endRight > 96);
    assert.ok(Math.abs((middleLeft + middleRight) / 2 - 100) < 2);
    assert.ok(Math.abs(startRight - startLeft - (endRight - endLeft)) <= 1);
    const [pressedLeft, pressedRight] = columns(text('start', 40));
    assert.ok(pressedRight - pressedLeft < 40 && pressedRight - pressedLeft > 32);
  });
});

describe('the font of lines', () => {
  const box = textLines('中').lines;

  test('has all of ASCII, and what plots are likely to say beside it', () => {
    const ascii = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at));
    for (const sign of [...ascii, ...'°±²³µ·×ßλ–—…→−≈≤≥‘’“”éèêëñüöäÅçČ']) {
      const { lines, width } = textLines(sign);
      assert.ok(sign === ' ' ? lines.length === 0 : lines.length > 0, sign);
      assert.notDeepEqual(lines, box, sign);
      assert.ok(width > 2 && width < 20, sign);
    }
    assert.equal(box.length, 1, 'what it has not is a box');
  });

  test('every sign keeps to its place, and digits are of one width', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (content) => {
        const { lines, width } = textLines(content);
        for (const [x, y] of lines.flat()) assert.ok(x > -3 && x < width + 3 && y > -6 && y < 21, `${x}, ${y}`);
      }),
    );
    assert.equal(new Set([...'0123456789'].map((digit) => textLines(digit).width)).size, 1);
  });
});

describe('dashes', () => {
  test('are drawn and left out in turn, round corners too', () => {
    const places = fc.array(fc.tuple(fc.integer({ max: 99 }), fc.integer({ min: 0, max: 99 })), { minLength: 2 });
    const bounded = places.map((all) => all.map(([x, y]): Place => [Math.abs(x) % 100, y]));
    fc.assert(
      fc.property(bounded, (line) => {
        const lengthOf = (part: readonly Place[]): number =>
          part.slice(1).reduce((sum, [x, y], at) => sum + Math.hypot(x - part[at][0], y - part[at][1]), 0);
        const whole = lengthOf(line);
        const parts = dashedLine(line, [6, 5]);
        const expected = 6 * Math.floor(whole / 11) + Math.min(6, whole % 11);
        assert.ok(Math.abs(parts.map(lengthOf).reduce((sum, length) => sum + length, 0) - expected) < 1e-6);
        for (const part of parts) assert.ok(lengthOf(part) < 6 + 1e-6);
      }),
    );
  });
});
