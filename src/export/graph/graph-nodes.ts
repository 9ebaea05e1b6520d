import { OrbweaverError } from '../../base/errors.ts';
import type { ExportSource } from '../../contracts/export.ts';
import { UrlNumbering } from '../../engines/open-links.ts';

export interface NumberedNodes {
  readonly count: number;
  /** Of a URL that the links name. */
  numberOf(url: string): number;
}

/**
 * Numbers the ends of all links: first the pages that hold any, in the order of the links, so that a reading of the links meets them in
 * their order; then those that are linked to. Costs about 20 bytes a URL. `visit` is told each once, in the order of the numbers.
 */
export async function numberNodes(
  source: ExportSource,
  visit: (url: string, number: number) => Promise<void>,
): Promise<NumberedNodes> {
  const numbers = new UrlNumbering();
  const add = async (url: string): Promise<void> => {
    const before = numbers.count;
    const number = numbers.add(url);
    if (number === before) await visit(url, number);
  };
  for await (const link of source.links()) await add(link.source);
  for await (const link of source.links()) await add(link.target);
  return {
    count: numbers.count,
    numberOf: (url) => {
      const number = numbers.find(url);
      if (number === undefined) throw changedMeanwhile();
      return number;
    },
  };
}

/** Numbers are written before the links: a crawl that goes on meanwhile would bring links between others. */
export function changedMeanwhile(): OrbweaverError {
  return new OrbweaverError('FOLDER_IN_USE', 'The links of the crawl have changed while they were exported.', {
    remedy: 'Export the graph when no crawl or index runs in this folder; --restart begins again.',
  });
}
