import type { AnchorLinks } from '../../contracts/content/index-fields.ts';
import type { LastVisit } from '../../contracts/page-store.ts';
import type { AnchorText } from '../../contracts/search-index.ts';
import type { LinkLines, LinkStore, OutLink } from '../../contracts/state/link-store.ts';
import { unpackAnchors } from '../../extract/index-fields.ts';
import type { PageAliases } from './page-aliases.ts';

/** Of a page that everybody links to, the weightiest texts say it all. */
const MOST_ANCHORS = 500;
/** Pages that are remembered as said other things of: of more it is no longer told which they are. */
const MOST_CHANGED = 100_000;

/**
 * The links of the pages as the index wants them: what leads to a copy or to a redirect counts for the page that stands
 * there instead.
 */
export class FollowedLinks {
  readonly #store: LinkStore;
  readonly #aliases: PageAliases;
  /** Pages with the mark of the last time when they were said other things of; undefined where all count as changed. */
  #changed: Map<string, number> | undefined;
  #mark = 0;
  /** What was changed before this mark is not known. */
  #knownFrom = Number.POSITIVE_INFINITY;
  /** Of the last change. */
  #changedAt = 0;

  constructor(store: LinkStore, aliases: PageAliases) {
    this.#store = store;
    this.#aliases = aliases;
  }

  /** The links of a page, in place of those it had; with `nofollow` the page itself asks that none be followed. */
  set(page: LastVisit, anchors: AnchorLinks, nofollow: boolean): void {
    this.#unfold(page.url);
    const links = unpackAnchors(anchors);
    this.#add(page, nofollow ? links.map((link) => ({ ...link, nofollow })) : links, anchors);
  }

  /** A page that is gone links to nothing, and is no part of the graph but for those who link to it: as in an index that is made anew. */
  clear({ url }: LastVisit): void {
    this.#unfold(url);
    const before = this.#store.outLinks(url)?.links;
    if (before === undefined) return;
    this.#noteChange(url);
    for (const { url: target } of before) {
      this.#store.renew(this.#aliases.originalOf(target));
      this.#noteChange(target);
    }
    this.#store.removePage(url);
  }

  /** What leads to the page counts for the other: it is a copy of it, or a redirect there. */
  fold(page: LastVisit, to: string): void {
    if (this.#aliases.directOf(page.url) !== to) {
      this.#unfold(page.url);
      this.#aliases.add(page.url, to);
      this.#noteChange(to);
      this.#noteChange(this.#aliases.originalOf(to));
    }
    if (!this.#store.outLinks(page.url)?.links.some(({ url, text }) => url === to && text === ''))
      this.#store.renew(this.#aliases.originalOf(to));
    // One link without words, so that rank passes on as well.
    this.#add(page, [{ url: to, text: '', nofollow: false }]);
  }

  /** A mark that stands for now, when everything is committed: from then on it is remembered which pages are said other things of. */
  mark(): number {
    this.#mark++;
    if (this.#changed === undefined) {
      this.#changed = new Map();
      this.#knownFrom = this.#mark;
    }
    return this.#mark;
  }

  /** What was before the mark is known no longer. */
  forgetChanges(mark: number): void {
    const changed = this.#changed;
    if (changed === undefined) return;
    for (const [url, at] of changed) if (at < mark) changed.delete(url);
    this.#knownFrom = Math.max(mark, this.#knownFrom);
  }

  /** Pages with other links than before, or with other links to them; `Infinity` where it is not known. */
  get changes(): number {
    return this.#changed?.size ?? Number.POSITIVE_INFINITY;
  }

  /** Whether any page may be said other things of than at the mark. */
  hasChangedSince(mark: number): boolean {
    return !this.#isKnown(mark) || this.#changedAt >= mark;
  }

  /** Whether `anchorsTo` would answer what it has answered since the mark. */
  hasSameAnchors(url: string, mark: number | undefined): boolean {
    if (mark === undefined || !this.#isKnown(mark)) return false;
    if (this.#isUnchanged(url, mark)) return this.#aliases.of(url).every((alias) => this.#isUnchanged(alias, mark));
    return false;
  }

  anchorsTo(url: string): readonly AnchorText[] {
    const own = this.#store.anchorsFor(url, MOST_ANCHORS);
    const aliases = this.#aliases.of(url);
    if (aliases.length === 0) return own;
    const weights = new Map<string, { text: string; weight: number }>();
    for (const { text, weight } of [
      ...own,
      ...aliases.flatMap((alias) => this.#store.anchorsFor(alias, MOST_ANCHORS)),
    ]) {
      const known = weights.get(text.toLowerCase());
      if (known === undefined) weights.set(text.toLowerCase(), { text, weight });
      else {
        known.weight += weight;
        if (text < known.text) known.text = text;
      }
    }
    const folded = [...weights].sort(([a, one], [b, other]) => other.weight - one.weight || (a < b ? -1 : 1));
    return folded.slice(0, MOST_ANCHORS).map(([, anchor]) => anchor);
  }

  /** Told as pending again: the index does not hold its anchors yet. */
  keepPending(url: string): void {
    this.#store.renew(url);
  }

  /** Pages whose anchors have become so many more that the index should hold them. */
  takePending(limit: number): readonly string[] {
    return [...new Set(this.#store.pending(limit).map((url) => this.#aliases.originalOf(url)))];
  }

  #unfold(url: string): void {
    const original = this.#aliases.originalOf(url);
    if (original === url) return;
    this.#noteChange(this.#aliases.directOf(url) ?? original);
    this.#noteChange(original);
    this.#aliases.remove(url);
    this.#store.renew(original);
  }

  #add({ url, host, visitedAt = 0 }: LastVisit, links: readonly OutLink[], lines?: LinkLines): void {
    const before = this.#store.outLinks(url)?.links;
    const former = before ?? [];
    // What a page has stopped saying of another must not be found there any longer.
    const said = new Set(
      former.length === 0 ? [] : links.map((link) => `${link.url} ${this.#store.keptText(link.text)}`),
    );
    for (const { url: target, text } of former)
      if (!said.has(`${target} ${text}`)) this.#store.renew(this.#aliases.originalOf(target));
    if (this.#changed !== undefined && !(before !== undefined && this.#isSame(before, links)))
      for (const changed of [url, ...former.map(({ url }) => url), ...links.map(({ url }) => url)])
        this.#noteChange(changed);
    this.#store.addPage({ url, host, at: visitedAt, links, ...(lines && { lines }) });
  }

  #isSame(before: readonly OutLink[], links: readonly OutLink[]): boolean {
    return (
      before.length === links.length &&
      before.every(({ url, text, nofollow }, at) => {
        const link = links[at];
        return url === link.url && nofollow === link.nofollow && text === this.#store.keptText(link.text);
      })
    );
  }

  #noteChange(url: string): void {
    this.#changed?.set(url, this.#mark);
    this.#changedAt = this.#mark;
    if (this.changes > MOST_CHANGED) this.#changed = undefined;
  }

  #isKnown(mark: number): boolean {
    return this.#changed !== undefined && mark >= this.#knownFrom;
  }

  #isUnchanged(url: string, mark: number): boolean {
    return (this.#changed!.get(url) ?? Number.NEGATIVE_INFINITY) < mark;
  }
}
