import { type DemoPage, type DemoSite, document, link, list, paragraphs } from './demo-site.ts';

type Post = readonly [path: string, title: string, date: string, text: string];

const POSTS: readonly Post[] = [
  [
    '/2025/the-web-in-the-wheelhouse.html',
    'The web in the wheelhouse',
    '14 September 2025',
    `Every evening at twenty past seven the ${link('spiders', '/species/larinioides-sclopetarius.html', 'bridge spider')} above the tiller takes her web down and starts again. By eight the ferry leaves, by nine she has eaten. We have stopped cleaning the window.`,
  ],
  [
    '/2025/carrying-a-spider-outdoors.html',
    'Carrying a spider outdoors',
    '2 September 2025',
    `Glass over, card under, open the door. Only: a ${link('spiders', '/species/eratigena-atrica.html', 'house spider')} has never lived outdoors. The shed is kinder.`,
  ],
  [
    '/2025/fog.html',
    'Fog',
    '30 August 2025',
    `This morning the meadow was full of hammocks. We counted two hundred and four ${link('spiders', '/species/linyphia-triangularis.html', 'hammock-weavers')} between the gate and the oak, and then breakfast.`,
  ],
  [
    '/2025/a-wasp-that-is-none.html',
    'A wasp that is none',
    '11 August 2025',
    `She came up the railway line, as her kind does. What the ${link('spiders', '/species/argiope-bruennichi.html', 'wasp spider')} writes in her web nobody can read. Ours looks like a W.`,
  ],
  [
    '/2025/night-at-the-museum.html',
    'Night at the museum',
    '21 June 2025',
    `Forty children, forty torches and one ${link('museum', '/exhibits/golden-cape.html', 'golden cape')}. Nobody slept. The tarantula did.`,
  ],
  [
    '/2025/dancing-lessons.html',
    'Dancing lessons',
    '3 May 2025',
    `We tried the steps of the ${link('spiders', '/species/maratus-volans.html', 'peacock spider')} on the terrace. The neighbours were not convinced; she would not have been either.`,
  ],
  [
    '/2024/spiders-at-sea.html',
    'Spiders at sea',
    '2 November 2024',
    `Darwin noted it on the Beagle: the rigging was full of small red spiders, and the coast was sixty miles away. How they do it is told ${link('silk', '/ballooning.html', 'here')}. Ours came down on the teapot.`,
  ],
  [
    '/2024/a-line-in-the-hand.html',
    'A line in the hand',
    '19 October 2024',
    `Take a thread of the ${link('spiders', '/species/araneus-diadematus.html', 'garden spider')} between two fingers and pull. What you feel is ${link('silk', '/dragline.html', 'dragline')}; what you do not feel is how little of it there is.`,
  ],
  [
    '/2024/the-smallest-gardener.html',
    'The smallest gardener',
    '5 June 2024',
    `On our oxeye daisies sits a ${link('spiders', '/species/misumena-vatia.html', 'crab spider')}, white on white. On Tuesday she moved to the ragwort. We look in every day to see her turn.`,
  ],
  [
    '/2024/why-we-do-not-mow.html',
    'Why we do not mow',
    '1 May 2024',
    `Because of the ${link('fieldguide', '/habitats/meadows.html', 'meadow chapter')}, because of the grasshoppers, and because it is less work.`,
  ],
];

/** News, with tags and a page that robots should not go on from. */
export const BLOG_SITE: DemoSite = {
  host: 'blog',
  title: 'Notes from the Shed',
  motto: 'A blog with too many corners to sweep',
  navigation: [
    ['/', 'Latest'],
    ['/archive.html', 'Archive'],
    ['/about.html', 'About'],
    ['/links.html', 'Links'],
  ],
  robots: [
    { agents: ['*'], rules: [{ allow: false, pattern: '/drafts/' }], crawlDelaySeconds: 0.1 },
    { agents: ['greedybot'], rules: [{ allow: false, pattern: '/' }] },
  ],
  pages: [
    document(
      '/',
      'Notes from the Shed',
      POSTS.slice(0, 4)
        .map((post) => `<section><h2>${link('blog', post[0], post[1])}</h2><p>${post[2]}</p></section>`)
        .join('\n') + paragraphs(`Everything older is in ${link('blog', '/archive.html', 'the archive')}.`),
    ),
    document('/archive.html', 'Archive', list(POSTS.map((post) => `${post[2]}: ${link('blog', post[0], post[1])}`))),
    ...POSTS.map(postPage),
    document(
      '/about.html',
      'About',
      paragraphs(
        `Two people, one shed, an unknown number of spiders. The next post is ${link('blog', '/drafts/winter.html', 'not ready')}. We belong to the circle of ${link('spiders', '/about.html', 'the encyclopaedia')}. Old readers know us ${link('blog', '/start', 'from here')}.`,
      ),
    ),
    document(
      '/links.html',
      'Links',
      paragraphs(
        `Sent in by readers; robots, please do not go on from here: ${link('blog', '/readers/recipes.html', 'recipes')}, ${link('blog', '/readers/knots.html', 'knots')}.`,
      ),
      'nofollow',
    ),
    document('/readers/recipes.html', 'Recipes', paragraphs('No spiders were cooked.')),
    document(
      '/readers/knots.html',
      'Knots',
      paragraphs('A reader compares hitches with the fastening of a bridge thread.'),
    ),
    document(
      '/guestbook.html',
      'Guest book',
      paragraphs(`Greetings from ${link('blog', '/readers/knots.html', 'a reader', 'nofollow')}.`),
      'noindex',
    ),
    document('/drafts/winter.html', 'Winter (draft)', paragraphs('Not ready.')),
    { kind: 'redirect', path: '/start', status: 301, to: '@blog/' },
    { kind: 'redirect', path: '/feed-old', status: 301, to: '@blog/archive.html' },
    { kind: 'missing', path: '/2023/lost-post.html', status: 404 },
  ],
};

function postPage([path, title, date, text]: Post, at: number): DemoPage {
  const older = POSTS[at + 1];
  const on =
    older === undefined
      ? `This was the first one. It answered a ${link('blog', '/2023/lost-post.html', 'lost post')}.`
      : `Before this: ${link('blog', older[0], older[1])}.`;
  const book = `Write into the ${link('blog', '/guestbook.html', 'guest book')}, or follow the ${link('blog', '/feed-old', 'old feed')}.`;
  return document(path, title, paragraphs(`<time>${date}</time>`, text, `${on} ${book}`));
}
