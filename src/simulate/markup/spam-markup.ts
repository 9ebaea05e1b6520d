import type { SpamTrait } from '../plan/spam-plan.ts';
import { drawTopic, phraseList, type SpamTopic, spamPhrase, stuffedSentences } from './spam-words.ts';
import type { WordDraw } from './word-draw.ts';

/** What a trait adds to a page. */
export interface TraitMarkup {
  readonly title?: string;
  readonly head?: string;
  /** Right after the heading of the page. */
  readonly before?: string;
  /** After all text and links. */
  readonly after?: string;
  /** How long the page is to be, the parts above not counted; absent: as long as it would be. */
  readonly bytes?: number;
}

/** What the markup of a trait depends on, beyond chance. */
export interface TraitContext {
  /** Where the page sends its visitors on to, and whether a script does it. */
  readonly sentOn?: { readonly url: string; readonly byScript: boolean };
  /** Asked by a browser, or by what says that it is one. */
  readonly browser: boolean;
}

export type TraitWriter = (draw: WordDraw, context: TraitContext) => TraitMarkup;

/** Pages of spam, each technique in the many ways in which it is done. */
export const SPAM_WRITERS: Readonly<
  Record<Extract<SpamTrait, 'termStuffing' | 'hiddenText' | 'doorway' | 'linkFarm'>, TraitWriter>
> = {
  termStuffing(draw) {
    const topic = drawTopic(draw);
    const title = draw.below(3) === 0 ? `${phraseList(draw, topic, 2)}` : phraseList(draw, topic, 3 + draw.below(4));
    const keywords = `<meta name="keywords" content="${phraseList(draw, topic, 10 + draw.below(20))}">\n`;
    return {
      title,
      head: draw.below(2) === 0 ? keywords : '',
      before: stuffing(draw, topic),
      after: draw.below(2) === 0 ? `<p>${phraseList(draw, topic, 20 + draw.below(40))}</p>\n` : stuffing(draw, topic),
      bytes: 800 + draw.below(1500),
    };
  },
  hiddenText(draw) {
    const topic = drawTopic(draw);
    const text =
      draw.below(2) === 0
        ? phraseList(draw, topic, 30 + draw.below(60))
        : stuffedSentences(draw, topic, 100 + draw.below(150), 6);
    const { head, markup } = draw.of(HIDINGS)(draw, text);
    return draw.below(2) === 0 ? { head, before: markup } : { head, after: markup };
  },
  doorway(draw, { sentOn }) {
    const topic = drawTopic(draw);
    const script = sentOn?.byScript === true ? draw.of(SCRIPTS)(sentOn.url, draw) : '';
    const text = stuffedSentences(draw, topic, 120 + draw.below(200), 9 + draw.below(8));
    return {
      title: phraseList(draw, topic, 1 + draw.below(3)),
      before: `<h2>${spamPhrase(draw, topic)}</h2>\n<p>${text}</p>\n`,
      bytes: 700,
      ...(draw.below(2) === 0 ? { head: script } : { after: script }),
    };
  },
  linkFarm(draw) {
    const topic = drawTopic(draw);
    return {
      title: `${spamPhrase(draw, topic)} links`,
      before: `<p>${phraseList(draw, topic, 2 + draw.below(4))}</p>\n`,
      bytes: 700 + draw.below(500),
    };
  },
};

/** What a browser gets in place of the page that robots get. */
export function cloakedPage(draw: WordDraw): string {
  const topic = drawTopic(draw);
  const title = phraseList(draw, topic, 2);
  return `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${spamPhrase(draw, topic)}</h1>
<p>${stuffedSentences(draw, topic, 150 + draw.below(200), 5)}</p>
<p><a href="/">${spamPhrase(draw, topic)}</a></p>
</body></html>
`;
}

function stuffing(draw: WordDraw, topic: SpamTopic): string {
  switch (draw.below(5)) {
    case 0:
      return `<p>${phraseList(draw, topic, 40 + draw.below(60))}</p>\n`;
    case 1:
      return `<p>${stuffedSentences(draw, topic, 200 + draw.below(200), 3 + draw.below(3))}</p>\n`;
    case 2: {
      const cells = Array.from({ length: 30 + draw.below(30) }, () => `<li>${spamPhrase(draw, topic)}</li>`);
      return `<ul>${cells.join('')}</ul>\n`;
    }
    case 3: {
      const word = draw.of(topic.things);
      return `<p>${Array.from({ length: 40 + draw.below(60) }, () => word).join(' ')}</p>\n`;
    }
    default: {
      const rows = Array.from(
        { length: 6 + draw.below(6) },
        () => `<h3>${spamPhrase(draw, topic)}</h3><p>${stuffedSentences(draw, topic, 30, 4)}</p>`,
      );
      return `${rows.join('\n')}\n`;
    }
  }
}

type Hiding = (draw: WordDraw, text: string) => { readonly head: string; readonly markup: string };

/**
 * Same colour, off the screen, too small; inline, by attribute, or by a rule of the page's style sheet. What a script
 * may open (no height, no opacity, not displayed) is left to honest pages: without running it nobody can tell.
 */
const HIDINGS: readonly Hiding[] = [
  (d, text) => {
    const colour = d.of(['#ffffff', '#fff', 'white', 'rgb(255,255,255)', '#fefefe']);
    return { head: '', markup: `<div style="background:${d.of(['#fff', 'white'])};color:${colour}">${text}</div>\n` };
  },
  (d, text) => ruled(d, text, `color:${d.of(['#fff', '#FFFFFF', 'white'])};background-color:#ffffff`),
  (d, text) => ruled(d, text, 'color: #f0f0f0; background: #f0f0f0'),
  (_, text) => ({
    head: '',
    markup: `<table bgcolor="#eeeeee"><tr><td><font color="#eeeeee">${text}</font></td></tr></table>\n`,
  }),
  (d, text) => ({
    head: '',
    markup: `<div style="position:absolute;${d.of(['left', 'top', 'right'])}:-${d.of([999, 5000, 9999, 20_000])}px">${text}</div>\n`,
  }),
  (d, text) => ruled(d, text, `position: absolute; left: -${d.of([2000, 9999])}px; top: 0`),
  (_, text) => ({ head: '', markup: `<p style="text-indent:-9999px">${text}</p>\n` }),
  (d, text) => ({
    head: '',
    markup: `<span style="font-size:${d.of(['0', '1px', '0.1em', '1pt', '0px'])}">${text}</span>\n`,
  }),
  (d, text) => ruled(d, text, `font-size: ${d.of(['0', '1px', '0.05em'])}; line-height: 1px`),
];

function ruled(draw: WordDraw, text: string, rules: string): { readonly head: string; readonly markup: string } {
  const name = `${draw.words(1)}-${draw.below(99)}`;
  const byId = draw.below(3) === 0;
  return {
    head: `<style>\n.wide { margin: 0 }\n${byId ? '#' : '.'}${name} { ${rules} }\n</style>\n`,
    markup: `<div ${byId ? 'id' : 'class'}="${name}">${text}</div>\n`,
  };
}

/** Ways to leave a page at once. */
const SCRIPTS: readonly ((url: string, draw: WordDraw) => string)[] = [
  (url) => `<script>window.location="${url}";</script>\n`,
  (url) => `<script type="text/javascript">location.replace('${url}')</script>\n`,
  (url) => `<script>top.location.href = '${url}';</script>\n`,
  (url) => `<script>document.location.href="${url}"</script>\n`,
  (url, d) => `<script>setTimeout("location.href='${url}'",${d.below(3) * 10});</script>\n`,
  (url) => `<script>window.onload=function(){window.location.assign("${url}")}</script>\n`,
  (url) => `<script>var u="${url}";if(document.referrer!="x"){self.location=u;}</script>\n`,
];
