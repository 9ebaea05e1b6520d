import { type DemoSite, document, link, list, paragraphs, picture } from './demo-site.ts';
import { type Habitat, isAbout, type Species, speciesPath } from './species.ts';
import { SPECIES } from './species-list.ts';

const MONTHS: readonly (readonly [name: string, text: string])[] = [
  ['January', 'The year begins indoors. Cellars and caves keep the same weather all winter, and so do their tenants.'],
  ['February', 'On mild days the first wolf spiders sun themselves on dead leaves. Stay still and count them.'],
  ['March', 'Look under loose bark: many a sac of silk opens now, and a thin jumper steps out into the light.'],
  ['April', 'South-facing walls are the theatre of the month. The stalls are free.'],
  ['May', 'Egg sacs are carried about in the grass, and every second flower has a guest who does not pollinate.'],
  ['June', 'Evenings on the bank belong to the long-jawed. Take a torch and hold it at the height of your eyes.'],
  ['July', 'In the tall grass the great wheels appear, low above the ground, where the grasshoppers jump.'],
  ['August', 'Wasp spiders are full-grown. Walk with the sun in front of you and the webs will light up.'],
  [
    'September',
    'The month of the garden spider and of the great runners on the carpet. Fog is your friend in the morning.',
  ],
  ['October', 'Threads drift through the air, whole fields shine: the small ones are moving house.'],
  ['November', 'Most wheels are gone. What is left hangs where it is warm: at lamps, in greenhouses, behind shutters.'],
  ['December', 'Time to sort notes, and to leave the stems in the garden standing. Somebody sleeps in them.'],
];

const HABITATS: Record<Habitat, readonly [title: string, text: string]> = {
  gardens: [
    'Gardens and hedges',
    'Begin at the compost, end at the lamp by the door. A hedge that is not too tidy holds a wheel every metre.',
  ],
  meadows: [
    'Meadows and tall grass',
    'Kneel down. The webs are lower than you think, and the best are where nobody mows before September.',
  ],
  water: ['By the water', 'Reeds, jetties and bridges. Most builders here work at dusk, when the midges rise.'],
  woods: ['Woods', 'Look between the lower twigs of spruces, against the light.'],
  houses: [
    'Houses and walls',
    'You need no boots for this chapter. Corners, window frames, the cellar: each has its own tenant.',
  ],
  caves: ['Caves and tunnels', 'Wear a helmet, ask the owner, and leave in winter: bats sleep there too.'],
  'warm-lands': ['Warm lands', 'For the traveller. Look, take pictures, and shake out your shoes.'],
};

/** Where and when to look. */
export const FIELD_GUIDE_SITE: DemoSite = {
  host: 'fieldguide',
  title: 'The Field Guide',
  motto: 'Look twice, collect nothing',
  navigation: [
    ['/', 'Home'],
    ['/months/', 'Months'],
    ['/habitats/', 'Habitats'],
    ['/kit.html', 'Kit'],
  ],
  robots: [{ agents: ['*'], rules: [{ allow: false, pattern: '/finds/private/' }], crawlDelaySeconds: 0.1 }],
  pages: [
    document(
      '/',
      'The Field Guide',
      paragraphs(
        `What is about just now? Open ${link('fieldguide', '/months/', 'the month')}. Where are you? Open ${link('fieldguide', '/habitats/', 'the place')}. Then compare with ${link('spiders', '/species/', 'the encyclopaedia')}.`,
        `Beginners read ${link('fieldguide', '/first-walk.html', 'the first walk')}; finds are ${link('fieldguide', '/finds/', 'recorded here')}.`,
      ) + picture('boots', 'Boots, lens and notebook'),
    ),
    document('/months/', 'The year', list(MONTHS.map(([name]) => link('fieldguide', monthPath(name), name)))),
    ...MONTHS.map(([name, text], at) => {
      const about = SPECIES.filter((species) => isAbout(species, at + 1) && species.habitat !== 'warm-lands');
      const next = MONTHS[(at + 1) % MONTHS.length][0];
      return document(
        monthPath(name),
        name,
        paragraphs(text, 'About in this month:') +
          list(about.map(entry)) +
          paragraphs(`Then comes ${link('fieldguide', monthPath(next), next)}.`),
      );
    }),
    document(
      '/habitats/',
      'Places to look',
      list(Object.entries(HABITATS).map(([path, [title]]) => link('fieldguide', `/habitats/${path}.html`, title))),
    ),
    ...Object.entries(HABITATS).map(([path, [title, text]]) =>
      document(
        `/habitats/${path}.html`,
        title,
        paragraphs(text) + list(SPECIES.filter((species) => species.habitat === path).map(entry)),
      ),
    ),
    document(
      '/kit.html',
      'Kit',
      paragraphs(
        `A lens, a torch, a notebook, a glass with a lid, and time. Nets are for ${link('spiders', '/species/deinopis-subrufa.html', 'others')}. Longer list: ${link('fieldguide', '/kit-full.html', 'the full kit')}.`,
      ),
    ),
    document(
      '/first-walk.html',
      'The first walk',
      paragraphs(
        `Go out at dawn after a clear night in ${link('fieldguide', monthPath('September'), 'September')}. Walk towards the sun. Stop at the first thing that glitters and stay for ten minutes. You will see ${link('silk', '/building/5.html', 'the spiral')} being laid, or the breakfast. The museum’s ${link('museum', '/exhibits/skylab.html', 'famous weaver')} was of the same kind.`,
      ),
    ),
    document(
      '/finds/',
      'Finds',
      paragraphs(
        `The latest: a ${link('spiders', '/species/argiope-bruennichi.html', 'wasp spider')} at the railway bank, a ${link('spiders', '/species/dolomedes-plantarius.html', 'raft spider')} at a place that we ${link('fieldguide', '/finds/private/fen.html', 'do not tell')}. Sponsored: ${link('museum', '/shop/kit.html', 'an orb kit', 'nofollow')}.`,
      ),
    ),
    document('/finds/private/fen.html', 'The fen', paragraphs('Exact places of rare animals are not for the web.')),
    { kind: 'missing', path: '/kit-full.html', status: 404 },
  ],
};

function monthPath(name: string): string {
  return `/months/${name.toLowerCase()}.html`;
}

function entry(species: Species): string {
  return `${link('spiders', speciesPath(species), species.name)}, ${species.millimetres} mm`;
}
