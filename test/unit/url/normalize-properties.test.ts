import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { canonicalForm } from '../../../src/url/canonical-form.ts';
import { explainUrl } from '../../../src/url/explain-url.ts';
import { hostKeyOf, hostnameOf, originOf, pathOf } from '../../../src/url/host-key.ts';
import { normalizeUrl } from '../../../src/url/normalize.ts';
import { createResolver } from '../../../src/url/resolver.ts';
import { surtOf } from '../../../src/url/surt.ts';
import { defaultUrlOptions, typedUrlOptions } from '../../../src/url/url-options.ts';
import { corpus, skipWithout } from '../../corpora.ts';
import { propertyRuns } from '../../property-runs.ts';
import { arbitraryBase, arbitraryLink, arbitraryOptions } from './arbitrary-url.ts';

const runs = { numRuns: propertyRuns(5000) };

describe('for every text, base and set of options', () => {
  test('the scan and the parser agree', () => {
    fc.assert(
      fc.property(arbitraryLink, arbitraryOptions, (link, options) => {
        assert.equal(normalizeUrl(link, options), canonicalForm(link, options));
      }),
      runs,
    );
  });

  test('a resolver and the parser agree', () => {
    fc.assert(
      fc.property(
        arbitraryBase,
        fc.array(arbitraryLink, { maxLength: 5 }),
        arbitraryOptions,
        (base, links, options) => {
          const resolver = createResolver(base, options);
          for (const link of links) assert.equal(resolver.resolve(link), canonicalForm(link, options, base));
        },
      ),
      runs,
    );
  });

  test('the canonical form is its own canonical form', () => {
    fc.assert(
      fc.property(arbitraryLink, arbitraryOptions, (link, options) => {
        const once = normalizeUrl(link, options);
        if (once !== undefined) assert.equal(normalizeUrl(once, options), once);
      }),
      runs,
    );
  });

  test('the platform reads the canonical form as it is written', () => {
    fc.assert(
      fc.property(arbitraryLink, arbitraryOptions, (link, options) => {
        const url = normalizeUrl(link, options);
        if (url === undefined || url.includes('//[::ffff:')) return;
        assert.equal(new URL(url).href, url);
      }),
      runs,
    );
  });

  test('slicing finds the parts that the platform finds', () => {
    fc.assert(
      fc.property(arbitraryLink, arbitraryOptions, (link, options) => {
        const url = normalizeUrl(link, options);
        if (url === undefined || url.includes('//[::ffff:')) return;
        const parsed = new URL(url);
        assert.equal(hostKeyOf(url), parsed.host);
        assert.equal(hostnameOf(url), parsed.hostname);
        assert.equal(originOf(url), parsed.origin);
        assert.equal(pathOf(url), parsed.pathname + parsed.search);
        assert.match(surtOf(url), /^[\x21-\x7e]+\)\/[\x21-\x7e]*$/);
      }),
      runs,
    );
  });

  test('an explanation answers the same and gives steps exactly where something changed', () => {
    fc.assert(
      fc.property(
        arbitraryLink,
        fc.option(arbitraryBase, { nil: undefined }),
        arbitraryOptions,
        (link, base, options) => {
          const explained = explainUrl(link, options, base);
          const url = canonicalForm(link, options, base);
          assert.equal(explained.ok ? explained.url : undefined, url);
          if (explained.ok) assert.equal(explained.steps.length === 0, url === link);
        },
      ),
      runs,
    );
  });
});

test('naughty strings never throw, and agree on every way', { skip: skipWithout('hostile') }, () => {
  const strings: string[] = JSON.parse(readFileSync(join(corpus('hostile')!, 'blns.json'), 'utf8'));
  assert.ok(strings.length > 500);
  const base = 'https://example.com/a/b?c';
  for (const options of [defaultUrlOptions, typedUrlOptions]) {
    const resolver = createResolver(base, options);
    for (const text of strings) {
      for (const link of [text, `http://${text}`, `http://example.com/${text}`, `https://example.com/?q=${text}`]) {
        assert.equal(normalizeUrl(link, options), canonicalForm(link, options));
        assert.equal(resolver.resolve(link), canonicalForm(link, options, base));
        assert.equal(createResolver(link, options).resolve('x'), canonicalForm('x', options, link));
        explainUrl(link, options, base);
      }
    }
  }
});

test('very long texts are answered', () => {
  for (const part of ['a', '/', 'a/', '../', '%41', 'a=b&', ';x', '.', 'é']) {
    const long = part.repeat(200_000 / part.length);
    for (const options of [defaultUrlOptions, { ...typedUrlOptions, trailingSlash: 'strip' as const }]) {
      const url = normalizeUrl(`http://example.com/${long}x/`, options);
      assert.equal(typeof url, 'string');
      createResolver('http://example.com/', options).resolve(long);
    }
  }
});
