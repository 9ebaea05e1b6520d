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
  const NO_TEXT = new Set('script style noscript template head title meta link svg math'.split(' '));
  /** Menus, forms and the like: hidden in every honest page until they are needed. */
  const EXCUSED = new Set('nav select button label menu form dialog table option'.split(' '));
  const STRENGTH = { folded: 1, faded: 2, aside: 3, covert: 4 };

  /** Of elements that matter for the content: what their tags say in the copy. */
  const marks = new Map();

  const oneLine = (text) => text.replace(/\s+/g, ' ').trim();
  const ownText = (element) => {
    let text = '';
    for (const child of element.childNodes) if (child.nodeType === Node.TEXT_NODE) text += ` ${child.data}`;
    return oneLine(text);
  };

  /** Without what is excused, and without links: those count by where they lead. */
  const textIn = (element) => {
    const skips = (node) =>
      node !== element && (node.localName === 'a' || EXCUSED.has(node.localName) || NO_TEXT.has(node.localName));
    const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT, (node) =>
      skips(node) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
    );
    let text = '';
    for (let node = walker.nextNode(); node !== null && text.length < LONGEST_TEXT; node = walker.nextNode())
      if (node.nodeType === Node.TEXT_NODE) text += ` ${node.data}`;
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

  /** The colour below the letters; undefined where a picture, or something half transparent or from elsewhere, may lie there. */
  const groundOf = (element) => {
    for (let at = element; at !== null; at = at.parentElement ?? at.getRootNode().host ?? null) {
      const style = getComputedStyle(at);
      const colour = colourOf(style.backgroundColor);
      if (colour === undefined || style.backgroundImage !== 'none') return undefined;
      if (colour[3] === 1) return colour;
      if (colour[3] > 0 || /absolute|fixed/.test(style.position)) return undefined;
    }
    return [255, 255, 255, 1];
  };

  /** How the letters of an element itself are hidden. Its children may have others. */
  const lettersHidden = (element, style) => {
    const size = Number.parseFloat(style.fontSize);
    if (size < READABLE_PIXELS)
      return { hiding: 'covert', how: `font-size: ${Math.round(10 * size) / 10}px`, labels: false };
    if (style.backgroundClip === 'text' || style.textShadow !== 'none') return undefined;
    const colour = colourOf(style.webkitTextFillColor);
    if (colour === undefined) return undefined;
    if (colour[3] === 0) return { hiding: 'covert', how: 'transparent', labels: false };
    const ground = colour[3] === 1 ? groundOf(element) : undefined;
    if (ground === undefined || colour.some((part, at) => Math.abs(part - ground[at]) > HUE_DISTANCE)) return undefined;
    return { hiding: 'covert', how: '', labels: false, colours: [numberOf(colour), numberOf(ground)] };
  };

  /** Where nobody can scroll to, or in a box that shows nothing. */
  const outOfSight = (element, style) => {
    const indent = Number.parseFloat(style.textIndent);
    if (indent <= -OUT_OF_WINDOW)
      return { hiding: 'covert', how: `text-indent: ${Math.round(indent)}px`, labels: true };
    if (style.display === 'contents' || style.display === 'inline') return undefined;
    const box = element.getBoundingClientRect();
    const [left, top] = style.position === 'fixed' ? [0, 0] : [scrollX, scrollY];
    const out = Math.max(-(box.right + left), -(box.bottom + top));
    if (out >= (/absolute|fixed/.test(style.position) ? 0 : OUT_OF_WINDOW) && box.width + box.height > 0)
      return { hiding: 'aside', how: `${Math.round(out)}px out of the window`, labels: true };
    if (/^rect\((?:[01]px,? ?){4}\)$/.test(style.clip) || /^inset\((?:50|100)%/.test(style.clipPath))
      return { hiding: 'aside', how: 'clipped away', labels: true };
    const extent = Math.min(box.width, box.height);
    if (extent <= 2 && /hidden|clip/.test(`${style.overflowX} ${style.overflowY}`))
      return { hiding: extent > 0 ? 'aside' : 'faded', how: `a box of ${Math.round(extent)}px`, labels: true };
    return undefined;
  };

  /** How an element hides all that it holds. */
  const allHidden = (element, style) => {
    if (style.display === 'none') return { hiding: 'folded', how: 'display: none', labels: true };
    const place = outOfSight(element, style);
    if (place !== undefined) return place;
    if (Number(style.opacity) <= FAINT) return { hiding: 'faded', how: `opacity: ${style.opacity}`, labels: true };
    if (style.visibility === 'visible') return undefined;
    return { hiding: 'folded', how: `visibility: ${style.visibility}`, labels: true };
  };

  const isOverlay = (element, style, whole) => {
    if (style.position !== 'fixed') return false;
    const length = oneLine(element.textContent ?? '').length;
    return length > 0 && length < whole * SHARE_OF_OVERLAY;
  };

  /** Each piece once: by the outermost element that hides it, or by one inside that does so in a stronger way. */
  const see = () => {
    const { scrollWidth: width, scrollHeight: height } = document.documentElement;
    const whole = oneLine(document.body?.innerText ?? '').length;
    const hidden = [];
    const states = new Map();
    let overlays = 0;
    const note = (away, text, element) => {
      const links = linksIn(element);
      if (hidden.length < MOST_PIECES && (text !== '' || links.length > 0))
        hidden.push({ ...away, text: text.slice(0, LONGEST_TEXT), links });
    };
    const walker = document.createTreeWalker(document.documentElement, NodeFilter.SHOW_ELEMENT);
    for (let looked = 0; looked < MOST_ELEMENTS; looked++) {
      const element = walker.nextNode();
      if (element === null) break;
      const above = states.get(element.parentElement);
      // Nothing has a place inside of what is not shown.
      if (above === 'excused' || above === 'folded' || NO_TEXT.has(element.localName)) {
        states.set(element, above ?? 'excused');
        continue;
      }
      const style = getComputedStyle(element);
      // Pages hide themselves as a whole until their scripts are ready.
      const away = element === document.body ? undefined : allHidden(element, style);
      if (away !== undefined && (above === undefined || STRENGTH[away.hiding] > STRENGTH[above])) {
        const isExcused = EXCUSED.has(element.localName);
        states.set(element, isExcused ? 'excused' : away.hiding);
        // Panels of tabs are folded in their place, and are content; what is laid over the page when asked for is not.
        if (away.hiding !== 'folded' || /absolute|fixed/.test(style.position)) marks.set(element, 'hidden');
        if (!isExcused) note(away, textIn(element), element);
        continue;
      }
      if (above !== undefined) {
        states.set(element, above);
        continue;
      }
      if (isOverlay(element, style, whole)) {
        marks.set(element, 'overlay');
        overlays++;
      }
      const text = ownText(element);
      const letters = text === '' || EXCUSED.has(element.localName) ? undefined : lettersHidden(element, style);
      if (letters !== undefined) note(letters, element.closest('a[href]') === null ? text : '', element);
    }
    return { width, height, overlays, hidden };
  };

  return { see, markOf: (element) => marks.get(element) };
})();
