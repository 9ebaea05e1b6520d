import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  ABOUT,
  BODY,
  CONSENT,
  DISCUSSION,
  FRAME,
  LEAD,
  MAYBE_BODY,
  NOISE,
  POST,
  SUBTITLE,
  TEASER,
} from '../../../../../src/extract/main-content/names/name-hints.ts';
import { NameReader } from '../../../../../src/extract/main-content/names/name-reader.ts';

const cases: readonly (readonly [written: string, hints: number])[] = [
  ['', 0],
  ['col-md-8 clearfix', 0],
  ['entry-content', BODY | MAYBE_BODY | POST],
  ['articleBody', BODY | MAYBE_BODY | POST],
  ['story__body--wide', BODY | MAYBE_BODY],
  ['main', MAYBE_BODY],
  ['sidebar', NOISE | FRAME],
  ['ShareButtons', NOISE],
  ['header shadow', 0],
  ['ad-slot', NOISE],
  ['badge adorned', 0],
  ['related-posts-content', NOISE],
  ['entry-content share-this', BODY | MAYBE_BODY | POST],
  ['site-main--no-sidebar', MAYBE_BODY],
  ['has-sidebar no-comments', 0],
  ['post hentry category-popular tag-newsletter', MAYBE_BODY | POST],
  ['comment-list', DISCUSSION],
  ['post-meta', ABOUT],
  ['teaser', TEASER],
  ['article-lead', LEAD],
  ['subtitle', SUBTITLE],
  ['cookie-banner', CONSENT | NOISE],
  ['x'.repeat(100_000), 0],
];

for (const [written, hints] of cases)
  test(`"${written.slice(0, 50)}" is understood`, () => {
    const reader = new NameReader();
    const body = hints & MAYBE_BODY;
    // Where only a part of an article is named, whether it may hold the body is of no matter.
    const found = reader.hintsOf(written);
    assert.equal(body === 0 && (hints & (LEAD | SUBTITLE)) !== 0 ? found & ~MAYBE_BODY : found, hints);
    assert.equal(reader.hintsOf(written), found);
  });
