import type { FoundMedia } from './media-item.ts';

/** A picture that is smaller on either side is a bullet, a button or a pixel that counts readers. */
const SMALLEST = 32;
/** So are pictures with both sides below this, but for those that say what they show. */
const SMALL = 80;
const NAMES =
  /(?:^|[_.-])(?:spacer|pixel|blank|clear|transparent|sprites?|favicon|icons?|placeholder|spinner|loading|loader|1x1|arrows?|bullets?|buttons?|btn|emoji|avatar|share)(?:[_.-]|$)/i;
/** Alternative texts of buttons that lead to a service. */
const SERVICES =
  /^(?:facebook|twitter|instagram|youtube|linkedin|xing|pinterest|whatsapp|telegram|mastodon|tiktok|reddit|rss|e-?mail|mail|print|share|search|menu|close|logo|icon|avatar)$/i;

/** What does not carry meaning: spacers, counters, icons, and pictures that the page itself marks as ornament. */
export function isDecoration(media: FoundMedia, isOrnament: boolean): boolean {
  if (media.kind !== 'image') return false;
  const { reference, alt, caption, width, height } = media;
  const sides = [width, height].filter((side) => side > 0);
  if (sides.some((side) => side < SMALLEST)) return true;
  const says = alt !== '' || caption !== '';
  if (!says && (isOrnament || (sides.length === 2 && sides.every((side) => side < SMALL)))) return true;
  const path = reference.split(/[?#]/, 1)[0];
  const name = path.slice(path.lastIndexOf('/') + 1);
  // A vector without a word is an icon.
  return NAMES.test(name) || (SERVICES.test(alt) && caption === '') || (!says && /\.svgz?$/i.test(name));
}

/** Anything but a file of the web: data in the address itself, scripts, nothing at all. */
export function isFileReference(reference: string): boolean {
  return reference !== '' && !/^(?!https?:|file:)[a-z][a-z0-9+.-]*:/i.test(reference);
}
