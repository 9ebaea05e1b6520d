import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const STYLES = ['/node/N', '/n/N.html', '/entry?id=N', '/record-N'] as const;

/** A tree told by numbers: each page names two or four more (by the seed), its parent and the root. */
export function numberedTree({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  const fan = seed % 2 === 0 ? 2 : 4;
  const style = STYLES[seed % STYLES.length];
  const path = (node: number): string => (node === 0 ? '/' : style.replace('N', String(node)));
  return Array.from({ length: pages }, (_, node) => {
    const children = Array.from({ length: fan }, (_, at) => fan * node + at + 1).filter((child) => child < pages);
    const up = node === 0 ? [] : [path(Math.floor((node - 1) / fan)), '/'];
    return { path: path(node), title: words.title(node), links: [...children.map(path), ...up], words: 140 };
  });
}
