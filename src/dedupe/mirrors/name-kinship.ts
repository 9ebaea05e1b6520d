import { registrableDomain } from '../../url/public-suffix.ts';

/**
 * How two origins are related by their names alone, closest first.
 * - twins: scheme, port or `www.` differ
 * - variants: a label such as `staging.` or `m.` differs
 * - address: one is an IP address, which any name may stand for
 * - relatives: the same registrable domain
 */
export type Kinship = 'twins' | 'variants' | 'address' | 'relatives' | 'strangers';

/** First labels that name a place where the same site is shown once more. */
const VARIANT_LABELS = new Set(
  (
    'staging stage stg test testing dev devel develop development preview pre preprod beta alpha demo qa uat int sandbox ' +
    'old new legacy archive backup bak copy mirror m mobile wap amp web cdn static origin live prod production secure ssl'
  ).split(' '),
);

export function kinshipOf(a: string, b: string): Kinship {
  const nameA = hostnameIn(a);
  const nameB = hostnameIn(b);
  if (withoutWww(nameA) === withoutWww(nameB)) return 'twins';
  if (isAddress(nameA) || isAddress(nameB)) return 'address';
  if (bareName(nameA) === bareName(nameB)) return 'variants';
  const domain = registrableDomain(nameA);
  return domain !== undefined && domain === registrableDomain(nameB) ? 'relatives' : 'strangers';
}

/** In words, for reasons. */
export function formatKinship(kinship: Kinship): string {
  switch (kinship) {
    case 'twins':
      return 'the names differ only in scheme, port or www';
    case 'variants':
      return 'the names differ only in a label for copies of a site';
    case 'address':
      return 'one of the two is an address without a name';
    case 'relatives':
      return 'both belong to one domain';
    case 'strangers':
      return 'the names are unrelated';
  }
}

export function isAddress(hostname: string): boolean {
  return hostname.startsWith('[') || /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Whether the first label says that this is not the site itself. */
export function isVariantName(hostname: string): boolean {
  return bareName(hostname) !== withoutWww(hostname);
}

export function hostnameIn(origin: string): string {
  const start = origin.indexOf('//') + 2;
  const colon =
    origin.charCodeAt(start) === 0x5b ? origin.indexOf(':', origin.indexOf(']')) : origin.indexOf(':', start);
  return origin.slice(start, colon < 0 ? origin.length : colon);
}

function withoutWww(hostname: string): string {
  return hostname.replace(/^www\d{0,2}\.(?=.*\.)/, '');
}

/** Without `www.` and labels of variants; at least two labels are left. */
function bareName(hostname: string): string {
  if (isAddress(hostname)) return hostname;
  const labels = withoutWww(hostname).split('.');
  while (labels.length > 2 && VARIANT_LABELS.has(labels[0].replace(/[-_]?\d+$/, ''))) labels.shift();
  return withoutWww(labels.join('.'));
}
