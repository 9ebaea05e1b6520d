import { type Html, trusted } from './html.ts';

const SPOKES = 12;

/** The logo: an orb web, spokes first, then the sagging spiral. Colours by style-sheet classes; `part` is the view box. */
export function orbMark(rings: number, className: string, part = '0 0 100 100'): Html {
  const spokes = Array.from({ length: SPOKES }, (_, spoke) => {
    const [x, y] = place(spoke, 46 + (spoke % 3) * 1.6);
    return `M50 50L${x} ${y}`;
  });
  const threads = Array.from({ length: rings }, (_, ring) => {
    const radius = 9 + (ring * 33) / Math.max(1, rings - 1);
    return Array.from({ length: SPOKES }, (_, spoke) => {
      const [x, y] = place(spoke, radius);
      const [toX, toY] = place(spoke + 1, radius);
      const [sagX, sagY] = place(spoke + 0.5, radius * 0.86);
      return `M${x} ${y}Q${sagX} ${sagY} ${toX} ${toY}`;
    }).join('');
  });
  const [dropX, dropY] = place(1, 9 + 33 * 0.6);
  return trusted(
    `<svg class="${className}" viewBox="${part}" aria-hidden="true" focusable="false">` +
      `<path class="spokes" d="${spokes.join('')}"/><path class="threads" d="${threads.join('')}"/>` +
      `<circle class="drop" cx="${dropX}" cy="${dropY}" r="5.5"/></svg>`,
  );
}

/** As a data address, for the icon of the tab. */
export function orbIcon(): string {
  const { markup } = orbMark(3, 'icon');
  const plain = markup
    .replace('<svg class="icon"', '<svg xmlns="http://www.w3.org/2000/svg"')
    .replaceAll(/ class="(?:spokes|threads)"/g, ' fill="none" stroke="#8a857a" stroke-width="3"')
    .replace('class="drop"', 'fill="#d98a1f"')
    .replace('r="5.5"', 'r="13"');
  return `data:image/svg+xml,${encodeURIComponent(plain)}`;
}

function place(spoke: number, radius: number): [string, string] {
  const angle = ((spoke - 0.35) / SPOKES) * 2 * Math.PI;
  return [(50 + radius * Math.cos(angle)).toFixed(1), (50 + radius * Math.sin(angle)).toFixed(1)];
}
