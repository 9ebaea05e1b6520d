export interface Family {
  readonly latin: string;
  readonly name: string;
  readonly about: string;
}

/** The families that the species of the encyclopaedia belong to. */
export const FAMILIES: readonly Family[] = [
  {
    latin: 'Araneidae',
    name: 'Orb-weavers',
    about:
      'They are the builders of the classic wheel. More than three thousand species are known, from the thumbnail-sized to the golden giants of the tropics, and most of them hang head down in the middle of their web.',
  },
  {
    latin: 'Tetragnathidae',
    name: 'Long-jawed orb-weavers',
    about:
      'Slender spiders that like damp places. Their wheels have an open hub and often lean or lie flat over the water.',
  },
  {
    latin: 'Uloboridae',
    name: 'Hackled orb-weavers',
    about:
      'They spin orbs without a drop of glue: their capture threads are combed into a wool that clings by itself. They are also among the few spiders without venom.',
  },
  {
    latin: 'Theridiidae',
    name: 'Comb-footed spiders',
    about:
      'They build tangles with sticky feet and throw silk over their prey with a comb on the last pair of legs. Widows belong here, and so does the common cobweb in the corner.',
  },
  {
    latin: 'Agelenidae',
    name: 'Funnel weavers',
    about: 'They live in a tube at the edge of a dense sheet and run out over it at great speed.',
  },
  {
    latin: 'Linyphiidae',
    name: 'Sheet weavers',
    about: 'The largest family of spiders in the cool north. Most are tiny, and most can fly on a thread.',
  },
  {
    latin: 'Salticidae',
    name: 'Jumping spiders',
    about:
      'With more than six thousand species they are the largest family of all. They see sharply and in colour and hunt by leaping.',
  },
  {
    latin: 'Lycosidae',
    name: 'Wolf spiders',
    about: 'Runners of the open ground that carry their eggs and young about with them.',
  },
  {
    latin: 'Pisauridae',
    name: 'Nursery web spiders',
    about: 'Large hunters whose mothers carry the egg sac in their jaws and build a tent for the young.',
  },
  {
    latin: 'Thomisidae',
    name: 'Crab spiders',
    about: 'They wait with open arms on flowers and bark and can walk sideways like a crab.',
  },
  {
    latin: 'Sparassidae',
    name: 'Huntsman spiders',
    about: 'Flat and fast, with legs that twist forward, they live on trunks, rocks and sometimes behind curtains.',
  },
  {
    latin: 'Dictynidae',
    name: 'Mesh weavers',
    about: 'Mostly small builders of ragged meshes; one of them has gone to live under water.',
  },
  {
    latin: 'Theraphosidae',
    name: 'Tarantulas',
    about: 'The large and hairy spiders of warm lands. Females may live for twenty years and more.',
  },
  {
    latin: 'Atracidae',
    name: 'Australian funnel-web spiders',
    about: 'Stout dwellers of burrows in eastern Australia, with the strongest venom of all spiders.',
  },
  {
    latin: 'Pholcidae',
    name: 'Cellar spiders',
    about: 'Long-legged hangers in loose webs, at home in caves and cellars.',
  },
  {
    latin: 'Scytodidae',
    name: 'Spitting spiders',
    about: 'Slow walkers with a domed head, which holds the glands for their glue.',
  },
  {
    latin: 'Deinopidae',
    name: 'Net-casting spiders',
    about: 'Stick-like hunters of the night that stretch a net between their legs.',
  },
  { latin: 'Dysderidae', name: 'Woodlouse hunters', about: 'Six-eyed hunters under stones and logs.' },
];

export function familyPath(latin: string): string {
  return `/families/${latin.toLowerCase()}.html`;
}
