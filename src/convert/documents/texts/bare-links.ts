const ADDRESS = /https?:\/\/[^\s<>"'`\\^{}|\u3000-\u303f\uff00-\uffef]{1,2000}/gi;

/** Addresses that stand in plain text, without the punctuation behind them. */
export function bareLinks(text: string): string[] {
  if (!text.includes('://')) return [];
  return Array.from(text.matchAll(ADDRESS), ([found]) => {
    let end = found.length;
    for (; end > 0; end--) {
      const last = found[end - 1];
      if (last === ')' ? isClosed(found, end) : !'.,;:!?*_~]'.includes(last)) break;
    }
    return found.slice(0, end);
  }).filter((url) => url.length > 'https://'.length);
}

/** Whether every bracket that closes was opened within the address, as in a_(b). */
function isClosed(url: string, end: number): boolean {
  let depth = 0;
  for (let at = 0; at < end; at++) {
    if (url[at] === '(') depth++;
    else if (url[at] === ')' && --depth < 0) return false;
  }
  return true;
}
