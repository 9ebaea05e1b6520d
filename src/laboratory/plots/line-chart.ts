import { axisScale } from './axis-scale.ts';
import type { Line, LineChart } from './chart.ts';
import { drawing, MARGIN, rule, text, textWidth, WIDTH } from './drawing.ts';
import { LINE_TONES } from './palette.ts';
import type { Picture, Place, Shape } from './picture.ts';

const HEIGHT = 420;
const TOP = 78;
const BOTTOM = HEIGHT - 84;
const SWATCH = 26;
const LABEL_STEP = 19;
/** Lines of so few points show each of them; longer ones show some, each line others. */
const MARKED = 24;
const MARKS_OF_LONG_LINES = 6;

/** Corners around a point; none for a circle. */
const MARKERS: readonly (readonly Place[])[] = [
  '',
  '-3.6,-3.6 3.6,-3.6 3.6,3.6 -3.6,3.6',
  '0,-4.6 4.4,3.4 -4.4,3.4',
  '0,-5 5,0 0,5 -5,0',
  '-4.4,-3.4 4.4,-3.4 0,4.6',
  '-1.8,-5.2 1.8,-5.2 1.8,5.2 -1.8,5.2',
  '-5.2,-1.8 5.2,-1.8 5.2,1.8 -5.2,1.8',
  '-3.4,-4.4 -3.4,4.4 4.6,0',
].map((corners) => Array.from(corners.matchAll(/(\S+),(\S+)/g), ([, x, y]): Place => [Number(x), Number(y)]));

interface DrawnLine {
  readonly line: Line;
  readonly style: number;
  readonly places: readonly Place[];
}

export function drawLines(chart: LineChart, caption: string): Picture {
  const { lines, title, x, y } = chart;
  const points = lines.flatMap((line) => line.points);
  const across = axisScale(
    points.map(([value]) => value),
    chart.xAxis,
    true,
  );
  const up = axisScale(
    points.map(([, value]) => value),
    chart.yAxis,
  );
  const names = lines.length < 2 ? 0 : Math.min(220, Math.max(...lines.map(({ label }) => textWidth(label, 12))));
  const left = MARGIN + Math.max(...up.ticks.map((tick) => textWidth(up.name(tick), 12))) + 10;
  const right = WIDTH - MARGIN - (names === 0 ? 10 : names + SWATCH + 20);
  const atX = (value: number): number => left + (right - left) * across.place(value);
  const atY = (value: number): number => BOTTOM - (BOTTOM - TOP) * up.place(value);
  const drawn = lines.map((line, style) => ({
    line,
    style: style % LINE_TONES.length,
    places: line.points.map(([px, py]): Place => [atX(px), atY(py)]),
  }));
  return drawing(HEIGHT, title, y, caption, [
    ...up.ticks.flatMap((tick, at) => [
      rule(left, atY(tick), right, atY(tick), at === 0 ? 'ink' : 'grid'),
      text(left - 8, atY(tick) + 4, up.name(tick), { anchor: 'end', size: 12, tone: 'faint' }),
    ]),
    ...across.ticks.flatMap((tick) => [
      rule(atX(tick), BOTTOM, atX(tick), BOTTOM + 5, 'ink'),
      text(atX(tick), BOTTOM + 20, across.name(tick), { anchor: 'middle', size: 12, tone: 'faint' }),
    ]),
    text((left + right) / 2, BOTTOM + 42, x, { anchor: 'middle', size: 12.5, tone: 'faint', widest: right - left }),
    ...drawn.flatMap(drawLine),
    ...(names === 0 ? [] : labels(drawn, right, names)),
  ]);
}

function drawLine({ line, style, places }: DrawnLine): Shape[] {
  const dashes = line.dashed === true ? ({ dashes: [6, 5] } as const) : {};
  return [
    { kind: 'stroke', places, width: 2.25, ...dashes, tone: LINE_TONES[style] },
    ...places.filter((_, at) => isMarked(at, places.length, style)).map((place) => marker(place, style)),
  ];
}

function isMarked(at: number, count: number, style: number): boolean {
  if (count <= MARKED) return true;
  const step = Math.ceil(count / MARKS_OF_LONG_LINES);
  return at % step === Math.floor(((style + 0.5) * step) / LINE_TONES.length);
}

/** Beside the ends of the lines, in their order and apart from each other, so that no line is under a name. */
function labels(drawn: readonly DrawnLine[], right: number, widest: number): Shape[] {
  const inOrder = [...drawn].sort((one, other) => endOf(one) - endOf(other));
  const wanted = inOrder.map(endOf);
  const spread = spreadOut(wanted, TOP, BOTTOM);
  const x = right + 14;
  return inOrder.flatMap(({ line, style }, at): Shape[] => {
    const y = spread[at];
    const dashes = line.dashed === true ? ({ dashes: [5, 4] } as const) : {};
    const swatch: Place[] = [
      [x, y],
      [x + 18, y],
    ];
    return [
      { kind: 'stroke', places: swatch, width: 2.5, ...dashes, tone: LINE_TONES[style] },
      marker([x + 9, y], style),
      text(x + SWATCH, y + 4, line.label, { size: 12, widest }),
    ];
  });
}

function endOf({ places }: DrawnLine): number {
  return places.length === 0 ? BOTTOM : places[places.length - 1][1];
}

/** Moves ascending places apart by at least a step, as little as it takes, and keeps them between the edges. */
function spreadOut(wanted: readonly number[], top: number, bottom: number): number[] {
  const step = Math.min(LABEL_STEP, (bottom - top) / Math.max(1, wanted.length - 1));
  const places = [...wanted];
  for (let at = 0; at < places.length; at++) {
    places[at] = Math.max(places[at], at === 0 ? top : places[at - 1] + step);
  }
  let limit = bottom;
  for (let at = places.length - 1; at >= 0; at--) {
    places[at] = Math.min(places[at], limit);
    limit = places[at] - step;
  }
  return places;
}

/** A shape of its own for each line, for those who do not see the colours. */
function marker([x, y]: Place, style: number): Shape {
  const tone = LINE_TONES[style];
  const offsets = MARKERS[style % MARKERS.length];
  return offsets.length === 0
    ? { kind: 'circle', at: [x, y], radius: 3.8, tone }
    : { kind: 'area', corners: offsets.map(([dx, dy]): Place => [x + dx, y + dy]), tone };
}
