import { OrbweaverError } from '../../base/errors.ts';

/** Everything that a mix can weigh. */
const EVIDENCE_KINDS = [
  'in-degree',
  'out-degree',
  'opic',
  'pagerank',
  'rank-forecast',
  'host-rank',
  'host-size',
  'topic',
  'feeds',
  'sitemap-priority',
  'depth',
  'path-depth',
  'path-children',
  'boost',
] as const;

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

export type OrderMix = ReadonlyMap<EvidenceKind, number>;

/** What `best-first` weighs. Of the mixes tried it was never behind another by much on any graph (tools/score-orders.ts). */
const BEST_FIRST = 'rank-forecast:1,path-children:0.5,path-depth:0.1,topic:1,feeds:1,sitemap-priority:1,boost:1';

const MAX_WEIGHT = 1000;
const FORM = `Give a mix as NAME:WEIGHT,NAME:WEIGHT with names of: ${EVIDENCE_KINDS.join(', ')}; or breadth-first, depth-first, random or best-first.`;

/** Reads `in-degree:1,opic:2`. A name without a weight has 1. */
export function parseOrderMix(text: string): OrderMix {
  if (text.trim() === 'best-first') return parseOrderMix(BEST_FIRST);
  const mix = new Map<EvidenceKind, number>();
  for (const part of text.split(',')) {
    const [name, weightText, ...rest] = part.split(':').map((piece) => piece.trim());
    const kind = EVIDENCE_KINDS.find((known) => known === name.toLowerCase());
    if (kind === undefined || rest.length > 0) throw invalid(text, `'${part.trim()}' is none of the names`);
    if (mix.has(kind)) throw invalid(text, `'${kind}' is there twice`, 'Name each kind once, with one weight.');
    mix.set(kind, weightOf(text, kind, weightText));
  }
  if ([...mix.values()].every((weight) => weight === 0)) {
    throw invalid(text, 'all weights are 0', 'Give at least one of them a weight above 0.');
  }
  return mix;
}

function weightOf(text: string, kind: EvidenceKind, weightText: string | undefined): number {
  if (weightText === undefined) return 1;
  const weight = /^(\d+\.?\d*|\.\d+)$/.test(weightText) ? Number(weightText) : Number.NaN;
  if (Number.isNaN(weight) || weight > MAX_WEIGHT) {
    throw invalid(
      text,
      `the weight of '${kind}' is '${weightText}'`,
      `Write the weight as a number from 0 to ${MAX_WEIGHT}, such as ${kind}:0.5.`,
    );
  }
  return weight;
}

function invalid(text: string, what: string, remedy = FORM): OrbweaverError {
  return new OrbweaverError('SETTING_INVALID', `The order '${text}' cannot be used: ${what}.`, { remedy });
}
