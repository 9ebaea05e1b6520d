import type { Tone } from './palette.ts';

export type Place = readonly [x: number, y: number];

export interface RectangleShape {
  readonly kind: 'rectangle';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** Of its corners. */
  readonly radius?: number;
  readonly tone: Tone;
}

/** A line through places, with round ends and corners. */
export interface StrokeShape {
  readonly kind: 'stroke';
  readonly places: readonly Place[];
  readonly width: number;
  /** Drawn and left out in turn, in this length and that. */
  readonly dashes?: readonly [drawn: number, left: number];
  readonly tone: Tone;
}

/** A filled shape without dents, its corners in order. */
export interface AreaShape {
  readonly kind: 'area';
  readonly corners: readonly Place[];
  readonly tone: Tone;
}

export interface CircleShape {
  readonly kind: 'circle';
  readonly at: Place;
  readonly radius: number;
  readonly tone: Tone;
}

export interface TextShape {
  readonly kind: 'text';
  /** On the base line: where it starts, its middle, or where it ends, as `anchor` says. */
  readonly at: Place;
  readonly anchor: 'start' | 'middle' | 'end';
  readonly content: string;
  readonly size: number;
  readonly bold: boolean;
  /** It takes just this width, pressed together; its own where nothing is said. */
  readonly width?: number;
  readonly tone: Tone;
}

export type Shape = RectangleShape | StrokeShape | AreaShape | CircleShape | TextShape;

/** What is to be drawn, from the back to the front, whatever it is drawn with. The unit is a pixel of a page; y goes down. */
export interface Picture {
  readonly title: string;
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}
