import { type DemoPage, type DemoSite, document, enumerate, link, list, paragraphs, picture } from './demo-site.ts';
import { FAMILIES, type Family, familyPath } from './families.ts';
import { type Habitat, type Species, speciesPath, type WebKind } from './species.ts';
import { SPECIES } from './species-list.ts';

const WEBS: Record<WebKind, string> = {
  orb: `It spins an ${link('silk', '/webs/orb.html', 'orb web')}, a wheel of dry spokes and a sticky spiral.`,
  sheet: `It spins a ${link('silk', '/webs/sheet.html', 'sheet')} and hangs below it.`,
  funnel: `It lives in a ${link('silk', '/webs/funnel.html', 'funnel')} at the edge of a dense sheet.`,
  tangle: `It builds a ${link('silk', '/webs/tangle.html', 'tangle')} of threads in all directions.`,
  'cast-net': `It makes a ${link('silk', '/webs/net.html', 'small net')} and throws it.`,
  line: `It needs no more than ${link('silk', '/webs/net.html', 'one line')} with a drop of glue.`,
  burrow: `It lines a burrow with ${link('silk', '/dragline.html', 'silk')} and waits at the entrance.`,
  bell: `Its web is a ${link('silk', '/webs/bell.html', 'bell')} full of air.`,
  none: `It hunts without a web, but always leaves a ${link('silk', '/dragline.html', 'safety line')} behind.`,
};

const HABITATS: Record<Habitat, string> = {
  gardens: 'gardens and hedges',
  meadows: 'meadows and tall grass',
  water: 'the banks of ponds and rivers',
  woods: 'woods',
  houses: 'houses, sheds and walls',
  caves: 'caves and tunnels',
  'warm-lands': 'warm lands',
};

const FAVOURITES = new Set(['Wasp spider', 'Darwin’s bark spider', 'Peacock spider', 'Diving bell spider']);

/** The encyclopaedia: one page per species and family. */
export const SPIDERS_SITE: DemoSite = {
  host: 'spiders',
  title: 'The Spider Encyclopaedia',
  motto: 'Eight legs, one page each',
  navigation: [
    ['/', 'Home'],
    ['/species/', 'Species'],
    ['/families/', 'Families'],
    ['/anatomy/', 'Anatomy'],
    ['/about.html', 'About'],
  ],
  robots: [{ agents: ['*'], rules: [{ allow: false, pattern: '/editors/' }], crawlDelaySeconds: 0.1 }],
  pages: [
    home(),
    document('/species/', 'All species', list(SPECIES.map((species) => `${named(species)}, <i>${species.latin}</i>`))),
    ...SPECIES.map((species, at) => speciesPage(species, SPECIES[(at + 1) % SPECIES.length])),
    document('/families/', 'All families', list(FAMILIES.map((f) => `${familyLink(f)} (${f.latin})`))),
    ...FAMILIES.map(familyPage),
    ...anatomy(),
    about(),
    document(
      '/editors/queue.html',
      'Waiting for review',
      paragraphs('Drafts for the editors. Robots are asked to stay out.'),
    ),
    document(
      '/editors/style.html',
      'Style guide',
      paragraphs('Say what the animal does before you say what it is called.'),
    ),
    { kind: 'copy', path: '/featured.html', of: speciesPath(SPECIES[0]) },
    { kind: 'redirect', path: '/species/garden-spider', status: 301, to: `@spiders${speciesPath(SPECIES[0])}` },
    { kind: 'redirect', path: '/webs', status: 302, to: '@silk/webs/' },
    { kind: 'missing', path: '/species/opiliones.html', status: 404 },
    { kind: 'missing', path: '/checklist-2009.html', status: 410 },
  ],
};

function named(species: Species): string {
  return link('spiders', speciesPath(species), species.name);
}

function familyLink(family: Family): string {
  return link('spiders', familyPath(family.latin), family.name);
}

function home(): DemoPage {
  const favourites = SPECIES.filter((species) => FAVOURITES.has(species.name)).map(mentioned);
  return document(
    '/',
    'The Spider Encyclopaedia',
    paragraphs(
      `Spiders have been spinning for some three hundred million years. This encyclopaedia tells of ${SPECIES.length} of them, from the ${link('spiders', '/species/garden-spider', 'garden spider')} at your window to the diving bell under the ice.`,
      `Readers often begin with ${enumerate(favourites)}. The page of the month is ${link('spiders', '/featured.html', 'here')}.`,
      `How webs are built is told at ${link('silk', '/', 'The Silk Pages')}, where to look for them in ${link('fieldguide', '/', 'The Field Guide')}, and what people made of them in ${link('museum', '/', 'The Museum of Webs')}.`,
    ) + picture('wheel', 'An orb web with dew'),
  );
}

function speciesPage(species: Species, next: Species): DemoPage {
  const family = FAMILIES.find((candidate) => candidate.latin === species.family);
  const relatives = SPECIES.filter((other) => other.family === species.family && other !== species).slice(0, 3);
  const belongs =
    family === undefined
      ? ''
      : ` and belongs to the ${link('spiders', familyPath(family.latin), family.name.toLowerCase())}`;
  const kin =
    relatives.length === 0
      ? 'It is the only one of its family in this book.'
      : `Close to it in this book: ${enumerate(relatives.map(mentioned))}.`;
  return document(
    speciesPath(species),
    species.name,
    picture(species.web, `${species.name}, female`) +
      paragraphs(
        `${capital(inSentence(species))}, <i>${species.latin}</i>, is found in ${species.range}${belongs}. ${species.looks} The body of the female measures ${species.millimetres} millimetres.`,
        `${WEBS[species.web]} ${species.story}`,
        `Look for it in ${link('fieldguide', `/habitats/${species.habitat}.html`, HABITATS[species.habitat])}. ${kin} The next page is about ${mentioned(next)}.`,
      ),
  );
}

/** "the wasp spider", but "Darwin’s bark spider": names of persons take no article, names of places keep their capital. */
function inSentence(species: Species): string {
  const { name } = species;
  if (/^(Darwin|Bagheera)/.test(name)) return name;
  return `the ${/^(European|Sydney|Goliath)/.test(name) ? name : name[0].toLowerCase() + name.slice(1)}`;
}

function mentioned(species: Species): string {
  return link('spiders', speciesPath(species), inSentence(species));
}

function capital(text: string): string {
  return text[0].toUpperCase() + text.slice(1);
}

function familyPage(family: Family): DemoPage {
  const members = SPECIES.filter((species) => species.family === family.latin);
  return document(
    familyPath(family.latin),
    `${family.name} (${family.latin})`,
    paragraphs(family.about, `In this book:`) +
      list(members.map((species) => `${named(species)}, ${species.millimetres} mm`)) +
      paragraphs(`Back to ${link('spiders', '/families/', 'all families')}.`),
  );
}

function anatomy(): DemoPage[] {
  const parts: readonly (readonly [string, string, string])[] = [
    [
      'eyes',
      'Eyes',
      `Most spiders have eight eyes, and most see little with them. The great exceptions are the ${link('spiders', '/families/salticidae.html', 'jumping spiders')}, whose two main eyes work like small telescopes, and the ${link('spiders', '/families/deinopidae.html', 'net-casters')}, who hunt by starlight.`,
    ],
    [
      'spinnerets',
      'Spinnerets',
      `At the end of the abdomen sit up to four pairs of spinnerets. Hundreds of tiny spigots open on them, each fed by one of the ${link('silk', '/glands.html', 'silk glands')}. Out of the body comes a liquid; pulled, it becomes a thread.`,
    ],
    [
      'fangs',
      'Fangs and venom',
      `The fangs fold like pocket knives in most spiders, and strike downwards like a pickaxe in ${link('spiders', '/families/theraphosidae.html', 'tarantulas')}. Nearly all spiders have venom; very few have any that matters to people.`,
    ],
    [
      'legs',
      'Legs and hairs',
      'A spider stretches its legs by pressure: there are muscles to bend them, but at two joints none to straighten them. Fine hairs on the legs feel the air move when a fly beats its wings nearby.',
    ],
  ];
  return [
    document(
      '/anatomy/',
      'Anatomy of a spider',
      list(parts.map(([path, title]) => link('spiders', `/anatomy/${path}.html`, title))),
    ),
    ...parts.map(([path, title, text]) => document(`/anatomy/${path}.html`, title, paragraphs(text))),
  ];
}

function about(): DemoPage {
  return document(
    '/about.html',
    'About this encyclopaedia',
    paragraphs(
      `It is written by people who carry spiders outdoors in a glass. Harvestmen are ${link('spiders', '/species/opiliones.html', 'another story')}, and the old ${link('spiders', '/checklist-2009.html', 'checklist of 2009')} has been withdrawn.`,
      `Editors find their ${link('spiders', '/editors/queue.html', 'queue')} and the ${link('spiders', '/editors/style.html', 'style guide')} in the usual place. All about ${link('spiders', '/webs', 'webs')} has moved to the Silk Pages.`,
    ),
  );
}
