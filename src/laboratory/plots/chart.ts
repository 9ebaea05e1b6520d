export interface Bar {
  readonly label: string;
  readonly value: number;
  /** To compare with, drawn apart: other people's work, or the plain way of doing it. */
  readonly peer?: boolean;
}

export interface Line {
  readonly label: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** A reference rather than a measurement. */
  readonly dashed?: boolean;
}

export interface AxisOptions {
  /** By powers of ten; every value must be above 0. */
  readonly log?: boolean;
  /** The values are shares; 0.25 is written 25 %. */
  readonly percent?: boolean;
  /** Where the axis begins; 0 where it is not said. 'data': near the lowest value, for lines that lie close together. */
  readonly from?: number | 'data';
}

export interface BarChart {
  readonly kind: 'bars';
  /** Of its file. */
  readonly name: string;
  readonly title: string;
  readonly unit: string;
  readonly bars: readonly Bar[];
  readonly percent?: boolean;
}

export interface LineChart {
  readonly kind: 'lines';
  readonly name: string;
  readonly title: string;
  /** What the axes show, with units. */
  readonly x: string;
  readonly y: string;
  readonly lines: readonly Line[];
  readonly xAxis?: AxisOptions;
  readonly yAxis?: AxisOptions;
}

export type Chart = BarChart | LineChart;
