import { type DemoSite, document, link, list, paragraphs, picture } from './demo-site.ts';

const GARDEN_SPIDER = link('spiders', '/species/araneus-diadematus.html', 'garden spider');
const STEPS: readonly (readonly [title: string, text: string])[] = [
  [
    'The bridge',
    `A wheel begins with a wish and a breeze. The ${GARDEN_SPIDER} lets out a thread and waits until it catches somewhere. Then she walks over, pulling a better line behind her.`,
  ],
  [
    'The first Y',
    'From the middle of a slack second line she drops, fastens the thread below and has made a Y. Its fork will be the hub of the web, and its three arms are the first spokes.',
  ],
  [
    'Frame and spokes',
    'Now come the frame and one spoke after the other, twenty or thirty in all. She sets them so that the pull on all sides stays even, and checks the angles with her legs.',
  ],
  [
    'The scaffold',
    'A wide spiral of dry silk, laid from the inside outwards, holds the spokes in place. She will need it for a quarter of an hour only.',
  ],
  [
    'The sticky spiral',
    'Going inwards she lays the spiral that catches, thread by thread, and takes down the scaffold as she goes. The distance of two turns is measured with one leg.',
  ],
  [
    'The wait',
    'At last she bites out the middle, mends it with a few threads and sits down, head first, one foot on every spoke. The whole work has taken less than an hour.',
  ],
];

/** How silk is made and webs are built. */
export const SILK_SITE: DemoSite = {
  host: 'silk',
  title: 'The Silk Pages',
  motto: 'Everything hangs by a thread',
  navigation: [
    ['/', 'Home'],
    ['/glands.html', 'Glands'],
    ['/webs/', 'Webs'],
    ['/building/1.html', 'Building an orb'],
  ],
  robots: [
    {
      agents: ['*'],
      rules: [
        { allow: false, pattern: '/lab/' },
        { allow: true, pattern: '/lab/open-day.html' },
      ],
      crawlDelaySeconds: 0.1,
    },
  ],
  pages: [
    document(
      '/',
      'The Silk Pages',
      paragraphs(
        `A thread of spider silk is thinner than a hair, and weight for weight it takes more energy to break than steel. Spiders make up to seven kinds of it: see ${link('silk', '/glands.html', 'the glands')}.`,
        `Watch how ${link('silk', '/building/1.html', 'an orb web is built')}, step by step, or compare ${link('silk', '/orb', 'the orb')} with ${link('silk', '/webs/', 'all other webs')}. Why do spiders not stick to their own web? ${link('silk', '/questions.html', 'Questions and answers')}.`,
        `The laboratory keeps its ${link('silk', '/lab/measurements.html', 'measurements')} to itself, but invites everybody to the ${link('silk', '/lab/open-day.html', 'open day')}.`,
      ) + picture('thread', 'Threads under the microscope'),
    ),
    document(
      '/glands.html',
      'Seven glands, seven silks',
      list([
        `Major ampullate: ${link('silk', '/dragline.html', 'dragline')} and frame`,
        'Minor ampullate: the scaffold of the orb',
        `Flagelliform: the ${link('silk', '/spiral.html', 'core of the sticky spiral')}`,
        'Aggregate: the glue on it',
        `Aciniform: ${link('silk', '/wrapping.html', 'wrapping of prey')}`,
        `Tubuliform: the ${link('silk', '/egg-sacs.html', 'egg sac')}`,
        'Piriform: the cement that fastens a thread to the wall',
      ]),
    ),
    document(
      '/dragline.html',
      'Dragline',
      paragraphs(
        `Wherever a spider goes, it pays out a line. If it falls, the line holds; the ${link('spiders', '/families/salticidae.html', 'jumping spiders')} even brake with it in mid-leap. The toughest dragline known is that of ${link('spiders', '/species/caerostris-darwini.html', 'Darwin’s bark spider')}.`,
      ),
    ),
    document(
      '/spiral.html',
      'The sticky spiral',
      paragraphs(
        `The capture thread stretches to three times its length and more, and so it does not throw a fly back like a trampoline. Droplets of glue sit on it like pearls; inside each, spare thread is wound up and ready to give. The ${link('spiders', '/families/uloboridae.html', 'hackled orb-weavers')} do without any glue.`,
      ),
    ),
    document(
      '/wrapping.html',
      'Wrapping',
      paragraphs(
        `A swathe of fine threads from a hundred spigots at once turns a struggling grasshopper into a parcel within seconds. ${link('spiders', '/species/uloborus-plumipes.html', 'One spider')} that has no venom wraps for more than an hour.`,
      ),
    ),
    document(
      '/egg-sacs.html',
      'Egg sacs',
      paragraphs(
        `Egg sacs keep out frost, mould and wasps. Some are papery balloons, like that of the ${link('spiders', '/species/argiope-bruennichi.html', 'wasp spider')}; that of the ${link('spiders', '/species/meta-menardi.html', 'cave spider')} hangs from a stalk like a lamp.`,
      ),
    ),
    document(
      '/ballooning.html',
      'Flying on a thread',
      paragraphs(
        `Young spiders, and grown ${link('spiders', '/species/erigone-atra.html', 'money spiders')}, climb to a high point, stand on tiptoe and let threads rise into the air. Wind carries them, and so does the electric field of the atmosphere. Darwin met them on the Beagle, a hundred kilometres from land; more about that ${link('blog', '/2024/spiders-at-sea.html', 'in the blog')}.`,
      ),
    ),
    document(
      '/questions.html',
      'Questions and answers',
      paragraphs(
        `<b>Why does a spider not stick to its web?</b> It walks on the dry spokes, touches the glue with the tips of its claws only, and an oily coat on its feet helps.`,
        `<b>How old are webs?</b> Silk is preserved in amber more than a hundred million years old. See ${link('museum', '/exhibits/amber.html', 'the piece in the museum')}.`,
        `<b>Can silk be farmed?</b> Spiders eat each other, so people have tried goats, bacteria and silkworms instead. A cape made from a million golden spiders hangs ${link('museum', '/exhibits/golden-cape.html', 'in the museum')}.`,
        `<b>And how do small spiders travel?</b> ${link('silk', '/ballooning.html', 'By air')}.`,
      ),
    ),
    document(
      '/webs/',
      'Kinds of webs',
      list([
        link('silk', '/webs/orb.html', 'Orb'),
        link('silk', '/webs/sheet.html', 'Sheet'),
        link('silk', '/webs/funnel.html', 'Funnel'),
        link('silk', '/webs/tangle.html', 'Tangle'),
        link('silk', '/webs/net.html', 'Net and line'),
        link('silk', '/webs/bell.html', 'Bell'),
      ]),
    ),
    document(
      '/webs/orb.html',
      'The orb',
      paragraphs(
        `Spokes, frame and spiral: the greatest area with the least silk. The ${link('spiders', '/families/araneidae.html', 'orb-weavers')} have made it famous. ${link('silk', '/building/1.html', 'See one being built.')}`,
      ),
    ),
    document(
      '/webs/sheet.html',
      'The sheet',
      paragraphs(
        `A hammock with trip lines above it. The ${link('spiders', '/families/linyphiidae.html', 'sheet weavers')} hang below and bite through the cloth.`,
      ),
    ),
    document(
      '/webs/funnel.html',
      'The funnel',
      paragraphs(
        `A carpet to run on and a tube to vanish in: so live the ${link('spiders', '/families/agelenidae.html', 'funnel weavers')}.`,
      ),
    ),
    document(
      '/webs/tangle.html',
      'The tangle',
      paragraphs(
        `It looks like disorder and is a trap for walkers. Its lowest threads have ${link('silk', '/spiral.html', 'glue')} at the foot. Made by ${link('spiders', '/families/theridiidae.html', 'comb-footed spiders')}.`,
      ),
    ),
    document(
      '/webs/net.html',
      'Net and line',
      paragraphs(
        `Some carry their web with them: the ${link('spiders', '/species/deinopis-subrufa.html', 'net-caster')} a woolly net, the ${link('spiders', '/species/mastophora-hutchinsoni.html', 'bolas spider')} a ball of glue on a string.`,
      ),
    ),
    document(
      '/webs/bell.html',
      'The bell',
      paragraphs(
        `The ${link('spiders', '/species/argyroneta-aquatica.html', 'diving bell spider')} fastens a sheet between water plants and fills it from below, bubble by bubble.`,
      ),
    ),
    ...STEPS.map(([title, text], at) => {
      const next =
        at + 1 < STEPS.length
          ? `Next: ${link('silk', `/building/${at + 2}.html`, STEPS[at + 1][0])}.`
          : `Back to ${link('silk', '/webs/orb.html', 'the orb')}.`;
      return document(`/building/${at + 1}.html`, `Building an orb, ${at + 1}: ${title}`, paragraphs(text, next));
    }),
    document('/lab/measurements.html', 'Measurements', paragraphs('Raw figures, not for robots.')),
    document(
      '/lab/open-day.html',
      'Open day',
      paragraphs(
        `Once a year everybody may pull a thread. Bring the children; the ${link('museum', '/visit.html', 'museum')} is open as well.`,
      ),
    ),
    { kind: 'redirect', path: '/orb', status: 301, to: '@silk/webs/orb.html' },
  ],
};
