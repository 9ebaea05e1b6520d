import { KnownNames } from './known-names.ts';

/** Its attributes are wanted. */
export const ATTRIBUTES = 1;
/** Its start or end tag means something to the page reader. */
export const READ = 2;
/** Starts and ends a block of text. */
export const BLOCK = 4;
/** Has no end tag. */
export const VOID = 8;
/** Its content is no markup. */
export const RAW_TEXT = 16;
/** Ends foreign content (SVG, MathML) wherever it stands. */
export const BREAKOUT = 32;
/** Part of a table: ends what was left open in a cell. */
export const TABLE_PART = 64;

/** Common in SVG or MathML and unknown to HTML. */
export const FOREIGN = 128;

/** What every tag has besides, even one that is not known. */
export const ANY_TAG = 256;

const ELEMENTS: readonly (readonly [traits: number, names: string])[] = [
  [
    ATTRIBUTES | READ,
    'a area audio base embed form frame html iframe image img link meta object script source svg track video',
  ],
  [ATTRIBUTES, 'annotation-xml font'],
  [READ, 'frameset math noscript template title br'],
  [RAW_TEXT | READ, 'iframe noembed noframes plaintext script style textarea title xmp'],
  [
    BLOCK,
    'address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure ' +
      'footer form frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main menu nav ol optgroup ' +
      'option p plaintext pre search section select summary table tbody textarea tfoot thead tr ul xmp',
  ],
  [VOID, 'area base basefont bgsound br col embed frame hr image img input keygen link meta param source track wbr'],
  [
    BREAKOUT,
    'b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li listing menu meta nobr ' +
      'ol p pre ruby s small span strong strike sub sup table tt u ul var',
  ],
  [
    FOREIGN,
    'circle clippath defs desc ellipse feblend filter foreignobject g line lineargradient mask metadata path pattern polygon ' +
      'polyline rect stop symbol text tspan use mfrac mglyph malignmark mi mn mo mover mrow ms msqrt mstyle msub msup mtext',
  ],
  [TABLE_PART, 'caption table tbody td tfoot th thead tr'],
];

const traitsByName = new Map<string, number>();
for (const [traits, names] of ELEMENTS)
  for (const name of names.split(' ')) traitsByName.set(name, (traitsByName.get(name) ?? 0) | traits);

/** Every element with a trait; all others are alike. */
export const elementNames = new KnownNames([...traitsByName.keys()]);

/** Levels of headings by the number of the name; 0 for all that is no heading. */
export const headingLevels: Uint8Array = Uint8Array.from({ length: elementNames.size }, (_, number) => {
  const match = /^h([1-6])$/.exec(elementNames.name(number));
  return match === null ? 0 : Number(match[1]);
});

/** Traits by the number of the name; 0 for names that are not known. */
export const elementTraits: Uint8Array = Uint8Array.from([0, ...traitsByName.values()]);
