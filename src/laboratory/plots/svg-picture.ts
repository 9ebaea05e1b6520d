import { escaped } from './escaped.ts';
import { colourOf, TONES } from './palette.ts';
import type { Picture, Place, Shape, StrokeShape, TextShape } from './picture.ts';

const FONT = 'system-ui, -apple-system, "Segoe UI", "DejaVu Sans", Helvetica, Arial, sans-serif';

/** Plain rules rather than variables, so that programs that know little of style sheets draw them too. */
const STYLE = `${sheet('light')}\n@media (prefers-color-scheme:dark){${sheet('dark')}}`;

function sheet(paper: 'light' | 'dark'): string {
  return TONES.map((tone) => {
    const colour = colourOf(tone, paper);
    return `.${tone}{fill:${colour}}.${tone}-stroke{stroke:${colour}}`;
  }).join('');
}

/** A picture as an SVG of its own, on white or, where the reader prefers it, on black. */
export function svgPicture({ title, width, height, shapes }: Picture): string {
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${escaped(title)}" font-family='${FONT}'>`,
    `<style>${STYLE}</style>`,
    ...shapes.map(element),
    '</svg>\n',
  ].join('\n');
}

function element(shape: Shape): string {
  switch (shape.kind) {
    case 'rectangle': {
      const { x, y, width, height, radius, tone } = shape;
      const corners = radius === undefined ? '' : ` rx="${radius}"`;
      return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${corners} class="${tone}"/>`;
    }
    case 'stroke':
      return strokeElement(shape);
    case 'area':
      return `<polygon class="${shape.tone}" points="${shape.corners.map((place) => pair(place, ',')).join(' ')}"/>`;
    case 'circle':
      return `<circle class="${shape.tone}" cx="${round(shape.at[0])}" cy="${round(shape.at[1])}" r="${shape.radius}"/>`;
    case 'text':
      return textElement(shape);
  }
}

function strokeElement({ places, width, dashes, tone }: StrokeShape): string {
  const path = places.map((place, at) => `${at === 0 ? 'M' : 'L'}${pair(place, ' ')}`).join('');
  const dashed = dashes === undefined ? '' : ` stroke-dasharray="${dashes.join(' ')}"`;
  return `<path class="${tone}-stroke" d="${path}" fill="none" stroke-width="${width}" stroke-linejoin="round" stroke-linecap="round"${dashed}/>`;
}

function textElement({ at, anchor, content, size, bold, width, tone }: TextShape): string {
  const pressed = width === undefined ? '' : ` textLength="${round(width)}" lengthAdjust="spacingAndGlyphs"`;
  return `<text class="${tone}" x="${round(at[0])}" y="${round(at[1])}" font-size="${size}" font-weight="${bold ? 600 : 400}" text-anchor="${anchor}"${pressed}>${escaped(content)}</text>`;
}

function pair([x, y]: Place, between: string): string {
  return `${round(x)}${between}${round(y)}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
