import { areAlike, hexOf, TRANSPARENT, UNKNOWN_COLOUR } from './colour.ts';
import type { Away, Hiding } from './hidden-texts.ts';
import { type Looks, OUT_OF_WINDOW, READABLE_PIXELS } from './looks.ts';

/** Whether and how the text of an element is seen; children begin with that of their parent. */
export interface Sight {
  readonly colour: number;
  readonly background: number;
  readonly fontPixels: number;
  readonly visible: boolean;
  /** Out of sight whatever the elements inside say. */
  readonly away?: Away;
  /** In all: what the text in here is. */
  readonly hidden?: Away;
  /** Menus, forms and the like: hidden in every honest page until they are needed. */
  readonly excused: boolean;
}

/** What is told of the whole page. */
export interface PageSight {
  /** Rules that are not here may say anything of any element. */
  readonly sheetsElsewhere: boolean;
}

export const firstSight: Sight = {
  // Black by the standard; but letters whose colour nobody has set take part in no trick.
  colour: UNKNOWN_COLOUR,
  background: 0xffffff,
  fontPixels: 16,
  visible: true,
  excused: false,
};

/** The sight of an element with these looks inside an element with that sight. */
export function visibilityOf(parent: Sight, looks: Looks, page: PageSight, isRoot: boolean): Sight {
  const background =
    looks.background === undefined || looks.background === TRANSPARENT ? parent.background : looks.background;
  const colour = looks.colour ?? parent.colour;
  const fontPixels = looks.fontPixels ?? parent.fontPixels * (looks.fontScale ?? 1);
  const visible = looks.visible ?? parent.visible;
  // Pages hide themselves as a whole until their scripts are ready.
  const away = isRoot ? undefined : stronger(parent.away, awayBy(looks));
  const seen = { colour, background, fontPixels, visible, away, excused: parent.excused };
  if (isRoot) return seen;
  let hidden = away;
  if (!visible) hidden = stronger(hidden, { hiding: 'folded', how: 'visibility: hidden', labels: true });
  hidden = stronger(hidden, byFont(parent, fontPixels));
  hidden = stronger(hidden, byColour(looks, colour, background, page));
  // The same reason as outside is the same piece of text.
  if (hidden !== undefined && hidden.how === parent.hidden?.how) hidden = parent.hidden;
  return { ...seen, hidden };
}

function awayBy(looks: Looks): Away | undefined {
  if (looks.indent !== undefined && looks.indent <= OUT_OF_WINDOW)
    return { hiding: 'covert', how: `text-indent: ${Math.round(looks.indent)}px`, labels: true };
  if (looks.moved !== undefined && looks.moved <= OUT_OF_WINDOW && looks.positioned !== false)
    return { hiding: 'aside', how: `${Math.round(-looks.moved)}px out of the window`, labels: true };
  if (looks.shifted !== undefined && looks.shifted <= 2 * OUT_OF_WINDOW)
    return { hiding: 'aside', how: `${Math.round(-looks.shifted)}px out of the window`, labels: true };
  if (looks.shown === false) return { hiding: 'folded', how: 'display: none', labels: true };
  if (looks.clipped === true) return { hiding: 'aside', how: 'clipped away', labels: true };
  if (looks.opacity !== undefined && looks.opacity <= 0.05)
    return { hiding: 'faded', how: `opacity: ${looks.opacity}`, labels: true };
  if (looks.extent !== undefined && looks.extent <= 2 && looks.overflowHidden === true)
    return { hiding: looks.extent > 0 ? 'aside' : 'faded', how: `a box of ${looks.extent}px`, labels: true };
  return undefined;
}

function byFont(parent: Sight, fontPixels: number): Away | undefined {
  if (fontPixels >= READABLE_PIXELS) return undefined;
  // Letters of no size close the gaps between boxes, which then set their own.
  const inherited = fontPixels === 0 && parent.fontPixels === 0;
  return {
    hiding: inherited ? 'folded' : 'covert',
    how: `font-size: ${Math.round(10 * fontPixels) / 10}px`,
    labels: false,
  };
}

function byColour(looks: Looks, colour: number, background: number, page: PageSight): Away | undefined {
  if (colour === TRANSPARENT)
    return looks.letteredBackground || background === UNKNOWN_COLOUR
      ? undefined
      : { hiding: 'covert', how: 'transparent', labels: false };
  if (!areAlike(colour, background)) return undefined;
  // Letters whose colour was set outside of their ground get another one in there, by a rule that is not understood.
  if (looks.colour === undefined && looks.background !== undefined) return undefined;
  const how = `colour ${hexOf(colour)} on ${hexOf(background)}`;
  const own = looks.colour !== undefined && looks.background !== undefined && looks.background >= 0;
  if (own || !page.sheetsElsewhere) return { hiding: 'covert', how, labels: false };
  // Somewhere between the ground and the text a rule that we do not see may set another ground.
  return { hiding: 'faded', how, labels: true };
}

const STRENGTH: Readonly<Record<Hiding, number>> = { folded: 1, faded: 2, aside: 3, covert: 4 };

function stronger(a: Away | undefined, b: Away | undefined): Away | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  return STRENGTH[b.hiding] > STRENGTH[a.hiding] ? b : a;
}
