import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DocumentDescriber } from '../../../src/crawl/content/document-describer.ts';
import { SoftNotFound, type SoftVisit } from '../../../src/dedupe/soft-not-found/soft-not-found.ts';

const host = 'http://lost.example';
const names = ['loom', 'warp', 'weft', 'spool', 'shuttle', 'treadle', 'bobbin', 'heddle', 'reed', 'selvage'];

/** An error page in disguise that suggests other pages each time, none of which need exist. */
function lostPage(at: number): string {
  const links = Array.from({ length: 30 }, (_, link) => {
    const name = `${names[(at * 7 + link * 3) % 10]} ${names[(at + link) % 10]} ${at * 31 + link}`;
    return `<li><a href="/${name.replaceAll(' ', '-')}">${name}</a></li>`;
  });
  return `<!doctype html><title>Weaving</title><h1>Weaving</h1><p>What you look for is not on this loom any more, or never was.</p>
<p>Perhaps one of these will do instead:</p><ul>${links.join('')}</ul>`;
}

test('an error page that lists other links each time is known by what it says itself', () => {
  const describer = new DocumentDescriber({ contentSketch: true, spam: false });
  const soft = new SoftNotFound();
  const visitOf = (at: number): SoftVisit => {
    const url = `${host}/page-${at}`;
    const { said, about, contentSketch } = describer.html(lostPage(at), url, 30);
    assert.ok(about.words > 90, 'its links are part of its text');
    assert.deepEqual(said, { opening: said?.opening, words: 22 });
    return { host, url, status: 200, digest: `digest ${at}`, title: 'Weaving', contentSketch, ...said };
  };
  soft.judge(visitOf(1));
  soft.learn(host, visitOf(2));
  assert.equal(soft.judge(visitOf(3)).soft, true);
});
