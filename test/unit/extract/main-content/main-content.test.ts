import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { mainContent } from '../../../../src/extract/main-content/main-content.ts';
import { articlePage, sentences } from './article-page.ts';

const url = 'https://paper.example/news/story.html';

describe('the body of an article', () => {
  test('is all that is left of a page', () => {
    const first = sentences(3);
    const second = sentences(2, 'harbour');
    const content = mainContent(articlePage(`<div><p>${first}</p><h2>Later</h2><p>${second}</p></div>`), { url });
    assert.equal(content.text, `${first}\nLater\n${second}`);
    assert.equal(content.markdown, `${first}\n\n## Later\n\n${second}`);
    assert.equal(content.html, `<p>${first}</p>\n<h2>Later</h2>\n<p>${second}</p>\n`);
    assert.equal(content.wordCount, 5 * 15 + 1);
    assert.equal(content.confidence, 'medium');
  });

  test('reads bytes and text alike', () => {
    const page = articlePage(`<p>${sentences(4, 'Straße – 天気')}</p>`);
    assert.equal(mainContent(new TextEncoder().encode(page), { url }).text, mainContent(page, { url }).text);
    assert.match(mainContent(page, { url }).text, /Straße – 天気/);
  });

  test('says how sure it is', () => {
    assert.equal(mainContent(articlePage(`<p>${sentences(20)}</p>`), { url }).confidence, 'high');
    assert.equal(mainContent('<p>Few words.', { url }).confidence, 'low');
    assert.equal(mainContent('', { url }).confidence, 'none');
    assert.equal(mainContent('<script>1</script>', { url }).text, '');
  });

  test('includes the lead between the headline and the body', () => {
    const lead = sentences(2, 'lead');
    const body = sentences(12);
    const page = `<article><h1>Headline</h1><div class="intro"><p>${lead}</p></div><div class="author">By somebody</div>
      <div class="article-body"><p>${body}</p><p>${sentences(3, 'end')}</p></div></article>`;
    assert.ok(mainContent(page, { url }).text.startsWith(`${lead}\n${body}`));
  });

  test('loses lines that invite elsewhere, and headings without a text', () => {
    const page = articlePage(`<div class="entry-content"><p>${sentences(8)}</p>
      <p>Advertisement</p><p>Read more: <a href="/other">Another story about the harbour</a></p>
      <p>${sentences(4, 'harbour')}</p><p>Sign up for <a href="/n">our newsletter</a></p><h3>See also</h3><h3>Downloads</h3></div>`);
    const { text } = mainContent(page, { url });
    assert.equal(text, `${sentences(8)}\n${sentences(4, 'harbour')}`);
  });

  test('stays apart where something between was dropped', () => {
    const [first, second] = [sentences(4), sentences(3, 'harbour')];
    const page = articlePage(`<div class="article-body">${first}<div class="ad-slot">Buy things</div>${second}</div>`);
    const content = mainContent(page, { url });
    assert.equal(content.text, `${first}\n${second}`);
    assert.equal(content.markdown.replace(/^# .*\n\n/, ''), `${first}\n\n${second}`);
    assert.equal(content.html.replace(/^<h1>.*<\/h1>\n/, ''), `<p>${first}</p>\n<p>${second}</p>\n`);
  });

  test('a headline outside of it is a heading of Markdown and HTML, and no part of the text', () => {
    const body = `<article><p>${sentences(12)}</p></article>`;
    const content = mainContent(`<h1>The headline</h1><p>By someone</p>${body}`, { url });
    assert.equal(content.text, sentences(12));
    assert.equal(content.markdown, `# The headline\n\n${sentences(12)}`);
    assert.equal(content.html, `<h1>The headline</h1>\n<p>${sentences(12)}</p>\n`);
  });

  test('is taken once, also where the lead stands in the element around it', () => {
    const page = `<div><h1>Headline</h1>${sentences(2, 'lead')}<div class="article-body"><p>${sentences(20)}</p></div></div>`;
    assert.equal(mainContent(page, { url }).text, `${sentences(2, 'lead')}\n${sentences(20)}`);
  });

  test('keeps quotations whose frame is named after a social network', () => {
    const quote = 'This was said in a short message that the article is about, and it is long enough.';
    const page = articlePage(`<div class="article-body"><p>${sentences(6)}</p>
      <div class="social-embed"><blockquote class="twitter-tweet"><p>${quote}</p></blockquote></div><p>${sentences(3, 'end')}</p></div>`);
    assert.ok(mainContent(page, { url }).text.includes(quote));
  });
});

describe('pages that are no articles', () => {
  test('a list of links is content where there is nothing else', () => {
    const items = Array.from({ length: 8 }, (_, at) => `<li><a href="/p${at}">The page with the number ${at}</a></li>`);
    const page = `<nav><a href="/">Home</a></nav><div class="content"><p>Pages of this site:</p><ul>${items.join('')}</ul></div>`;
    const { text, confidence } = mainContent(page, { url });
    assert.match(text, /The page with the number 7/);
    assert.doesNotMatch(text, /Home/);
    assert.equal(confidence, 'low');
  });

  test('the posts of a forum are content, though they look like comments', () => {
    const posts = Array.from(
      { length: 6 },
      (_, at) => `<div class="post"><b>User ${at}</b><p>${sentences(3, `topic ${at}`)}</p></div>`,
    );
    const { text } = mainContent(`<div id="forum" class="comments">${posts.join('')}</div><footer>Imprint</footer>`, {
      url,
    });
    for (let at = 0; at < 6; at++) assert.match(text, new RegExp(`topic ${at}`));
    assert.doesNotMatch(text, /Imprint/);
  });

  test('every entry of a blog is content', () => {
    const entries = Array.from(
      { length: 4 },
      (_, at) =>
        `<article><h2>Entry ${at}</h2><div class="entry-content"><p>${sentences(4, `entry ${at}`)}</p></div></article>`,
    );
    const { text } = mainContent(`<main>${entries.join('')}</main>`, { url });
    for (let at = 0; at < 4; at++) assert.match(text, new RegExp(`entry ${at}`));
  });

  test('a body that is stated as data counts where the page shows none', () => {
    const articleBody = `${sentences(6, 'data')}\n${sentences(2, 'more')}`;
    const data = JSON.stringify({ '@graph': [{ '@type': 'NewsArticle', articleBody }] });
    const page = `<script type="application/ld+json">${data}</script><div id="app">Loading</div>`;
    const content = mainContent(page, { url });
    assert.equal(content.text, articleBody);
    assert.equal(content.markdown, articleBody.replace('\n', '\n\n'));
    assert.match(content.html, /^<p>Sentence number 1 .*<\/p>\n<p>/);
  });
});

describe('references', () => {
  const page = articlePage(
    `<p>${sentences(4)} <a href="../other">link</a> <a href="javascript:alert(1)">script</a></p>`,
  );

  test('are absolute', () => {
    assert.match(mainContent(page, { url }).html, /<a href="https:\/\/paper\.example\/other">link<\/a> script/);
    assert.match(mainContent(page, { url }).markdown, /\[link\]\(https:\/\/paper\.example\/other\) script/);
  });

  test('mind the base of the document', () => {
    const based = `<base href="/sub/dir/">${page}`;
    assert.match(mainContent(based, { url }).html, /href="https:\/\/paper\.example\/sub\/other"/);
  });

  test('are resolved as the caller wants', () => {
    const resolve = (reference: string) => `https://else.example/?${reference}`;
    assert.match(mainContent(page, { url, resolve }).html, /href="https:\/\/else\.example\/\?\.\.\/other"/);
  });
});

test('the baseline of the textbooks takes the stretch with many words and few tags', () => {
  const text = sentences(10);
  const page = `<ul>${'<li><a href="/">Menu</a></li>'.repeat(20)}</ul><p>${text}</p><ul>${'<li><a href="/">Foot</a></li>'.repeat(20)}</ul>`;
  assert.equal(mainContent(page, { url, method: 'tag-plateau' }).text, text);
});

describe('whatever the document', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...'<p> </p> <div> </div> <table> <tr> <td> </table> <ul> <li> </ul> <a href="x"> </a> <b> </b> <pre> </pre> <svg> </svg> <blockquote> <h1> </h2> <br> <img src=a alt=b> <code> <template> <select> <noscript> <!-- --> <xmp> </xmp> <article class="post"> <body> <head> <title> &amp; &#0; <'.split(
        ' ',
      ),
    ),
    fc.string(),
    fc.constant('Some words that are long enough to be taken for prose, if there are but enough of them in a line. '),
  );

  test('nothing throws, and the HTML holds only what it may', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const content = mainContent(pieces.join(''), { url });
        const names = [...content.html.matchAll(/<\/?([a-z0-9]+)/g)].map(([, name]) => name);
        for (const name of names) assert.match(name, ALLOWED);
        assert.doesNotMatch(content.html, /<(?![/a-z])/);
        assert.equal(typeof content.markdown, 'string');
        assert.doesNotMatch(content.text, / {2}|\n\n|^\s|\s$/);
      }),
    );
  });

  test('tags in the HTML are balanced', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const open: string[] = [];
        for (const [, slash, name] of mainContent(pieces.join(''), { url }).html.matchAll(/<(\/?)([a-z0-9]+)/g)) {
          if (name === 'br' || name === 'hr' || name === 'img') continue;
          if (slash === '') open.push(name);
          else assert.equal(open.pop(), name);
        }
        assert.deepEqual(open, []);
      }),
      { numRuns: 300 },
    );
  });

  test('bytes that are no text do no harm', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => void mainContent(bytes, { url }).markdown));
  });

  test('depth and number of nodes are bounded', () => {
    const deep = mainContent(`${'<div>'.repeat(50_000)}<p>${sentences(5)}`, { url });
    assert.equal(deep.text, sentences(5));
    assert.ok(deep.markdown.length > 0 && deep.html.length > 0);
    const quotes = mainContent(`${'<blockquote>'.repeat(5000)}<p>${sentences(5)}`, { url });
    assert.ok(quotes.markdown.length < 1000);
    const cut = mainContent(`<p>${sentences(5)}</p>${'<p>more</p>'.repeat(100)}`, {
      url,
      limits: { maxNodes: 3, maxDepth: 10 },
    });
    assert.equal(cut.text, sentences(5));
  });
});

const ALLOWED =
  /^(?:a|p|h[1-6]|ul|ol|li|dl|dt|dd|blockquote|pre|code|em|strong|sub|sup|del|ins|kbd|samp|var|mark|q|cite|table|thead|tbody|tfoot|tr|th|td|caption|figure|figcaption|br|hr|img)$/;
