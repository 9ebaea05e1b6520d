import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { dependencyProblems } from '../../../tools/check-dependencies.ts';
import { type LockedPackage, readLockFile } from '../../../tools/lock-file.ts';
import { type Product, sbomOf } from '../../../tools/write-sbom.ts';

const packages = readLockFile(new URL('../../../package-lock.json', import.meta.url));
const product = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as Product;

describe('dependencies', () => {
  test('licences, install scripts, hashes and versions are in order', () => {
    assert.ok(packages.length > 10, 'the lock file was not read');
    assert.deepEqual(dependencyProblems(packages), []);
  });

  test('every direct dependency is fixed to one version', () => {
    for (const [name, wanted] of Object.entries(product.dependencies)) {
      assert.equal(packages.find((one) => one.name === name)?.version, wanted, name);
    }
  });

  const good: LockedPackage = {
    ...{ name: 'a', version: '1.0.0', license: 'MIT', integrity: `sha512-${'A'.repeat(86)}==` },
    ...{ dev: false, optional: false, hasInstallScript: false, deprecated: undefined, needs: [] },
  };
  const bad: readonly (readonly [string, readonly LockedPackage[]])[] = [
    ['a licence that is not on the list', [{ ...good, license: 'AGPL-3.0' }]],
    ['a licence that only tools may have', [{ ...good, license: 'MPL-2.0' }]],
    ['half a licence', [{ ...good, license: 'MIT AND GPL-3.0' }]],
    ['no licence', [{ ...good, license: undefined }]],
    ['an install script', [{ ...good, hasInstallScript: true }]],
    ['one that was given up', [{ ...good, deprecated: 'Use another.' }]],
    ['no hash', [{ ...good, integrity: undefined }]],
    ['a weak hash', [{ ...good, integrity: 'sha1-AAAA' }]],
    ['two versions', [good, { ...good, version: '2.0.0' }]],
  ];
  for (const [what, planted] of bad) {
    test(`the check finds ${what}`, () => assert.equal(dependencyProblems(planted).length, 1));
  }

  test('of two licences one is enough', () => {
    assert.deepEqual(dependencyProblems([{ ...good, license: '(GPL-3.0 OR MIT)' }]), []);
  });
});

describe('bill of materials', () => {
  const sbom = sbomOf(product, packages);

  test('names every package that is published, with licence and hash, and nothing else', () => {
    const published = packages.filter(({ dev }) => !dev);
    assert.deepEqual(
      sbom.components.map(({ name, version }) => `${name}@${version}`),
      published.map(({ name, version }) => `${name}@${version}`),
    );
    for (const name of Object.keys(product.dependencies)) {
      assert.ok(
        sbom.components.some((component) => component.name === name),
        name,
      );
    }
    for (const { hashes, licenses, purl } of sbom.components) {
      assert.match(hashes?.[0].content ?? '', /^[0-9a-f]{128}$/);
      assert.equal(licenses.length, 1);
      assert.match(purl, /^pkg:npm\/[\w%@./-]+@\d+\.\d+\.\d+/);
    }
  });

  test('has the form of CycloneDX, and references that lead somewhere', () => {
    assert.equal(sbom.bomFormat, 'CycloneDX');
    assert.match(sbom.specVersion, /^1\.\d$/);
    assert.match(sbom.serialNumber, /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    const refs = [sbom.metadata.component, ...sbom.components].map((component) => component['bom-ref']);
    assert.equal(new Set(refs).size, refs.length);
    assert.deepEqual(
      sbom.dependencies.map(({ ref }) => ref),
      refs,
    );
    for (const { dependsOn } of sbom.dependencies) for (const ref of dependsOn) assert.ok(refs.includes(ref), ref);
    assert.ok(sbom.dependencies[0].dependsOn.length === Object.keys(product.dependencies).length);
  });

  test('is the same each time', () => {
    assert.equal(JSON.stringify(sbomOf(product, packages)), JSON.stringify(sbom));
  });
});
