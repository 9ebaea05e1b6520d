import { type DemoSite, document, link, list, paragraphs, picture } from './demo-site.ts';

type Exhibit = readonly [path: string, title: string, room: string, text: string];

const ROOMS: readonly (readonly [path: string, title: string, about: string])[] = [
  ['deep-time', 'Deep time', 'Spiders before there were birds.'],
  ['myths', 'Myths and tales', 'Weavers, tricksters and a patient teacher of kings.'],
  ['craft', 'Craft', 'What people made of spider silk, and what they hoped to.'],
  ['science', 'Science', 'Webs as instruments: of physics, of medicine, of space flight.'],
];

const EXHIBITS: readonly Exhibit[] = [
  [
    'amber',
    'A thread in amber',
    'deep-time',
    `A hair-thin thread with droplets of glue, held in resin since the days of the dinosaurs. It shows that the ${link('silk', '/spiral.html', 'sticky spiral')} is old.`,
  ],
  [
    'first-spinnerets',
    'Before the spider',
    'deep-time',
    `A cast of an animal with spigots but without spinnerets: it could make silk, but hardly ${link('silk', '/webs/', 'webs')}.`,
  ],
  [
    'arachne',
    'Arachne',
    'myths',
    `The girl from Lydia who wove better than a goddess and was made to weave for ever. All spiders, the arachnids, have their name from her; our ${link('spiders', '/', 'encyclopaedia')} too owes her a line.`,
  ],
  [
    'anansi',
    'Anansi',
    'myths',
    'He bought all stories of the world from the sky god and paid with a python, a leopard and a nest of hornets. From Ghana he travelled to the Caribbean, and there he still outwits the strong.',
  ],
  [
    'bruce',
    'Bruce and the spider',
    'myths',
    `A beaten king in a cave watches a spider swing six times and fail, and succeed at the seventh. Which species it was the tale does not say; we suspect the ${link('spiders', '/species/meta-menardi.html', 'cave spider')}.`,
  ],
  [
    'golden-cape',
    'The golden cape',
    'craft',
    `Years of work, some eighty people and more than a million ${link('spiders', '/species/trichonephila-clavipes.html', 'golden orb-weavers')} of a Madagascan kind, all of them set free again.`,
  ],
  [
    'bon-gloves',
    'The gloves of Monsieur Bon',
    'craft',
    `In 1709 the president of the court of accounts at Montpellier had stockings and gloves knitted from ${link('silk', '/egg-sacs.html', 'egg sacs')}. The Academy admired them and did the sums: it was too dear.`,
  ],
  [
    'fishing-net',
    'A net from the South Seas',
    'craft',
    `Fishermen of the Solomon Islands use a lure of spider silk: the teeth of a garfish tangle in it, and no hook is needed.`,
  ],
  [
    'crosshairs',
    'Cross-hairs',
    'science',
    'Until the last century telescopes and gun sights had cross-hairs of spider thread, since nothing else was so thin and so even.',
  ],
  [
    'skylab',
    'Arabella’s second web',
    'science',
    `In 1973 a ${link('spiders', '/species/garden-spider', 'garden spider')} spun without weight. The first web was a muddle, the ${link('silk', '/building/1.html', 'next one')} almost perfect.`,
  ],
  [
    'caffeine',
    'Webs on coffee',
    'science',
    'Photographs of webs spun after a drop of sugar water with something in it. The one with caffeine is the worst.',
  ],
];

/** A museum of what people made of spiders. */
export const MUSEUM_SITE: DemoSite = {
  host: 'museum',
  title: 'The Museum of Webs',
  motto: 'Please do touch the ropes',
  navigation: [
    ['/', 'Home'],
    ['/rooms/', 'Rooms'],
    ['/visit.html', 'Your visit'],
    ['/shop/', 'Shop'],
  ],
  robots: [
    {
      agents: ['*'],
      rules: [
        { allow: false, pattern: '/staff/' },
        { allow: false, pattern: '/*?sort=' },
      ],
      crawlDelaySeconds: 0.1,
    },
  ],
  pages: [
    document(
      '/',
      'The Museum of Webs',
      paragraphs(
        `Four rooms under one roof, and a web in every window that we do not sweep away. Begin with ${link('museum', '/rooms/deep-time.html', 'deep time')} or go straight to ${link('museum', '/cape', 'the golden cape')}.`,
        `Opening hours are on ${link('museum', '/visit.html', 'this page')}. News is in ${link('blog', '/', 'the blog')}.`,
      ) + picture('entrance', 'The entrance, with its famous rope web'),
    ),
    document('/rooms/', 'Rooms', list(ROOMS.map(([path, title]) => link('museum', `/rooms/${path}.html`, title)))),
    ...ROOMS.map(([path, title, about]) =>
      document(
        `/rooms/${path}.html`,
        title,
        paragraphs(about) +
          list(
            EXHIBITS.filter((exhibit) => exhibit[2] === path).map(([page, name]) =>
              link('museum', `/exhibits/${page}.html`, name),
            ),
          ),
      ),
    ),
    ...EXHIBITS.map(([path, title, room, text], at) =>
      document(
        `/exhibits/${path}.html`,
        title,
        picture(path, title) +
          paragraphs(
            text,
            `You are in the room ${link('museum', `/rooms/${room}.html`, `“${room.replace('-', ' ')}”`)}. Next: ${link('museum', `/exhibits/${EXHIBITS[(at + 1) % EXHIBITS.length][0]}.html`, EXHIBITS[(at + 1) % EXHIBITS.length][1])}.`,
          ),
      ),
    ),
    document(
      '/visit.html',
      'Your visit',
      paragraphs(
        `Open every day but Monday. Children lead the way and grown-ups pay half. The ${link('museum', '/staff/rota.html', 'rota')} is for staff only; the ${link('museum', '/old-tickets.html', 'old ticket page')} is gone. Our ${link('museum', '/partners.html', 'partners')} are open too.`,
      ),
    ),
    document(
      '/shop/',
      'Shop',
      paragraphs(
        `Postcards, kites and a ${link('museum', '/shop/kit.html', 'kit to spin your own orb')}. Sorted ${link('museum', '/shop/?sort=price', 'by price')} or ${link('museum', '/shop/?sort=name', 'by name')}.`,
      ),
    ),
    document(
      '/shop/kit.html',
      'Orb kit',
      paragraphs(
        `Thirty spokes, one spiral, no glue. The instructions follow the ${link('silk', '/building/1.html', 'six steps')}.`,
      ),
    ),
    document('/shop/?sort=price', 'Shop, by price', paragraphs('The same things, cheapest first.')),
    document('/shop/?sort=name', 'Shop, by name', paragraphs('The same things, from A to Z.')),
    document(
      '/partners.html',
      'Partners',
      paragraphs(`Pages we know of but do not vouch for, such as ${link('blog', '/links.html', 'a list of links')}.`),
      'nofollow',
    ),
    document('/staff/rota.html', 'Rota', paragraphs('Who feeds the tarantula on Sunday?')),
    { kind: 'missing', path: '/old-tickets.html', status: 410 },
    { kind: 'redirect', path: '/cape', status: 302, to: '@museum/exhibits/golden-cape.html' },
  ],
};
