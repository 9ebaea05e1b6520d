/** Whether a URL is that of a site itself: such a page exists, whatever it looks like. */
export function isFront(url: string): boolean {
  return /^[a-z]+:\/\/[^/?#]+\/?(?:#.*)?$/i.test(url);
}
