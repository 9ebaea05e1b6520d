import type { SmallCopy } from './small-reader.ts';
import type { SmallDocument } from './small-search.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 4, 4, 12);

/** What a stranger would put on a page to take over ours: each leaves a trace where it runs. */
export const HOSTILE =
  '"><script>globalThis.owned = 1</script><img src=x onerror="globalThis.owned = 1"><svg onload=owned=1>';

const BEFORE = `The garden spider weaves a new web every night.
An orb web has about thirty spokes and a sticky spiral that sags a little between them.
The spider waits at the hub, head down, with a leg on a signal thread.
When an insect struggles the spider counts the tremor and runs.
Old silk is eaten and spun again.
In autumn the female leaves the web and lays several hundred eggs.`;

const AFTER = `The garden spider weaves a new web almost every night, mostly before dawn.
An orb web has about thirty spokes and a sticky spiral that sags a little between them.
The spider waits at the hub, head down, with a leg on a signal thread.
When an insect struggles the spider counts the tremor and runs.
Young spiders balloon: they let the wind carry them on a single thread.
In autumn the female leaves the web and lays several hundred eggs.`;

function page(title: string, text: string, extra = ''): string {
  const paragraphs = text.split('\n').map((line) => `<p>${line}</p>`);
  return `<!doctype html><html lang="en"><head><title>${title}</title><style>body{font-family:Georgia,serif;max-width:40rem;margin:2rem auto;line-height:1.6}h1{color:#533}</style></head><body><h1>${title}</h1>${paragraphs.join('')}<p><a href="other.html" id="relative">Another page</a></p>${extra}</body></html>`;
}

export const COPIES: readonly SmallCopy[] = [
  { url: 'https://spiders.example/garden/', date: START, body: page('The garden spider', BEFORE), text: BEFORE },
  {
    url: 'https://spiders.example/garden/',
    date: START + 40 * DAY,
    body: page('The garden spider', AFTER),
    text: AFTER,
  },
  {
    url: 'https://hostile.example/',
    date: START,
    body: page(
      'A hostile page',
      'It tries all it can.',
      `<script>document.cookie = 'owned=1'; document.title = 'owned'; fetch('/api/search?q=owned'); alert(1);</script>
<img src="/go?url=https://hostile.example/" onerror="document.title = 'owned'"><iframe src="/search?q=owned"></iframe>
<form action="/search"><input name="q" value="owned"><button id="send">Send</button></form><a id="code" href="javascript:document.title='owned'">code</a>
<meta http-equiv="refresh" content="0;url=/search?q=owned"><object data="/search?q=owned"></object>
<style>orbweaver-banner{display:none!important;opacity:0!important}body>*{position:relative}</style><base href="https://elsewhere.example/">`,
    ),
  },
  {
    url: 'https://spiders.example/notes.txt',
    date: START,
    body: 'Plain <b>notes</b>\n  & more',
    contentType: 'text/plain',
  },
];

const TEXTS: readonly (readonly [string, string, string])[] = [
  ['spiders.example', 'garden/', 'The garden spider'],
  ['spiders.example', 'silk/threads-and-glue.html', 'Spider silk: threads and glue'],
  ['museum.example', 'arachnids/orb-weavers', 'Orb weavers of the northern hemisphere'],
  ['weaving.example', 'patterns/spiral', 'The logarithmic spiral in orb webs'],
  ['archive.example', 'papers/2025/tremor.pdf', 'How spiders read the tremor of their webs'],
];

/** Fourteen pages about spiders, and two that mean harm. */
export const DOCUMENTS: readonly SmallDocument[] = [
  ...Array.from({ length: 14 }, (_, at): SmallDocument => {
    const [host, path, title] = TEXTS[at % TEXTS.length];
    return {
      id: `https://${host}/${path}${at < TEXTS.length ? '' : `?part=${at}`}`,
      title: at < TEXTS.length ? title : `${title}, part ${at}`,
      text: 'A spider that weaves an orb web spins spokes first, then a spiral of dry silk that guides it, and at last the sticky one. … The web is eaten in the evening and woven anew before dawn; the spider waits at its hub.',
      mediaType: path.endsWith('.pdf') ? 'application/pdf' : 'text/html',
      language: at % 7 === 3 ? 'de' : 'en',
      date: START + at * 31 * DAY - 200 * DAY,
      similar: at === 1 ? 3 : 0,
      moreFromHost: at === 2 ? 12 : 0,
    };
  }),
  {
    id: `https://hostile.example/?${HOSTILE}`,
    title: `Hostile title ${HOSTILE}`,
    text: `Hostile text ${HOSTILE}`,
    language: HOSTILE,
    mediaType: HOSTILE,
  },
  { id: 'javascript:globalThis.owned=1', title: 'Hostile address', text: 'hostile link' },
];
