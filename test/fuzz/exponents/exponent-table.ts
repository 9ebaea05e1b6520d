import { documentCases } from './document-cases.ts';
import { markupCases } from './markup-cases.ts';
import { type Growth, measureGrowth } from './measure-growth.ts';
import { protocolCases } from './protocol-cases.ts';

/** Anything above is looked into; between it and 1 lies the noise of the measurement. */
export const STEEPEST = 1.1;
/** A first measurement may be disturbed; a case that is too steep has further chances. */
const CHANCES = 3;

/** Measures every case, or those of the parsers named, and answers them as a table in Markdown. */
export function exponentTable(
  names: readonly string[],
  log: (line: string) => void,
): { readonly text: string; readonly tooSteep: number } {
  const cases = [...markupCases, ...documentCases, ...protocolCases].filter(
    ({ parser }) => names.length === 0 || names.includes(parser),
  );
  const rows = cases.map((one) => {
    let best = measureGrowth(one);
    for (let chance = 1; chance < CHANCES && best.exponent > STEEPEST; chance++) {
      const again = measureGrowth(one);
      if (again.exponent < best.exponent) best = again;
    }
    log(rowOf(best));
    return best;
  });
  const tooSteep = rows.filter(({ exponent }) => exponent > STEEPEST).length;
  const head = ['| parser | what grows | n | 2n | 4n | 8n | exponent |', '|---|---|---|---|---|---|---|'];
  return { text: [...head, ...rows.map(rowOf)].join('\n'), tooSteep };
}

function rowOf({ parser, grows, ms, exponent }: Growth): string {
  const times = [0, 1, 2, 3].map((at) => (ms[at] === undefined ? '–' : `${ms[at].toPrecision(2)} ms`));
  return `| ${[parser, grows, ...times, exponent.toFixed(2)].join(' | ')} |`;
}
