import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { IndexFields } from '../../../../src/contracts/content/index-fields.ts';
import type { PageAbout } from '../../../../src/contracts/content/page-about.ts';
import type { PageRecord } from '../../../../src/contracts/page-store.ts';
import { indexedPage, isSearchable } from '../../../../src/search/indexing/indexed-page.ts';

const FETCHED = Date.parse('2026-05-04');
const OLD = Date.parse('2020-01-01');
const NEWER = Date.parse('2024-01-01');
const reading = { title: 'A', headings: '', description: '', mediaType: 'text/html', language: 'en' } as unknown;

function dateOf(about: Partial<PageAbout>): number {
  const facts = { requestedAt: FETCHED, lastModified: 'Thu, 01 Jan 2015 00:00:00 GMT', mediaType: 'text/html', about };
  const page = { url: 'http://a.test/', host: 'a.test', facts } as unknown as PageRecord;
  const around = { text: 'words', anchors: [], cluster: 0, rank: 0 };
  return indexedPage(page, reading as IndexFields, around).facts.date;
}

test('a page is dated by what it declares: its publication, else its last change', () => {
  assert.equal(dateOf({ published: OLD, modified: NEWER }), OLD);
  assert.equal(dateOf({ modified: NEWER }), NEWER);
});

test('a language is its main tag, and nothing where the page declares something else', () => {
  const languageOf = (declaredLanguage: string): string => {
    const facts = { requestedAt: FETCHED, mediaType: 'text/html', about: { declaredLanguage } };
    const page = { url: 'http://a.test/', host: 'a.test', facts } as unknown as PageRecord;
    return indexedPage(page, reading as IndexFields, { text: '', anchors: [], cluster: 0, rank: 0 }).facts.language;
  };
  assert.deepEqual(['de-AT', ' pt_BR', 'EN', 'en, fr', 'zh'].map(languageOf), ['de', 'pt', 'en', 'en', 'zh']);
  assert.deepEqual(['', '-', '{{ lang }}', `q${'abcdefgh'.repeat(50_000)}`].map(languageOf), ['', '', '', '']);
});

test('neither Last-Modified nor the visit nor a date to come is the date of a page', () => {
  assert.equal(dateOf({}), 0);
  assert.equal(dateOf({ published: FETCHED + 1 }), 0);
});

test('a copy stays in search while visits fail or our own guard holds them back, not when the site refuses them', () => {
  const facts = { location: { file: 'a', offset: 0, length: 1 }, status: 200 };
  const page = (outcome: unknown) => ({ url: 'http://a.test/', facts, outcome }) as unknown as PageRecord;
  assert.ok(isSearchable(page({ kind: 'failed', code: 'reset' })));
  assert.ok(isSearchable(page({ kind: 'refused', by: 'address', rule: 'private' })));
  assert.ok(!isSearchable(page({ kind: 'refused', by: 'robots', rule: 'Disallow: /' })));
});
