import type { Seed } from '../contracts/seed.ts';
import type { ConnectionAnswer } from '../fetch/connect/try-connection.ts';
import type { Source } from './visit/open-source.ts';

export interface AssumedSchemesParts {
  /** Seeds of earlier runs: what was found out then holds. */
  readonly known: Iterable<string>;
  readonly tryConnection: (origin: string) => Promise<ConnectionAnswer>;
}

/** Of a longer list, the first are tried; for the others the guess holds. */
const MOST_TRIED = 200;
const AT_ONCE = 16;
const MOST_TOLD = 10;
/** Nobody answers: there may be somebody at the other port. */
const SILENT: ReadonlySet<ConnectionAnswer> = new Set(['connect-timeout', 'connect-failed']);

const INVALID_CERTIFICATE =
  ', but its certificate is not valid, so that nothing will be fetched. Write http:// before it to crawl without TLS, or give --no-tls-verify to accept the certificate';

/** `chooseSchemes` for seeds as they are given, with a network that is open for as long as it is needed. */
export async function completeSeeds(
  given: readonly (string | Seed)[],
  known: Iterable<string>,
  openSource: () => Pick<Source, 'tryConnection'> & AsyncDisposable,
): Promise<{ readonly seeds: readonly Seed[]; readonly notices: readonly string[] }> {
  const seeds = given.map((seed) => (typeof seed === 'string' ? { url: seed } : seed));
  if (!seeds.some(({ assumed }) => assumed)) return { seeds, notices: [] };
  await using source = openSource();
  return await chooseSchemes(seeds, { known, tryConnection: (origin) => source.tryConnection(origin) });
}

/**
 * Finds the scheme of seeds that were written without one: https where a connection comes about or only the certificate is
 * not valid, http where it is refused or TLS fails. Where neither can be told (no such name, an address that may not be connected to), the guess holds and the crawl
 * tells what is wrong.
 */
export async function chooseSchemes(
  seeds: readonly Seed[],
  { known, tryConnection }: AssumedSchemesParts,
): Promise<{ readonly seeds: readonly Seed[]; readonly notices: readonly string[] }> {
  const before = new Map([...known].map((url) => [withoutScheme(url), url]));
  const hosts = new Set<string>();
  for (const { url, assumed } of seeds)
    if (assumed === true && !before.has(withoutScheme(url)) && hosts.size < MOST_TRIED) hosts.add(hostOf(url));
  const found = await findSchemes([...hosts], tryConnection);
  const chosen = seeds.map((seed): Seed => {
    if (seed.assumed !== true) return seed;
    const url = before.get(withoutScheme(seed.url));
    const scheme = found.get(hostOf(seed.url))?.scheme;
    if (url === undefined && scheme === undefined) return seed;
    return { ...seed, url: url ?? `${scheme}${withoutScheme(seed.url)}` };
  });
  const told = [...found].map(([host, { scheme, why }]) => `${host}: ${scheme} is taken${why}.`);
  const more = told.length > MOST_TOLD ? [`${told.length - MOST_TOLD} more seeds without a scheme got theirs.`] : [];
  return { seeds: chosen, notices: [...told.slice(0, MOST_TOLD), ...more] };
}

interface FoundScheme {
  readonly scheme: 'http' | 'https';
  readonly why: string;
}

async function findSchemes(
  hosts: readonly string[],
  tryConnection: AssumedSchemesParts['tryConnection'],
): Promise<Map<string, FoundScheme>> {
  const found = new Map<string, FoundScheme>();
  for (let from = 0; from < hosts.length; from += AT_ONCE)
    await Promise.all(
      hosts.slice(from, from + AT_ONCE).map(async (host) => {
        const scheme = await findScheme(host, tryConnection);
        if (scheme !== undefined) found.set(host, scheme);
      }),
    );
  return found;
}

async function findScheme(
  host: string,
  tryConnection: AssumedSchemesParts['tryConnection'],
): Promise<FoundScheme | undefined> {
  const failed = await tryConnection(`https://${host}`);
  if (failed === undefined) return { scheme: 'https', why: '' };
  if (failed === 'address' || failed.startsWith('dns-')) return undefined;
  // Somebody answers by TLS: what would be sent to the site without it is not for a guess to decide.
  if (failed === 'tls-invalid') return { scheme: 'https', why: INVALID_CERTIFICATE };
  if (SILENT.has(failed) && (await tryConnection(`http://${host}`)) !== undefined) return undefined;
  return { scheme: 'http', why: `, as https fails (${failed})` };
}

function withoutScheme(url: string): string {
  return url.slice(url.indexOf('://'));
}

function hostOf(url: string): string {
  return /^[a-z]+:\/\/([^/?#]*)/.exec(url)?.[1] ?? '';
}
