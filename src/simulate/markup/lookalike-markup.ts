import type { SpamTrait } from '../plan/spam-plan.ts';
import type { TraitMarkup, TraitWriter } from './spam-markup.ts';
import type { WordDraw } from './word-draw.ts';

type Lookalike = Extract<SpamTrait, 'repeatedWords' | 'hiddenParts' | 'movedPage' | 'otherAds' | 'webRing'>;

/** Honest pages that have something in common with spam, in the many ways in which they do. */
export const LOOKALIKE_WRITERS: Readonly<Record<Lookalike, TraitWriter>> = {
  repeatedWords: (draw) => draw.of(REPEATED)(draw),
  hiddenParts: (draw) => draw.of(HIDDEN)(draw),
  movedPage(draw, { sentOn }) {
    const script =
      sentOn?.byScript === true
        ? `<script>setTimeout(function () { location.href = "${sentOn.url}"; }, ${2000 + draw.below(8) * 1000});</script>\n`
        : '';
    return {
      title: draw.of(['This page has moved', 'Moved', 'New address', `${draw.words(3)}: new address`]),
      head: script,
      before: `<p>${draw.of(MOVED)}</p>\n`,
      bytes: 700,
    };
  },
  otherAds: (draw, { browser }) => ({
    before: `<aside class="ad">${browser ? draw.sentences(2) : ''}</aside>\n`,
    after: `<div class="promo"><span>Advertisement</span> ${browser ? `Hello! ${draw.sentence()}` : 'Your advertisement here.'}</div>\n`,
  }),
  webRing: (draw) => ({
    after: `<p class="ring">This site is part of a ring of ${draw.words(1)} sites. Blogs that I read are listed above.</p>\n`,
  }),
};

const MOVED = [
  'This page has moved. You will be taken to its new address in a moment; if not, please follow the link below.',
  'We have a new address. Please update your bookmarks.',
  'The article was moved when we tidied up our site. The link at the end leads to it.',
  'Redirecting to the current version of this document ...',
] as const;

const REPEATED: readonly ((draw: WordDraw) => TraitMarkup)[] = [
  // A glossary: every entry begins with the matter it belongs to.
  (d) => {
    const matter = d.words(1);
    const entries = Array.from({ length: 14 + d.below(14) }, () => {
      const term = d.below(2) === 0 ? `${matter} ${d.words(1)}` : d.words(2);
      return `<dt>${term}</dt><dd>${d.sentence()} ${d.sentence()}</dd>`;
    });
    return { title: `Glossary of ${matter}`, before: `<dl>\n${entries.join('\n')}\n</dl>\n`, bytes: 1200 };
  },
  // A song: the chorus comes four times.
  (d) => {
    const line = (): string => d.words(5 + d.below(3));
    const hook = d.words(2);
    const chorus = [`${hook}, ${hook}`, line(), `oh ${hook}`, line()].join('<br>\n');
    const verses = [0, 1, 2, 3].map(() => {
      const verse = [line(), line(), line(), line()].join('<br>\n');
      return `<p>${verse}</p>\n<p class="chorus">${chorus}</p>\n`;
    });
    return { title: `${hook} (lyrics)`, before: verses.join(''), bytes: 900 };
  },
  // A price list: the same units in every row.
  (d) => {
    const kind = d.words(1);
    const rows = Array.from({ length: 20 + d.below(20) }, () => {
      const size = d.below(40) + 2;
      return `<tr><td>${d.words(2)} ${kind}</td><td>${size} cm</td><td>${d.below(900) + 10}.00 euro</td><td>in stock</td></tr>`;
    });
    return { title: `Prices: ${kind}`, before: `<table>\n${rows.join('\n')}\n</table>\n`, bytes: 1400 };
  },
  // Questions and answers on one matter, which has to be named.
  (d) => {
    const matter = d.words(1);
    const asked = Array.from({ length: 8 + d.below(8) }, () => {
      return `<h3>How ${d.words(2)} a ${matter} ${d.words(2)}?</h3><p>${d.sentence()} A ${matter} ${d.words(7)}. ${d.sentences(2)}</p>`;
    });
    return { title: `Questions on the ${matter}`, before: `${asked.join('\n')}\n`, bytes: 1200 };
  },
  // A recipe or a manual: the same verbs and things in every step.
  (d) => {
    const [tool, part] = [d.words(1), d.words(1)];
    const steps = Array.from({ length: 9 + d.below(8) }, () => {
      return `<li>Put the ${tool} to the ${d.words(2)} ${part} and turn it ${d.words(3)} until the ${part} ${d.words(4)}.</li>`;
    });
    return { title: `How to mend a ${part}`, before: `<ol>\n${steps.join('\n')}\n</ol>\n`, bytes: 1600 };
  },
];

const HIDDEN: readonly ((draw: WordDraw) => TraitMarkup)[] = [
  // A menu that opens on a click; its entries are buttons.
  (d) => ({
    head: '<style>.submenu { display: none } .open .submenu { display: block }</style>\n',
    before: `<nav><button>Menu</button><ul class="submenu">${items(d, 12 + d.below(12), 'button')}</ul></nav>\n`,
  }),
  // An accordion: long answers that are closed.
  (d) => {
    const panels = Array.from({ length: 4 + d.below(5) }, () => {
      const closed = d.of([
        'hidden',
        'style="display:none"',
        'class="panel" aria-hidden="true" style="height:0;overflow:hidden"',
      ]);
      return `<h3>${d.words(4)}</h3><div ${closed}><p>${d.sentences(3)}</p></div>`;
    });
    return { before: `<div class="accordion">${panels.join('\n')}</div>\n` };
  },
  // Labels for screen readers, in the two ways in which style sheets take them off the screen.
  (d) => ({
    head: d.of([
      '<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>\n',
      '<style>.visually-hidden { position: absolute; left: -9999px }</style>\n',
    ]),
    before: `<p><span class="sr-only visually-hidden">${d.words(4)}</span> ${d.sentences(2)} <span class="sr-only visually-hidden">${d.words(3)}</span></p>\n`,
  }),
  // A picture instead of the name of the site.
  (d) => ({
    head: '<style>.logo { text-indent: -9999px; background: url(/static/logo.svg) }</style>\n',
    before: `<div class="logo">${d.words(3)}</div>\n`,
  }),
  // Light text on dark ground, which its parent has.
  (d) => ({
    head: '<style>.hero { background: #1a2b3c } .hero p { color: #fff }</style>\n',
    before: `<div class="hero"><p>${d.sentences(4)}</p><p style="color:white">${d.sentences(3)}</p></div>\n`,
  }),
  // Light text on a picture.
  (d) => ({
    before: `<div style="background-image:url(/static/sea.jpg);color:#ffffff"><p>${d.sentences(5)}</p></div>\n`,
  }),
  // Small print.
  (d) => ({
    after: `<p style="font-size:${d.of(['9px', '0.7em', '65%', '7pt'])}">${d.sentences(6)}</p>\n`,
  }),
  // Tabs, of which one shows.
  (d) => {
    const tabs = [0, 1, 2].map(
      (at) => `<div role="tabpanel" ${at === 0 ? '' : 'style="display:none"'}>${d.sentences(4)}</div>`,
    );
    return { before: `<div class="tabs">${tabs.join('\n')}</div>\n` };
  },
  // The gaps between tiles are closed by a font size that the tiles do not inherit.
  (d) => ({
    before: `<div style="font-size:0">${[0, 1, 2].map(() => `<span style="font-size:16px">${d.sentences(2)}</span>`).join('')}</div>\n`,
  }),
  // Consent and sign-in boxes that wait for their turn.
  (d) => ({
    after: `<div class="dialog" style="visibility:hidden;opacity:0;position:fixed"><p>We use cookies. ${d.sentences(3)}</p></div>\n`,
  }),
];

function items(draw: WordDraw, count: number, element: string): string {
  return Array.from({ length: count }, () => `<li><${element}>${draw.words(2)}</${element}></li>`).join('');
}
