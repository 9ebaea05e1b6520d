/** Pages as people write them, to be judged: each with a name that says what it shows. */
export interface ExamplePage {
  readonly name: string;
  readonly title: string;
  readonly head?: string;
  readonly body: string;
  /** The main text, where it is not simply what stands in the body. */
  readonly text?: string;
  readonly keywords?: readonly string[];
}

const PROSE = `The harbour town lies at the mouth of a river that few maps name. In spring the boats come back from the north, and the
market on the quay fills with herring, wool and talk. Children run between the stalls while their parents bargain over rope and
salt. Nobody is in a hurry, since the tide decides when the day is over. In the evening lamps are lit along the wall, and those who
stayed out late can see them from far away. Travellers have written about this light for two hundred years, and most of them agree
that it looks warmer than it should at such a latitude. The church above the town was built twice, the second time by masons who had
worked on the cathedral inland, and it shows in the windows. Visitors may climb the tower on Saturdays for a small fee.`;

const paragraph = (text: string): string => `<p>${text}</p>`;
const repeated = (count: number, make: (at: number) => string, joint = ' '): string =>
  Array.from({ length: count }, (_, at) => make(at)).join(joint);

const PLACES =
  'Leeds York Hull Bradford Sheffield Wakefield Halifax Harrogate Ripon Skipton Keighley Batley Dewsbury Selby Goole Whitby Malton Thirsk Otley Ilkley Pudsey Morley Castleford Pontefract Barnsley Doncaster Rotherham Huddersfield'.split(
    ' ',
  );
const KEYWORDS = repeated(
  12,
  (at) => `cheap sofa ${['sale', 'outlet', 'discount', 'bargain'][at % 4]} leather sofa beds online`,
  ', ',
);
const GERMAN_KEYWORDS = repeated(
  14,
  (at) => `günstige Kredite ${['sofort', 'ohne Schufa', 'online'][at % 3]} Kredit Vergleich`,
  ', ',
);

export const SPAM_PAGES: readonly ExamplePage[] = [
  {
    name: 'one phrase in every sentence',
    title: 'Hair transplant clinic',
    body: paragraph(
      repeated(
        20,
        (at) =>
          `Our hair transplant clinic offers the best hair transplant ${['prices', 'doctors', 'results', 'care'][at % 4]} and every hair transplant is done by a hair transplant surgeon.`,
      ),
    ),
  },
  {
    name: 'places times a service',
    title: 'Locksmith Leeds, Locksmith York, Locksmith Hull, Locksmith Bradford',
    body: paragraph(repeated(PLACES.length * 2, (at) => `emergency locksmith ${PLACES[at % PLACES.length]}`, ', ')),
  },
  {
    name: 'a German list of keywords',
    title: 'Kredit Kredite Kredit online Kredit günstig Kredit sofort',
    body: paragraph(repeated(3, () => GERMAN_KEYWORDS)),
  },
  {
    name: 'the same line dozens of times',
    title: 'Win big',
    body: repeated(60, () => '<p>play slots for free</p>', '\n'),
    text: repeated(60, () => 'play slots for free', '\n'),
  },
  {
    name: 'a family of phrases',
    title: 'Used tractors',
    body: paragraph(
      repeated(
        70,
        (at) =>
          `${['used', 'second hand', 'cheap', 'quality'][at % 4]} ${['tractors', 'tractor parts', 'harvesters', 'farm machines'][(at * 7) % 4]} ${['for sale', 'dealer', 'export', 'auction'][(at * 3) % 4]}`,
        ' | ',
      ),
    ),
  },
  ...[
    ['inline, same colour', `<div style="background:#FFF; color:#fefefe">${KEYWORDS}</div>`],
    ['inline, colour of the page', `<p style="color: White">${KEYWORDS}</p>`],
    ['by rgb()', `<p style="color:rgb(255, 255, 254)">${KEYWORDS}</p>`],
    [
      'font element on a coloured cell',
      `<table bgcolor="#336699"><tr><td><font color="#336699">${KEYWORDS}</font></td></tr></table>`,
    ],
    ['one pixel', `<span style="font-size:1px">${KEYWORDS}</span>`],
    ['no size', `<span style="font-size: 0 !important">${KEYWORDS}</span>`],
    ['shorthand font', `<span style="font: bold 1px/1 serif">${KEYWORDS}</span>`],
    ['far left', `<div style="position:absolute;left:-9999px">${KEYWORDS}</div>`],
    ['far up in em', `<div style="POSITION: fixed; TOP: -500em">${KEYWORDS}</div>`],
    ['indented', `<h2 style="text-indent:-999em">${KEYWORDS}</h2>`],
    ['moved by margin', `<div style="margin-left:-5000px">${KEYWORDS}</div>`],
    ['moved by transform', `<div style="transform: translateX(-3000px)">${KEYWORDS}</div>`],
    ['faded', `<div style="opacity:.01">${KEYWORDS} ${KEYWORDS}</div>`],
    ['no height', `<div style="height:0px;overflow:hidden">${KEYWORDS} ${KEYWORDS}</div>`],
    ['clip-path', `<div style="clip-path: inset(100%);">${KEYWORDS}</div>`],
    ['clip', `<div style="position:absolute;clip:rect(1px, 1px, 1px, 1px)">${KEYWORDS}</div>`],
    ['not displayed', `<div style="display:none">${KEYWORDS} ${KEYWORDS}</div>`],
    ['not visible', `<div style="visibility:hidden">${KEYWORDS} ${KEYWORDS}</div>`],
    ['prose in the colour of its ground', `<div style="color:#000;background-color:#000">${PROSE.slice(0, 500)}</div>`],
    [
      'links to others out of the window',
      `<div style="position:absolute;top:-4000px">${repeated(6, (at) => `<a href="http://pills${at}.example${at}.com/">buy cheap pills number ${at}</a>`)}</div>`,
    ],
  ].map(([name, hidden]) => ({
    name: `hidden: ${name}`,
    title: 'Harbour',
    body: `${paragraph(PROSE)}${hidden}`,
    text: PROSE,
  })),
  ...[
    ['class', '.x1 { color:#fff; background:#ffffff }', `<div class="a x1 b">${KEYWORDS}</div>`],
    ['id', '#seo{position:absolute;left:-2000px}', `<div id="seo">${KEYWORDS}</div>`],
    ['element inside', 'body{background:#eee} .foot p { color: #eeeeee; }', `<div class=foot><p>${KEYWORDS}</p></div>`],
    [
      '@media screen',
      '@import url(x.css); @media screen { .k { text-indent: -9000px } }',
      `<div class="k">${KEYWORDS}</div>`,
    ],
    ['after a comment', '/* layout { */ .z{font-size:1px}', `<section class="z">${KEYWORDS}</section>`],
  ].map(([name, css, hidden]) => ({
    name: `hidden by style sheet: ${name}`,
    title: 'Harbour',
    head: `<style type="text/css">${css}</style>`,
    body: `${paragraph(PROSE)}${hidden}`,
    text: PROSE,
  })),
  ...[
    ['META refresh', '<meta http-equiv="Refresh" content="0;URL=http://shop.elsewhere.com/buy">'],
    ['location', '<script>window.location = "https://shop.elsewhere.com/";</script>'],
    [
      'location.replace on load',
      '<script>window.onload = function () { location.replace("//shop.elsewhere.com/") }</script>',
    ],
    [
      'a function called at once',
      '<script>function go(){ top.location.href="http://elsewhere.com/x"; } go();</script>',
    ],
    ['a variable', '<script>var target = "http://elsewhere.com/x"; document.location = target;</script>'],
    ['a timer', '<script>setTimeout(function(){location.href="http://elsewhere.com/"}, 50)</script>'],
    [
      'document.write',
      `<script>document.write('<meta http-equiv="refresh" content="0;url=http://elsewhere.com/">')</script>`,
    ],
    ['percent escapes', `<script>eval(unescape("%6c%6f%63%61%74%69%6f%6e%3d%22http%3a//elsewhere.com/%22"))</script>`],
    ['brackets', `<script>window["loc"+"ation"]["hr"+"ef"]="http://elsewhere.com/"</script>`],
    [
      'a frame over all',
      '<iframe src="http://elsewhere.com/" style="position:fixed;top:0;left:0;width:100%;height:100%"></iframe>',
    ],
  ].map(([name, head]) => ({
    name: `doorway: ${name}`,
    title: 'Cheap sofa sale',
    head,
    body: paragraph(`${KEYWORDS}. Find a cheap sofa today and save on every leather sofa in our sofa shop.`),
  })),
];

const TABLE = repeated(
  40,
  (at) => `<tr><td>Sample ${at}</td><td>${(at * 37) % 91}.${at}</td><td>mg per litre</td><td>passed</td></tr>`,
  '\n',
);

export const HONEST_PAGES: readonly ExamplePage[] = [
  { name: 'prose', title: 'The harbour', body: paragraph(PROSE) },
  {
    name: 'a song',
    title: 'Row the boat',
    body: '',
    text: repeated(
      5,
      (at) =>
        `verse ${at} tells of rain and of a road that ${PLACES[at]} knows\nrow the boat home\nrow the boat home\noh row the boat home tonight`,
      '\n',
    ),
  },
  {
    name: 'a table',
    title: 'Water samples',
    body: `<table>${TABLE}</table>`,
    text: repeated(40, (at) => `Sample ${at} ${(at * 37) % 91}.${at} mg per litre passed`, '\n'),
  },
  {
    name: 'program text',
    title: 'Array map',
    body: '',
    text: repeated(
      30,
      (at) => `const value${at} = array.map((value) => value[${at}] + array.length); return array.filter(value);`,
      '\n',
    ),
  },
  {
    name: 'an article that has to name its subject',
    title: 'How tea is grown',
    body: paragraph(
      `${PROSE} Tea is grown on hills where the mist stays until noon. The first tea of the year is picked by hand. Most tea that is drunk in the town comes by sea, and the tea house on the quay keeps a list of every ship. ${PROSE.toUpperCase().toLowerCase()} A cup of tea costs little.`,
    ),
  },
  ...[
    [
      'screen reader labels',
      '<style>.sr-only{position:absolute;width:1px;height:1px;overflow:hidden;clip:rect(0,0,0,0)}</style>',
      repeated(12, (at) => `<a href="/${at}"><span class="sr-only">Open the entry number ${at}</span></a>`),
    ],
    [
      'a picture for the name',
      '<style>h1 a{display:block;text-indent:-9999px;background:url(logo.png)}</style>',
      '<h1><a href="/">The Harbour Gazette of the North</a></h1>',
    ],
    [
      'a menu',
      '<style>.menu{display:none}.open .menu{display:block}</style>',
      `<ul class="menu">${repeated(40, (at) => `<li><a href="/${at}">Garden tools ${at}</a></li>`)}</ul>`,
    ],
    [
      'tabs and an accordion',
      '',
      `<div hidden>${PROSE}</div><div style="display:none">${PROSE}</div><div style="height:0;overflow:hidden">${PROSE}</div>`,
    ],
    [
      'an off-canvas menu',
      '',
      `<nav style="position:fixed;left:-400px">${repeated(30, (at) => `<a href="/p${at}">Products in group ${at}</a>`)}</nav>`,
    ],
    [
      'dark theme',
      '<style>body{background:#111;color:#eee}.card{background:#eee}.card p{color:#111}</style>',
      `<div class="card"><p>${PROSE}</p></div>`,
    ],
    [
      'white letters on a ground that a rule lays',
      '<style>.hero{background:#1d3557}</style>',
      `<div class="hero"><p style="color:#fff">${PROSE}</p></div>`,
    ],
    ['white letters on a picture', '', `<div style="background:url(sea.jpg);color:#fff">${PROSE}</div>`],
    [
      'white letters on a ground that is told elsewhere',
      '<link rel="stylesheet" href="site.css">',
      `<div class="hero" style="color:#fff">${PROSE}</div>`,
    ],
    [
      'letters cut out of a gradient',
      '',
      `<h2 style="background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent">${PROSE.slice(0, 300)}</h2>`,
    ],
    [
      'gaps closed by a font of no size',
      '',
      `<div style="font-size:0"><span style="font-size:16px">${PROSE}</span></div>`,
    ],
    ['shown when scripts are ready', '<style>body{opacity:0}</style>', paragraph(PROSE)],
    ['fades in', '', `<section style="opacity:0;transform:translateY(40px)">${PROSE}</section>`],
    ['print only', '<style>@media print{.x{color:#fff}} .p{display:none}</style>', `<div class="p x">${PROSE}</div>`],
    [
      'a list of countries',
      '',
      `<div style="display:none"><select>${PLACES.map((place) => `<option>${place}</option>`).join('')}</select></div>`,
    ],
    [
      'a spoiler',
      '',
      '<p>Who did it? <span style="color:#000;background:#000">It was the gardener, of course, with the old spade.</span></p>',
    ],
    [
      'a tracking frame',
      '',
      '<iframe src="http://ads.elsewhere.com/" width="1" height="1" style="display:none"></iframe>',
    ],
    [
      'a video',
      '',
      '<iframe src="https://video.elsewhere.com/1" style="position:absolute;width:100%;height:100%"></iframe>',
    ],
  ].map(([name, head, body]) => ({
    name: `hidden: ${name}`,
    title: 'Harbour',
    head,
    body: `${paragraph(PROSE)}${body}`,
    text: PROSE,
  })),
  ...[
    [
      'has moved',
      '<meta http-equiv="refresh" content="0;url=http://new.elsewhere.com/">',
      'This page has moved. Please update your bookmarks.',
    ],
    [
      'has moved, the old text is still there',
      '<meta http-equiv="refresh" content="2;url=http://new.elsewhere.com/">',
      PROSE,
    ],
    ['reloads itself', '<meta http-equiv="refresh" content="300">', KEYWORDS.slice(0, 60) + PROSE],
    [
      'a login',
      '<script>if (!loggedIn) { location.href = "https://login.elsewhere.com/"; }</script>',
      'Please sign in.',
    ],
    ['leaves a frame', '<script>if (top != self) top.location = self.location;</script>', PROSE],
    ['a click', '<script>function buy() { location.href = "http://shop.elsewhere.com/"; }</script>', PROSE],
    [
      'the mobile site',
      '<script>if (/iphone/i.test(navigator.userAgent)) location = "http://m.harbour-news.com/";</script>',
      KEYWORDS.slice(0, 40) + PROSE,
    ],
    ['a setting that is named so', '<script>config.user.location = "http://cdn.elsewhere.com/";</script>', PROSE],
  ].map(([name, head, text]) => ({ name: `redirect: ${name}`, title: 'Harbour', head, body: paragraph(text) })),
];

/** The whole document. */
export function htmlOf({ title, head = '', body }: ExamplePage): string {
  return `<!DOCTYPE html><html><head><title>${title}</title>${head}</head><body>${body}</body></html>`;
}

/** The main text: as told, or the body without tags. */
export function textOf({ text, body }: ExamplePage): string {
  return (
    text ??
    body
      .replace(/<[^>]*>/g, ' ')
      .replace(/[ \n]+/g, ' ')
      .trim()
  );
}
