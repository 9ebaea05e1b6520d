/**
 * Looks at the page as it is shown, in our own world: which texts and links nobody can see, and what lies over the rest. By computed
 * styles and places, whichever sheet or script has set them. `read-page.js` marks the elements; what was found is judged elsewhere.
 */
globalThis.orbweaverSights = (() => {
  /** What readers of the page as it is written take for too small, too far off and too faint; see `extract/spam`. */
  const READABLE_PIXELS = 4;
  const OUT_OF_WINDOW = 400;
  const FAINT = 0.05;
  /** Colours whose parts are farther apart are never alike. */
  const HUE_DISTANCE = 48;
  /** Looking at a page is not to take longer than showing it. */
  const MOST_ELEMENTS = 20_000;
  const MOST_PIECES = 500;
  const LONGEST_TEXT = 3000;
  const MOST_LINKS = 50;
  /** Links with shorter texts are buttons. */
  const LONG_ANCHOR = 12;
  /** What holds more of the page's text is the page, wherever it is fixed. */
  const SHARE_OF_OVERLAY = 0.3;
  const SLACK = 2;
  const MOST_SLIDES = 100;
  const NO_TEXT = new Set('script style noscript template head title meta link svg math'.split(' '));
  /** Menus, forms and the like: hidden in every honest page until they are needed. */
  const EXCUSED = new Set('nav select button label menu form dialog table option'.split(' '));
  const PICTURES = new Set('img video canvas svg iframe object embed'.split(' '));
  const STRENGTH = { folded: 1, faded: 2, aside: 3, covert: 4 };

  /** Of elements that matter for the content: what their tags say in the copy. */
  const marks = new Map();

  /** Past what a page calls its fields: `<input name=childNodes>` would stand for the children of its form. */
  const reader = (type, name) => {
    const { get } = Object.getOwnPropertyDescriptor(type.prototype, name);
    return (node) => get.call(node);
  };
  const nodeTypeOf = reader(Node, 'nodeType');
  const childNodesOf = reader(Node, 'childNodes');
  const parentOf = reader(Node, 'parentElement');
  const slotOf = reader(Element, 'assignedSlot');
  const treeOf = (node) => Node.prototype.getRootNode.call(node);
  const shadowRootOf = reader(Element, 'shadowRoot');
  const localNameOf = reader(Element, 'localName');
  const attributesOf = reader(Element, 'attributes');
  const bodyOf = reader(Document, 'body');
  const rootOf = reader(Document, 'documentElement');

  /** Children as they are shown: shadow trees in the place of their hosts' children, slots with what was assigned to them. */
  const shownChildren = (element) => {
    const shadow = shadowRootOf(element);
    if (shadow) return childNodesOf(shadow);
    if (localNameOf(element) === 'slot' && treeOf(element) instanceof ShadowRoot) {
      const assigned = element.assignedNodes();
      if (assigned.length > 0) return assigned;
    }
    return childNodesOf(element);
  };
  const shownAbove = (element) => slotOf(element) ?? parentOf(element) ?? treeOf(element).host ?? null;
  const isAround = (outer, inner) => {
    for (let at = inner; at !== null; at = shownAbove(at)) if (at === outer) return true;
    return false;
  };

  const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
  const ownText = (element) => {
    let text = '';
    for (const child of childNodesOf(element)) if (child.nodeType === Node.TEXT_NODE) text += ` ${child.data}`;
    return oneLine(text);
  };

  /** Without what is excused, and without links: those count by where they lead. */
  const textIn = (element) => {
    const stack = [...shownChildren(element)].reverse();
    let text = '';
    while (stack.length > 0 && text.length < LONGEST_TEXT) {
      const node = stack.pop();
      if (nodeTypeOf(node) === Node.TEXT_NODE) text += ` ${node.data}`;
      if (nodeTypeOf(node) !== Node.ELEMENT_NODE) continue;
      const name = localNameOf(node);
      if (name === 'a' || EXCUSED.has(name) || NO_TEXT.has(name)) continue;
      for (const child of [...shownChildren(node)].reverse()) stack.push(child);
    }
    return oneLine(text);
  };

  const linksIn = (element) => {
    const around = element.closest('a[href]');
    const found = [];
    for (const link of around === null ? element.querySelectorAll('a[href]') : [around]) {
      if (found.length >= MOST_LINKS) break;
      if (link.host !== location.host && oneLine(link.textContent).length >= LONG_ANCHOR) found.push(link.href);
    }
    return found;
  };

  /** [red, green, blue, alpha] of a computed colour; undefined where it is written in another way. */
  const colourOf = (written) => {
    const parts = /^rgba?\(([^)]*)\)$/
      .exec(written)?.[1]
      .split(/[\s,/]+/)
      .map(Number);
    return parts === undefined || parts.length < 3 || parts.some(Number.isNaN) ? undefined : [...parts, 1].slice(0, 4);
  };
  const numberOf = ([red, green, blue]) => red * 65536 + green * 256 + blue;
  const isPainted = (style) => style.backgroundImage !== 'none' || colourOf(style.backgroundColor)?.[3] !== 0;

  /** Pages that ask for it lie on a dark canvas. */
  const hasDarkCanvas = () => {
    const { colorScheme } = getComputedStyle(rootOf(document));
    const meta = rootOf(document).querySelector('meta[name="color-scheme" i]')?.getAttribute('content') ?? '';
    const schemes = (colorScheme === 'normal' ? meta : colorScheme).toLowerCase();
    return /dark/.test(schemes) && (!/light/.test(schemes) || matchMedia('(prefers-color-scheme: dark)').matches);
  };

  /** The colour below the letters, and who has it; undefined where a picture, or something half transparent or from elsewhere, may lie there. */
  const groundOf = (element) => {
    const path = [];
    let ground = 'around';
    for (let at = element; at !== null && ground === 'around'; at = shownAbove(at)) {
      ground = grounds.has(at) ? grounds.get(at) : ownGround(at);
      path.push(at);
    }
    const canvas = () => (hasDarkCanvas() ? undefined : { colour: [255, 255, 255, 1], of: rootOf(document) });
    const found = ground === 'around' ? canvas() : ground;
    // However deep a page is nested, each element is asked once.
    for (const at of path) grounds.set(at, found);
    return found;
  };
  const grounds = new Map();
  const ownGround = (element) => {
    const style = getComputedStyle(element);
    const colour = colourOf(style.backgroundColor);
    if (colour === undefined || style.backgroundImage !== 'none') return undefined;
    if (style.mixBlendMode !== 'normal' || style.filter !== 'none') return undefined;
    if (colour[3] === 1) return { colour, of: element };
    return colour[3] > 0 || /absolute|fixed/.test(style.position) ? undefined : 'around';
  };

  /** Letters through which a ground of their own is seen, here or around. */
  const isCutOut = (element) => {
    for (let at = element; at !== null; at = shownAbove(at)) {
      const style = getComputedStyle(at);
      if (style.backgroundClip.includes('text')) return true;
      if (colourOf(style.webkitTextFillColor)?.[3] !== 0) return false;
    }
    return false;
  };

  /** How the letters of an element itself are hidden. Its children may have others. */
  const lettersHidden = (element, style) => {
    const size = Number.parseFloat(style.fontSize);
    if (size < READABLE_PIXELS)
      return { hiding: 'covert', how: `font-size: ${Math.round(10 * size) / 10}px`, labels: false };
    if (style.textShadow !== 'none' || Number.parseFloat(style.webkitTextStrokeWidth) > 0) return undefined;
    const colour = colourOf(style.webkitTextFillColor);
    if (colour === undefined || isCutOut(element)) return undefined;
    if (colour[3] === 0) return { hiding: 'covert', how: 'transparent', labels: false };
    const ground = colour[3] === 1 ? groundOf(element) : undefined;
    if (ground === undefined) return undefined;
    if (colour.some((part, at) => Math.abs(part - ground.colour[at]) > HUE_DISTANCE)) return undefined;
    const colours = [numberOf(colour), numberOf(ground.colour)];
    return { hiding: 'covert', how: '', labels: false, colours, ground: ground.of };
  };

  /** One of a row in a box that shows some of them: a slide. */
  const isSlide = (element, box, { origin: [x, y], isClipped }) =>
    isClipped &&
    [...(parentOf(element)?.children ?? [])].slice(0, MOST_SLIDES).some((other) => {
      if (other === element) return false;
      const { left, top, right, bottom, width } = other.getBoundingClientRect();
      const isInLine = Math.abs(top - box.top) <= SLACK || Math.abs(left - box.left) <= SLACK;
      return isInLine && Math.abs(width - box.width) <= SLACK && width > SLACK && right + x > 0 && bottom + y > 0;
    });

  /** How far to the right or below, where nobody scrolls to what is fixed, nor to the right where lines run from right to left. */
  const beyond = ({ position }, box, { isFixed, isRightToLeft }) => {
    if (isFixed) return position === 'fixed' ? [box.left - innerWidth, box.top - innerHeight] : [];
    return isRightToLeft ? [box.left + scrollX - innerWidth] : [];
  };

  /** Where nobody can scroll to, or in a box that shows nothing. */
  const outOfSight = (element, style, place) => {
    const indent = Number.parseFloat(style.textIndent);
    if (indent <= -OUT_OF_WINDOW)
      return { hiding: 'covert', how: `text-indent: ${Math.round(indent)}px`, labels: true };
    if (style.display === 'contents' || style.display === 'inline') return undefined;
    const box = element.getBoundingClientRect();
    const isPlaced = /absolute|fixed/.test(style.position);
    const [x, y] = place.origin;
    // What juts out of its box is seen all the same.
    const right = Math.max(box.right, style.overflowX === 'visible' ? box.left + element.scrollWidth : 0);
    const bottom = Math.max(box.bottom, style.overflowY === 'visible' ? box.top + element.scrollHeight : 0);
    const out = Math.max(-(right + x), -(bottom + y), ...beyond(style, box, place));
    if (out >= (isPlaced ? 0 : OUT_OF_WINDOW) && box.width + box.height > 0) {
      const away = { how: `${Math.round(out)}px out of the window`, labels: true };
      return isSlide(element, box, place) ? { hiding: 'faded', ...away, moved: out } : { hiding: 'aside', ...away };
    }
    if (/^rect\((?:[01]px,? ?){4}\)$/.test(style.clip) || /^inset\((?:50|100)%/.test(style.clipPath))
      return { hiding: isPlaced ? 'aside' : 'faded', how: 'clipped away', labels: true };
    const extent = Math.min(box.width, box.height);
    if (extent <= 2 && (/hidden|clip/.test(`${style.overflowX} ${style.overflowY}`) || style.transform !== 'none'))
      return { hiding: extent > 0 ? 'aside' : 'faded', how: `a box of ${Math.round(extent)}px`, labels: true };
    return undefined;
  };

  /** How an element hides all that it holds. */
  const allHidden = (element, style, place) => {
    if (style.display === 'none') return { hiding: 'folded', how: 'display: none', labels: true };
    const away = outOfSight(element, style, place);
    if (away !== undefined) return away;
    if (Number(style.opacity) <= FAINT && style.display !== 'contents')
      return { hiding: 'faded', how: `opacity: ${style.opacity}`, labels: true };
    if (style.contentVisibility === 'hidden')
      return { hiding: 'folded', how: 'content-visibility: hidden', labels: true };
    if (style.visibility === 'visible') return undefined;
    return { hiding: 'folded', how: `visibility: ${style.visibility}`, labels: true };
  };

  const isOverlay = (element, style, whole) => {
    if (style.position !== 'fixed') return false;
    const length = oneLine(element.textContent ?? '').length;
    return length > 0 && length < whole * SHARE_OF_OVERLAY;
  };

  /** One look at the page. */
  class Look {
    hidden = [];
    overlays = 0;
    /** Something was not looked at. */
    isPartial = false;
    #body = bodyOf(document);
    #whole = oneLine(this.#body?.innerText ?? '').length;
    /** Pieces whose letters seem to have the colour of their ground, and whatever else may be their ground. */
    #alike = [];
    #painted = [];
    #isFull = false;

    /** Each piece once: by the outermost element that hides it, or by one inside that does so in a stronger way. */
    run() {
      const root = rootOf(document);
      const isRightToLeft = getComputedStyle(this.#body ?? root).direction === 'rtl';
      const reach = isRightToLeft ? root.scrollWidth - root.clientWidth : 0;
      const still = { isRightToLeft, isClipped: false, isFixed: false, isTransformed: false, isExcused: false };
      const stack = this.#below(root, { ...still, origin: [scrollX + reach, scrollY] });
      let looked = 0;
      for (; looked < MOST_ELEMENTS && stack.length > 0; looked++) {
        const [element, context] = stack.pop();
        for (const next of this.#visit(element, context)) stack.push(next);
      }
      this.isPartial ||= stack.length > 0;
      if (this.#alike.length > 0) for (const one of this.#painted) one.box = one.element.getBoundingClientRect();
      for (const { piece, element, ground } of this.#alike)
        if (!this.#liesElsewhere(element, ground)) this.hidden.push(piece);
    }

    #visit(element, context) {
      try {
        return this.#below(element, this.#look(element, context));
      } catch {
        // A page can give its elements fields of any name; those inside are looked at all the same.
        return this.#below(element, context);
      }
    }

    /** The last first. */
    #below(element, context) {
      if (context === undefined) return [];
      const elements = [...shownChildren(element)].filter((node) => nodeTypeOf(node) === Node.ELEMENT_NODE);
      return elements.reverse().map((child) => [child, context]);
    }

    /** In what the children lie; undefined where they need no look: nothing has a place inside of what is not shown. */
    #look(element, { above, ...around }) {
      const name = localNameOf(element);
      if (NO_TEXT.has(name) && !PICTURES.has(name)) return undefined;
      const style = getComputedStyle(element);
      const place = this.#placeOf(element, style, around);
      if (PICTURES.has(name) || isPainted(style)) this.#painted.push({ element, isFixed: place.isFixed });
      if (NO_TEXT.has(name)) return undefined;
      const isExcused = place.isExcused || EXCUSED.has(name);
      // Pages hide themselves as a whole until their scripts are ready.
      const away = element === this.#body ? undefined : allHidden(element, style, place);
      if (away !== undefined && (above === undefined || STRENGTH[away.hiding] > STRENGTH[above])) {
        // What is folded, or is to move in, in its place (panels of tabs) is content; what is laid over the page when asked for is not.
        if (/covert|aside/.test(away.hiding) || /absolute|fixed/.test(style.position)) marks.set(element, 'hidden');
        if (!isExcused) this.#note(away, textIn(element), element);
        if (isExcused || away.hiding === 'folded') return undefined;
        return { ...this.#inside(element, style, place, away.moved), above: away.hiding };
      }
      if (above === undefined) this.#lookAtShown(element, style, isExcused);
      return { ...this.#inside(element, style, place), isExcused, above };
    }

    #placeOf(element, style, place) {
      if (element === this.#body) {
        // Where a dialog is open, pages fix themselves as a whole where they were scrolled to.
        const { left, top } = element.getBoundingClientRect();
        const [x, y] = place.origin;
        return { ...place, origin: [Math.max(x, -left), Math.max(y, -top)] };
      }
      // What is fixed inside of what is transformed moves with it.
      return style.position === 'fixed' && !place.isTransformed ? { ...place, origin: [0, 0], isFixed: true } : place;
    }

    #lookAtShown(element, style, isExcused) {
      if (isOverlay(element, style, this.#whole)) {
        marks.set(element, 'overlay');
        this.overlays++;
      }
      const text = isExcused || this.#isFull ? '' : ownText(element);
      const letters = text === '' ? undefined : lettersHidden(element, style);
      if (letters !== undefined) this.#note(letters, element.closest('a[href]') === null ? text : '', element);
    }

    /** Boxes that were scrolled or moved aside with all that they hold, and such as cut that off. */
    #inside(element, style, place, moved = 0) {
      if (element === document.scrollingElement) return place;
      const [x, y] = place.origin;
      const cuts = element !== this.#body && `${style.overflowX} ${style.overflowY}` !== 'visible visible';
      return {
        ...place,
        origin: [x + element.scrollLeft + moved, y + element.scrollTop + moved],
        isClipped: place.isClipped || cuts,
        isTransformed: place.isTransformed || style.transform !== 'none' || style.filter !== 'none',
      };
    }

    #note({ ground, moved: _, ...away }, text, element) {
      if (this.#isFull) return;
      const links = linksIn(element);
      if (text === '' && links.length === 0) return;
      const piece = { ...away, text: text.slice(0, LONGEST_TEXT), links };
      if (ground === undefined) this.hidden.push(piece);
      else this.#alike.push({ piece, element, ground });
      this.#isFull = this.hidden.length + this.#alike.length >= MOST_PIECES;
      this.isPartial ||= this.#isFull;
    }

    /** Whether letters may lie on something other than the ground around them: a picture behind them, or a box that is moved there. */
    #liesElsewhere(element, ground) {
      for (let at = element; at !== null && at !== ground; at = shownAbove(at)) if (hasOwnLayer(at)) return true;
      if (hasOwnLayer(ground)) return true;
      const letters = placeOfLetters(element);
      if (letters === undefined) return false;
      return this.#painted.some(({ element: other, isFixed, box: { left, top, right, bottom, width, height } }) => {
        const isBehindAll = isFixed && width >= 0.9 * innerWidth && height >= 0.9 * innerHeight;
        const isHere = left <= letters.x && letters.x <= right && top <= letters.y && letters.y <= bottom;
        if (!(isBehindAll || isHere) || marks.has(other)) return false;
        return !isAround(other, element) && other !== ground && isAround(ground, other);
      });
    }
  }

  /** Grounds that style sheets lay under what an element holds. */
  const hasOwnLayer = (element) =>
    ['::before', '::after'].some((part) => {
      const style = getComputedStyle(element, part);
      return style.content !== 'none' && /absolute|fixed/.test(style.position) && isPainted(style);
    });

  /** The middle of the first line. */
  const placeOfLetters = (element) => {
    const text = [...childNodesOf(element)].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim() !== '');
    if (text === undefined) return undefined;
    const range = new Range();
    range.selectNodeContents(text);
    const line = [...range.getClientRects()].find(({ width }) => width > 0);
    return line === undefined ? undefined : { x: (line.left + line.right) / 2, y: (line.top + line.bottom) / 2 };
  };

  const see = () => {
    const { scrollWidth: width, scrollHeight: height } = rootOf(document);
    const look = new Look();
    look.run();
    const { overlays, hidden, isPartial } = look;
    return { width, height, overlays, hidden, ...(isPartial ? { isPartial } : {}) };
  };

  return { see, markOf: (element) => marks.get(element), shownChildren, nodeTypeOf, localNameOf, attributesOf, rootOf };
})();
