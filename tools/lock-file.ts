import { readFileSync } from 'node:fs';

/** One package as package-lock.json names it. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; undefined where the package declares none. */
  readonly license: string | undefined;
  /** `sha512-…`; undefined where the lock file has no hash. */
  readonly integrity: string | undefined;
  /** Needed to build and test alone: not part of what is published. */
  readonly dev: boolean;
  /** Of another platform, or not needed by everybody. */
  readonly optional: boolean;
  readonly hasInstallScript: boolean;
  /** Why its maintainers have given it up; undefined where they have not. */
  readonly deprecated: string | undefined;
  /** Names of packages that it needs. */
  readonly needs: readonly string[];
}

interface LockEntry {
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
  readonly deprecated?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const FOLDER = 'node_modules/';

/** The packages of a lock file, in order of name. Our own (workspaces and links to them) are left out. */
export function readLockFile(path: URL | string): LockedPackage[] {
  const lock = JSON.parse(readFileSync(path, 'utf8')) as { packages: Readonly<Record<string, LockEntry>> };
  return Object.entries(lock.packages)
    .filter(([place, entry]) => place.includes(FOLDER) && entry.link !== true)
    .map(([place, entry]) => ({
      name: place.slice(place.lastIndexOf(FOLDER) + FOLDER.length),
      version: entry.version ?? '',
      license: entry.license,
      integrity: entry.integrity,
      dev: entry.dev === true || entry.devOptional === true,
      optional: entry.optional === true || entry.devOptional === true,
      hasInstallScript: entry.hasInstallScript === true,
      deprecated: entry.deprecated,
      needs: Object.keys({ ...entry.dependencies, ...entry.optionalDependencies }).sort(),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}
