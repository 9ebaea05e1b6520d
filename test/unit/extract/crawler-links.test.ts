import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import type { Link } from '../../../src/contracts/content/page.ts';
import { extractPage } from '../../../src/extract/extract-page.ts';
import { corpus, skipWithout } from '../../corpora.ts';

interface LinkCase {
  readonly source: string;
  readonly test: string;
  readonly url: string;
  readonly encoding?: string;
  readonly body?: string;
  readonly body_b64?: string;
  readonly options: Readonly<Record<string, string>>;
  readonly links: readonly { readonly url: string; readonly text: string; readonly nofollow?: boolean }[];
}

/** Scrapy leaves out what looks like a file that is no page. */
const IGNORED_EXTENSIONS = /\.(?:jpg|png|gif|mp4|zip|pdf)$/;

describe('link extraction as other crawlers test it', () => {
  test('Scrapy, cases with default options', { skip: skipWithout('html') }, (context) => {
    let count = 0;
    for (const linkCase of cases('scrapy')) {
      if (Object.keys(linkCase.options).length > 0) continue;
      count++;
      const links = read(linkCase, false).filter(
        (link) => (link.kind === 'a' || link.kind === 'area') && !IGNORED_EXTENSIONS.test(link.url),
      );
      // Scrapy keeps the first of several links to one URL, and takes no alternative texts.
      const first = [...new Map(links.toReversed().map((link) => [link.url, link])).values()].reverse();
      const told = (list: readonly { url: string; nofollow?: boolean }[]) =>
        list.map(({ url, nofollow }) => [url, nofollow]);
      assert.deepEqual(told(first), told(linkCase.links), linkCase.test);
      for (const [index, link] of linkCase.links.entries())
        if (link.text !== '')
          assert.ok(first[index].text.startsWith(link.text.replace(/\s+/g, ' ').trim()), linkCase.test);
    }
    context.diagnostic(`${count} cases`);
  });

  test('Nutch', { skip: skipWithout('html') }, (context) => {
    let count = 0;
    for (const linkCase of cases('nutch')) {
      count++;
      const withForms = linkCase.options.form_action === 'true';
      const links = read(linkCase, true).filter((link) => !link.nofollow && (withForms || link.kind !== 'form'));
      // A URL without a path has the path "/" by the URL standard. The text of a form is no text of a link.
      assert.deepEqual(
        links.map(({ url, text, kind }) => [url, kind === 'form' ? '' : text]),
        linkCase.links.map(({ url, text }, index) => [new URL(url).href, links[index]?.kind === 'form' ? '' : text]),
        linkCase.test,
      );
    }
    context.diagnostic(`${count} cases`);
  });
});

function read(linkCase: LinkCase, resources: boolean): readonly Link[] {
  const html =
    linkCase.body ??
    new TextDecoder(linkCase.encoding ?? 'utf-8').decode(Buffer.from(linkCase.body_b64 ?? '', 'base64'));
  return extractPage(html, { url: linkCase.url, resources }).links;
}

function cases(source: string): LinkCase[] {
  return readFileSync(join(corpus('html') as string, 'links.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as LinkCase)
    .filter((linkCase) => linkCase.source.includes(source));
}
