import { WORDS } from '../markup/word-lists.ts';
import type { SitePlan } from '../plan/site-plan.ts';
import { numberedName } from './addressing.ts';
import { hash32 } from './seeded-hash.ts';
import type { WebSpec } from './web-spec.ts';

const PURPOSE = { word: 147, mirror: 148 } as const;
/** What the mirrors of a host are called, in their order; further ones, and one in four, have a domain of their own. */
const MIRROR_LABELS = ['www', 'staging', 'mirror', 'beta'] as const;

/** The name of each host of a web. */
export function hostNames(spec: WebSpec, sites: SitePlan): (host: number) => string {
  if (spec.hostNames === 'numbered') return numberedName;
  const mirrorsBefore = new Map<number, number>();
  const names = Array.from({ length: spec.hosts }, (_, host) => {
    const source = sites.source(host);
    const own = domain(spec.seed, host);
    if (source === host || hash32(spec.seed, host, 0, PURPOSE.mirror) % 4 === 0) return own;
    const before = mirrorsBefore.get(source) ?? 0;
    mirrorsBefore.set(source, before + 1);
    return before < MIRROR_LABELS.length ? `${MIRROR_LABELS[before]}.${domain(spec.seed, source)}` : own;
  });
  return (host) => names[host];
}

function domain(seed: number, host: number): string {
  return `${WORDS[hash32(seed, host, 0, PURPOSE.word) % WORDS.length]}${String(host).padStart(3, '0')}.test`;
}
