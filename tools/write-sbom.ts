/**
 * Writes a bill of materials of what is published (CycloneDX 1.6, JSON), from the lock file alone: the same checkout gives the
 * same bytes. `npm sbom` would name the folder of the checkout, the time, and the tools that are not published.
 * node tools/write-sbom.ts [file]
 */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type LockedPackage, readLockFile } from './lock-file.ts';

export interface Product {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly dependencies: Readonly<Record<string, string>>;
}

export interface Sbom {
  readonly bomFormat: 'CycloneDX';
  readonly specVersion: string;
  readonly serialNumber: string;
  readonly version: number;
  readonly metadata: { readonly component: SbomComponent };
  readonly components: readonly SbomComponent[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}

export interface SbomComponent {
  readonly type: 'application' | 'library';
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { readonly expression: string }[];
  readonly hashes?: readonly { readonly alg: 'SHA-512'; readonly content: string }[];
}

export function sbomOf(product: Product, packages: readonly LockedPackage[]): Sbom {
  const published = packages.filter(({ dev }) => !dev);
  const refs = new Map(published.map(({ name, version }) => [name, purlOf(name, version)]));
  const refsOf = (names: readonly string[]): string[] => names.flatMap((name) => refs.get(name) ?? []).sort();
  const component: SbomComponent = {
    ...{ type: 'application', 'bom-ref': purlOf(product.name, product.version) },
    ...{ name: product.name, version: product.version, purl: purlOf(product.name, product.version) },
    licenses: [{ expression: product.license }],
  };
  const components = published.map(componentOf);
  const dependencies = [
    { ref: component['bom-ref'], dependsOn: refsOf(Object.keys(product.dependencies)) },
    ...published.map(({ name, version, needs }) => ({ ref: purlOf(name, version), dependsOn: refsOf(needs) })),
  ];
  const digest = createHash('sha256')
    .update(JSON.stringify([component, components]))
    .digest('hex');
  return {
    ...{ bomFormat: 'CycloneDX', specVersion: '1.6', serialNumber: uuidOf(digest), version: 1 },
    ...{ metadata: { component }, components, dependencies },
  };
}

function componentOf({ name, version, license, integrity = '' }: LockedPackage): SbomComponent {
  const content = Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
  return {
    ...{ type: 'library', 'bom-ref': purlOf(name, version), name, version, purl: purlOf(name, version) },
    licenses: [{ expression: license ?? 'NOASSERTION' }],
    hashes: [{ alg: 'SHA-512', content }],
  };
}

function purlOf(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** A UUID of version 8, whose bits are ours to choose. */
function uuidOf(hex: string): string {
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ];
  return `urn:uuid:${parts.join('-')}`;
}

if (import.meta.main) {
  const product = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as Product;
  const sbom = sbomOf(product, readLockFile(new URL('../package-lock.json', import.meta.url)));
  const path = process.argv[2] ?? 'sbom.cdx.json';
  writeFileSync(path, `${JSON.stringify(sbom, undefined, 2)}\n`);
  console.log(`${path}: ${sbom.components.length} components`);
}
