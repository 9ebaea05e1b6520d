import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { SoftNotFound, type SoftVisit } from '../../../../src/dedupe/soft-not-found/soft-not-found.ts';
import { propertyRuns } from '../../../property-runs.ts';
import { chance, pageAt, prose } from './soft-pages.ts';

const SITE = 'https://shop.example';
const HOST = 'shop.example';

function honest(at: number, words = 300): SoftVisit {
  return pageAt(`${SITE}/things/thing-${at}.html`, `Thing ${at}`, prose(at + 1, words));
}

/** A learner that has seen some honest pages and the answer to one probe. */
function probed(answer: (target: string) => SoftVisit, pages = 10): SoftNotFound {
  const soft = new SoftNotFound();
  for (let at = 0; at < pages; at++) soft.wantsProbe(honest(at));
  soft.learn(HOST, answer(soft.probeTarget(HOST, chance(), '/things/x.html')));
  return soft;
}

function isSoft(soft: SoftNotFound, page: SoftVisit): boolean {
  return soft.judge(page).soft;
}

describe('When to ask', () => {
  test('at plain wording, at once', () => {
    const page = pageAt(`${SITE}/a`, 'Seite nicht gefunden', prose(1, 400));
    assert.equal(new SoftNotFound().wantsProbe(page), true);
  });

  test('not at honest pages', () => {
    const soft = new SoftNotFound();
    for (let at = 0; at < 200; at++) assert.equal(soft.wantsProbe(honest(at, 50 + at * 5)), false);
  });

  test('at suspicious wording, at one text on many addresses and at a thin page, once the host is known a little', () => {
    const causes: ((at: number) => SoftVisit)[] = [
      (at) => pageAt(`${SITE}/s/${at}`, 'Shop', `Sorry, this page does not exist. ${prose(at, 40)}`),
      (at) => pageAt(`${SITE}/s/${at}`, 'Shop', prose(77, 200)),
      (at) => pageAt(`${SITE}/s/${at}`, 'Shop', prose(at, 12)),
      (at) => pageAt(`${SITE}/s/name-${at}`, 'Shop', `Nothing to see at /s/name-${at}, move along.`),
    ];
    for (const cause of causes) {
      const soft = new SoftNotFound();
      assert.equal(soft.wantsProbe(cause(0)), false);
      for (let at = 0; at < 20; at++) assert.equal(soft.wantsProbe(honest(at)), false);
      assert.ok(
        [1, 2, 3, 4].some((at) => soft.wantsProbe(cause(at))),
        String(cause),
      );
    }
  });

  test('never more than twice, and not twice for one part of the site', () => {
    const soft = new SoftNotFound();
    const ask = (path: string): boolean => {
      const wanted = soft.wantsProbe(pageAt(`${SITE}${path}`, 'Page not found', prose(3, 200)));
      if (wanted) soft.learn(HOST, { status: 404, words: 3 });
      return wanted;
    };
    assert.deepEqual(['/a/1.html', '/a/2.html', '/b/1.php', '/c/1.asp', '/d/1'].map(ask), [
      true,
      false,
      true,
      false,
      false,
    ]);
  });

  test('not while a probe is under way', () => {
    const soft = new SoftNotFound();
    const page = (path: string): SoftVisit => pageAt(`${SITE}${path}`, 'Page not found', prose(3, 200));
    assert.equal(soft.wantsProbe(page('/a/1')), true);
    assert.equal(soft.wantsProbe(page('/b/1')), false);
    for (let at = 0; at < 60; at++) soft.wantsProbe(honest(at));
    assert.equal(soft.wantsProbe(page('/b/2')), true);
  });

  test('never because of the front page', () => {
    assert.equal(new SoftNotFound().wantsProbe(pageAt(`${SITE}/`, 'Page not found', 'x')), false);
  });
});

describe('Made-up addresses', () => {
  test('in the folder and with the ending of the page that gave cause', () => {
    const soft = new SoftNotFound();
    const like = (path?: string): string => soft.probeTarget(HOST, chance(), path).replace(/-[a-z0-9]{12}/, '-*');
    assert.equal(like(), '/orbweaver-probe-*');
    assert.equal(like('/shop/items/17.php?id=4#x'), '/shop/items/orbweaver-probe-*.php');
    assert.equal(like('/shop/items/'), '/shop/orbweaver-probe-*/');
    assert.equal(like('/shop/items'), '/shop/orbweaver-probe-*');
    assert.equal(like('/a/v1.2/thing'), '/a/v1.2/orbweaver-probe-*');
  });

  test('property: a path of plain characters that names us', () => {
    fc.assert(
      fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
        const target = new SoftNotFound().probeTarget(HOST, chance(path.length + 1), `${path || '/'}?${query}`);
        assert.match(target, /^\/.*orbweaver-probe-[a-z0-9]{12}(?:\.[a-z0-9]{1,5}|\/)?$/i);
        assert.equal(new URL(`https://a.example${target}`).origin, 'https://a.example');
      }),
      { numRuns: propertyRuns(100) },
    );
  });
});

describe('A page whose text was not read', () => {
  const { words: _, contentSketch: __, opening: ___, ...copy } = pageAt(`${SITE}/b`, 'Page not found', prose(1, 400));

  test('is not condemned by its title, but is a cause to ask', () => {
    const soft = new SoftNotFound();
    assert.equal(isSoft(soft, copy), false);
    assert.equal(soft.wantsProbe(copy), true);
  });

  test('is told by its bytes', () => {
    assert.equal(
      isSoft(
        probed(() => pageAt(`${SITE}/x`, 'Page not found', prose(1, 400))),
        copy,
      ),
      true,
    );
  });

  test('does not count for how long pages usually are', () => {
    const soft = new SoftNotFound();
    const unread = (at: number): SoftVisit => {
      const { words: _words, contentSketch: _sketch, opening: _opening, ...rest } = honest(at);
      return { ...rest, digest: `copy ${at}` };
    };
    for (let at = 0; at < 60; at++) soft.wantsProbe(unread(at));
    for (let at = 0; at < 4; at++) soft.wantsProbe(honest(at, 320));
    assert.equal(soft.wantsProbe(pageAt(`${SITE}/s/1`, 'Shop', prose(9, 12))), true, 'thin among long ones');
  });
});

describe('What the probe teaches', () => {
  test('the same bytes', () => {
    const nothing = (path: string): SoftVisit => pageAt(SITE + path, 'Catalogue', prose(500, 120));
    const soft = probed(nothing);
    assert.equal(isSoft(soft, nothing('/things/gone.html')), true);
    for (let at = 0; at < 50; at++) assert.equal(isSoft(soft, honest(at, 120)), false);
  });

  test('a page that repeats its address, in the title and in the text, in any form', () => {
    const forms: ((path: string) => SoftVisit)[] = [
      (path) =>
        pageAt(SITE + path, `Search: ${path}`, `Nothing here for ${SITE}${path}. Try our search box or the map.`),
      (path) => pageAt(SITE + path, 'Shop', `Kein Treffer für „${path}“. Bitte die Suche oben auf der Seite benutzen.`),
      (path) => {
        const name = path.replace(/^.*\/|\.html$/g, '');
        return pageAt(
          SITE + path,
          `${name.replace(/-/g, ' ')} - Shop`,
          `No results for ${name.replace(/-/g, ' ')} in our shop, but look at these offers of the week`,
        );
      },
    ];
    for (const form of forms) {
      const soft = probed(form);
      for (const path of ['/things/blue-chair.html', '/things/a-very-long-name-of-a-thing-2024.html']) {
        assert.equal(isSoft(soft, form(path)), true, form(path).opening);
      }
      assert.equal(
        isSoft(
          soft,
          pageAt(
            `${SITE}/things/lamp.html`,
            'Lamp - Shop',
            'A lamp of copper, made in our own workshop, for the garden',
          ),
        ),
        false,
      );
    }
  });

  test('a long page with a part of its own each time', () => {
    const nothing = (path: string): SoftVisit =>
      pageAt(SITE + path, 'Shop', `${prose(900, 400)} offer of the day ${path.length}`);
    const soft = probed(nothing);
    assert.equal(isSoft(soft, nothing('/things/gone-and-away.html')), true);
  });

  test('a title that is an error, whatever stands below it', () => {
    const soft = probed((path) => pageAt(SITE + path, 'Page not found | Shop', prose(901, 300)));
    assert.equal(isSoft(soft, pageAt(`${SITE}/things/z.html`, 'Page not found | Shop', prose(17, 310))), true);
    assert.equal(isSoft(soft, pageAt(`${SITE}/things/z.html`, 'Things | Shop', prose(17, 310))), false);
  });

  test('where all pages are alike, only what is equal', () => {
    const frame = prose(902, 600);
    const page = (path: string, own: string): SoftVisit => pageAt(SITE + path, 'Portal', `${frame} ${own}`);
    const soft = new SoftNotFound();
    for (let at = 0; at < 10; at++) soft.wantsProbe(page(`/p/${at}`, `item ${WORD[at]}`));
    soft.learn(HOST, page('/p/orbweaver-probe-abc', 'nothing'));
    assert.equal(isSoft(soft, page('/p/11', 'item eleven')), false);
    assert.equal(isSoft(soft, page('/p/12', 'nothing')), true);
  });

  test('a 404 teaches that the host is honest', () => {
    const soft = probed(() => pageAt(SITE, '404', 'not found', { status: 404 }));
    assert.equal(isSoft(soft, pageAt(`${SITE}/x`, 'Lost and not found', prose(4, 60))), false);
    assert.deepEqual(soft.report(10), []);
  });

  test('redirects to where made-up addresses are sent', () => {
    const soft = probed(() => ({ ...pageAt(SITE, '', ''), status: 302, redirectedTo: `${SITE}/error.html?from=x` }));
    const moved = (to: string): SoftVisit => pageAt(`${SITE}/old`, '', '', { status: 301, redirectedTo: to });
    assert.equal(isSoft(soft, moved(`${SITE}/error.html?from=/old`)), true);
    assert.equal(isSoft(soft, moved(`${SITE}/new.html`)), false);
    assert.equal(isSoft(soft, pageAt(`${SITE}/error.html`, 'Shop', 'Sorry, page not found. Go back.')), true);
    assert.equal(isSoft(soft, pageAt(`${SITE}/error.html`, 'Our glossary of errors', prose(5, 500))), false);
  });

  test('a redirect that keeps the name teaches nothing', () => {
    const soft = probed((path) => ({
      ...pageAt(SITE, '', ''),
      status: 301,
      redirectedTo: `https://www.shop.example${path}`,
    }));
    const moved = pageAt(`${SITE}/a`, '', '', { status: 301, redirectedTo: 'https://www.shop.example/a' });
    assert.equal(isSoft(soft, moved), false);
  });

  test('failures teach nothing', () => {
    for (const status of [500, 503, 429, 403]) {
      const soft = probed((path) => pageAt(SITE + path, 'Busy', prose(6, 50), { status }));
      assert.equal(isSoft(soft, pageAt(`${SITE}/a`, 'Busy', prose(6, 50))), false);
    }
  });
});

const WORD = 'one two three four five six seven eight nine ten'.split(' ');

describe('One page everywhere', () => {
  const shell = (path: string): SoftVisit => pageAt(SITE + path, 'App', 'Loading');

  for (const order of ['before', 'after']) {
    test(`the front page is kept, seen ${order} the probe`, () => {
      const soft = new SoftNotFound();
      if (order === 'before') soft.wantsProbe(shell('/'));
      soft.learn(HOST, shell('/orbweaver-probe-abc'));
      if (order === 'after') soft.wantsProbe(shell('/'));
      assert.equal(isSoft(soft, shell('/')), false);
      assert.equal(isSoft(soft, shell('/about')), true);
      assert.equal(isSoft(soft, pageAt(`${SITE}/help`, 'App', 'Loading help')), false);
      assert.equal(isSoft(soft, pageAt(`${SITE}/terms`, 'App', prose(3, 400))), false);
    });
  }
});

describe('Without a probe', () => {
  const soft = new SoftNotFound();

  test('a title that says nothing else, over a short text', () => {
    assert.equal(isSoft(soft, pageAt(`${SITE}/a`, 'Page not found', prose(1, 60))), true);
    assert.equal(isSoft(soft, pageAt(`${SITE}/a`, 'Сторінку не знайдено | Магазин', prose(1, 20))), true);
    assert.equal(isSoft(soft, pageAt(`${SITE}/a`, 'Page not found', prose(1, 101))), false);
  });

  test('honest look-alikes', () => {
    const pages: SoftVisit[] = [
      pageAt(
        `${SITE}/http-404`,
        'HTTP 404 - Encyclopedia',
        `The 404 Not Found error says that a page was not found. ${prose(1, 800)}`,
      ),
      pageAt(`${SITE}/blog/404`, 'How to design a 404 page', `Page not found: nobody likes it. ${prose(2, 400)}`),
      pageAt(`${SITE}/lost`, 'Lost and not found', `A story of a cat that was not found. ${prose(3, 90)}`),
      pageAt(`${SITE}/hours`, 'Opening hours', 'Monday to Friday, nine to five'),
      pageAt(`${SITE}/song`, '404', 'A song by a band'),
      pageAt(`${SITE}/faq`, 'Not found?', 'If you have not found what you look for, call us.'),
      pageAt(`${SITE}/`, 'Page not found', 'The front page of a site with a sense of humour'),
    ];
    for (const page of pages) assert.equal(isSoft(soft, page), false, page.title);
  });

  test('other statuses are what they say', () => {
    for (const status of [301, 404, 410, 500]) {
      assert.equal(isSoft(soft, pageAt(`${SITE}/a`, 'Page not found', 'x', { status })), false);
    }
  });
});

describe('Memory', () => {
  test('a snapshot is JSON and holds what probes have brought', () => {
    const soft = new SoftNotFound();
    const nothing = (path: string): SoftVisit => pageAt(SITE + path, 'Catalogue', prose(500, 120));
    assert.equal(soft.wantsProbe(pageAt(`${SITE}/a/x.html`, 'Page not found', prose(5, 200))), true);
    soft.learn(HOST, nothing('/a/orbweaver-probe-x.html'));
    const restored = new SoftNotFound();
    restored.restore(JSON.parse(JSON.stringify(soft.snapshot())));
    assert.deepEqual(restored.judge(nothing('/b')), soft.judge(nothing('/b')));
    assert.equal(isSoft(restored, nothing('/b')), true);
    assert.deepEqual(restored.report(5), soft.report(5));
    assert.deepEqual(restored.snapshot(), soft.snapshot());
    assert.equal(restored.wantsProbe(pageAt(`${SITE}/a/y.html`, 'Page not found', prose(6, 200))), false);
  });

  test('what is no snapshot leaves nothing learnt', () => {
    for (const nothing of [undefined, null, 3, 'x', {}, { version: 9, hosts: [] }]) {
      const soft = probed((path) => pageAt(SITE + path, 'Catalogue', prose(500, 120)));
      soft.restore(nothing);
      assert.equal(isSoft(soft, pageAt(`${SITE}/q`, 'Catalogue', prose(500, 120))), false);
    }
  });

  test('hosts give way, and snapshots are bounded', () => {
    const soft = new SoftNotFound({ maxHosts: 300, snapshotHosts: 100 });
    for (let at = 0; at < 1000; at++) {
      const page = pageAt(`https://h${at}.example/a`, 'Page not found', prose(at, 300));
      assert.equal(soft.wantsProbe(page), true);
      soft.learn(page.host, pageAt(`https://h${at}.example/orbweaver-probe-a`, 'Page not found', prose(at, 300)));
    }
    const text = JSON.stringify(soft.snapshot());
    assert.equal((JSON.parse(text) as { hosts: unknown[] }).hosts.length, 100);
    assert.ok(text.length < 100 * 2500, `${text.length} characters`);
  });
});
