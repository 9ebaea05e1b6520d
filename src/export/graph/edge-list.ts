import type { StreamFormat } from '../../contracts/export.ts';

const TOLD_EVERY = 1000;

/** A link on each line: source, target, whether it is marked nofollow (0 or 1), and its text; separated by tabs. */
export const edgeListFormat: StreamFormat = {
  ...{ target: 'stream', isCompressible: true, options: [] },
  async write(source, output, { from, progress }) {
    let rows = from?.rows ?? 0;
    for await (const { source: page, target, nofollow, text, cursor } of source.links(from)) {
      await output.write(`${page}\t${target}\t${nofollow ? 1 : 0}\t${oneField(text)}\n`);
      rows++;
      if (rows % TOLD_EVERY === 0) progress(rows);
      if (output.isDue) await output.checkpoint({ cursor, rows });
    }
    progress(rows);
    return { rows };
  },
};

/** Without what would end the field or the line, for whichever reader. */
function oneField(text: string): string {
  return text.toWellFormed().replace(/[\s\0-\x1f\x7f\x85\u2028\u2029]+/g, ' ');
}
