/**
 * Reads the page, in a world of its own: what the scripts of the page have done to the prototypes of theirs does not reach here.
 * Its value is an object with the functions that `PageWorld` calls. `see-page.js` has run before.
 */
(() => {
  const { see, markOf, shownChildren, nodeTypeOf, localNameOf, attributesOf, rootOf } = globalThis.orbweaverSights;
  /** Of our own: what is seen of an element, for who reads the copy. */
  const SIGHT = 'data-orbweaver-sight';
  const VOID = new Set(
    'area base br col embed hr img input link meta source track wbr param command keygen frame basefont bgsound'.split(
      ' ',
    ),
  );
  const RAW = new Set(['style', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext']);
  /** Scripts that are data, and say something of the page. */
  const DATA = /^(?:application|text)\/(?:[\w.+-]*\+)?json/i;
  const DANGEROUS =
    /log[\s_-]?(?:out|off)|sign[\s_-]?(?:out|off)|abmelden|delete|remove|l[öo]schen|unsubscribe|checkout|add[\s_-]?to[\s_-]?(?:cart|basket)|buy|pay\b|print|download/i;

  const escapeText = (text) =>
    text.replace(/[&<>\u00a0]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : c === '>' ? '&gt;' : '&nbsp;'));
  const escapeValue = (text) =>
    text.replace(/[&"\u00a0]/g, (c) => (c === '&' ? '&amp;' : c === '"' ? '&quot;' : '&nbsp;'));

  const openTag = (element) => {
    let tag = `<${localNameOf(element)}`;
    for (const { name, value } of attributesOf(element))
      if (/^[^\s"'<>/=]+$/.test(name) && name.toLowerCase() !== SIGHT) tag += ` ${name}="${escapeValue(value)}"`;
    const mark = markOf(element);
    return mark === undefined ? `${tag}>` : `${tag} ${SIGHT}="${mark}">`;
  };

  /** HTML of what is shown, without scripts that would run again; cut where it becomes too long. */
  const serialise = (longest) => {
    const doctype = document.doctype === null ? '' : `<!DOCTYPE ${document.doctype.name || 'html'}>`;
    const parts = [doctype];
    let length = 0;
    let truncated = false;
    // A stack and no recursion: a page may nest as deep as it likes.
    const stack = [rootOf(document)];
    while (stack.length > 0) {
      const next = stack.pop();
      let text = '';
      if (typeof next === 'string') text = next;
      else if (next === null) continue;
      else if (nodeTypeOf(next) === Node.TEXT_NODE) {
        const parent = next.parentNode?.localName;
        text = RAW.has(parent) ? next.data.replaceAll('</', '<\\/') : escapeText(next.data);
      } else if (nodeTypeOf(next) === Node.ELEMENT_NODE) {
        const name = localNameOf(next);
        if (name === 'script') {
          if (!DATA.test(next.type)) continue;
          text = `${openTag(next)}${next.textContent.replaceAll('</', '<\\/')}</script>`;
        } else if (name === 'noscript' || (name === 'template' && !next.shadowRoot)) continue;
        else if (/^[a-z][^\s<>/"'=]*$/i.test(name)) {
          text = openTag(next);
          if (!VOID.has(name)) {
            stack.push(`</${name}>`);
            const children = shownChildren(next);
            for (let at = children.length - 1; at >= 0; at--) stack.push(children[at]);
          }
        }
      }
      length += text.length;
      if (length > longest) {
        truncated = true;
        break;
      }
      parts.push(text);
    }
    return { html: parts.join(''), truncated };
  };

  /** All elements, those in shadow trees too. */
  function* allElements(root = document) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      yield node;
      if (node.shadowRoot) yield* allElements(node.shadowRoot);
    }
  }

  const webUrl = (text) => {
    try {
      const url = new URL(text, document.baseURI);
      return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
    } catch {
      return undefined;
    }
  };

  const known = new Set();
  const MOST_LINKS = 5000;
  /** Links that were not there when last asked. */
  const newLinks = () => {
    const found = [];
    for (const element of allElements()) {
      if (element.localName !== 'a' && element.localName !== 'area') continue;
      const url = element.hasAttribute('href') ? webUrl(element.getAttribute('href')) : undefined;
      if (url === undefined || known.has(url)) continue;
      known.add(url);
      found.push([url, (element.textContent ?? '').trim().slice(0, 200)]);
      if (found.length >= MOST_LINKS) break;
    }
    return found;
  };

  /** Addresses that handlers in the markup name, without running them. */
  const namedByHandlers = () => {
    const found = [];
    const note = (text, label) => {
      const url = webUrl(text);
      if (url !== undefined && found.length < 500) found.push([url, label]);
    };
    for (const element of allElements()) {
      const label = () => (element.textContent ?? '').trim().slice(0, 200);
      for (const name of ['onclick', 'onchange', 'onmousedown', 'onkeydown']) {
        const code = element.getAttribute(name);
        if (code === null) continue;
        const calls =
          /(?:location(?:\.href)?\s*=|location\.(?:assign|replace)\s*\(|window\.open\s*\(|\b(?:navigate|goto|go|push|open)\w*\s*\()\s*(['"])((?:https?:|\/|\.{1,2}\/|[\w-]+[/.?])[^'"\s]*)\1/gi;
        for (const [, , target] of code.matchAll(calls)) note(target, label());
      }
      for (const name of ['data-href', 'data-url', 'data-link']) {
        const target = element.getAttribute(name);
        if (target !== null && /^(?:https?:\/\/|\/(?!\/)|\.{1,2}\/)\S+$/.test(target) && element.localName !== 'a')
          note(target, label());
      }
    }
    return found;
  };

  const isShown = (element) => element.isConnected && (element.checkVisibility?.() ?? true);

  const isHarmless = (element) => {
    const words = [
      element.textContent,
      element.id,
      element.className,
      element.getAttribute('aria-label'),
      element.getAttribute('name'),
    ];
    return !DANGEROUS.test(words.map((word) => String(word ?? '').slice(0, 200)).join(' '));
  };

  const listening = new Set();
  /** What may lead somewhere when a person uses it: in order, each with the options that it has. */
  const controls = (most) => {
    const found = [];
    const add = (element, option) => {
      if (found.length < most) found.push({ element, option });
    };
    for (const element of allElements()) {
      if (found.length >= most) break;
      const name = element.localName;
      const role = element.getAttribute('role') ?? '';
      if (element.closest('form') !== null && name !== 'select') continue;
      if (name === 'select') {
        if (!element.hasAttribute('onchange') && !listening.has(element)) continue;
        if (!isHarmless(element)) continue;
        for (let at = 0; at < element.options.length; at++) if (at !== element.selectedIndex) add(element, at);
        continue;
      }
      const href = name === 'a' ? element.getAttribute('href') : null;
      // A link is followed by the crawl itself.
      if (href !== null && !/^(?:#|javascript:|$)/i.test(href)) continue;
      if (element.closest('a[href]:not([href^="#"]):not([href^="javascript:"])') !== null) continue;
      const isControl =
        name === 'button' ||
        name === 'summary' ||
        (name === 'a' &&
          (element.hasAttribute('onclick') || listening.has(element) || href === null || /^javascript:/i.test(href))) ||
        element.hasAttribute('onclick') ||
        listening.has(element) ||
        /^(?:button|link|menuitem|tab|option|treeitem)$/.test(role);
      if (
        isControl &&
        isShown(element) &&
        isHarmless(element) &&
        element !== document.body &&
        element !== document.documentElement
      )
        add(element);
    }
    return found;
  };

  let acting = [];
  return {
    see,
    serialise,
    newLinks,
    namedByHandlers,
    listens: (element) => listening.add(element),
    begin(most) {
      acting = controls(most);
      return acting.length;
    },
    /** Uses a control. False where it is gone. */
    act(at) {
      const control = acting[at];
      if (control === undefined || !control.element.isConnected) return false;
      const { element, option } = control;
      if (option === undefined) element.click();
      else {
        element.selectedIndex = option;
        element.dispatchEvent(new Event('input', { bubbles: true }));
        element.dispatchEvent(new Event('change', { bubbles: true }));
      }
      return true;
    },
    address: () => location.href,
    /** How much there is: grows while a list is being filled. */
    extent: () => [document.documentElement?.scrollHeight ?? 0, document.getElementsByTagName('*').length],
    scroll() {
      const { scrollingElement } = document;
      scrollTo(0, scrollingElement?.scrollHeight ?? 0);
      // Lists with a bar of their own.
      for (const element of document.querySelectorAll('main, div, ul, ol, section')) {
        if (
          element.scrollHeight > element.clientHeight + 20 &&
          element.clientHeight > 100 &&
          /auto|scroll/.test(getComputedStyle(element).overflowY)
        )
          element.scrollTop = element.scrollHeight;
      }
    },
    back: () => history.back(),
    frame: () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true)))),
  };
})();
