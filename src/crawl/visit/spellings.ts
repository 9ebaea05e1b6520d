import type { Claim } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';

/** Pages whose addresses are remembered; those before them are asked for once too often. */
const MOST = 100_000;
/** Spellings of one page that are tried. */
const MOST_TRIED = 5;

/**
 * The addresses that servers want to be asked for, where they differ from the canonical URL that stands for the page: with
 * `trailing-slash: strip` a directory is known as /a, and its server sends who asks for /a to /a/. A redirect to the same page under
 * another spelling is followed at the host's next turn, by the address as it was written.
 */
export class Spellings {
  readonly #known = new Map<CanonicalUrl, { readonly address: string; readonly tried: readonly string[] }>();

  /** The claim with the address to ask for, where that is known to be another. */
  prepare(claim: Claim): Claim {
    const known = this.#known.size === 0 ? undefined : this.#known.get(claim.task.url);
    return known === undefined || claim.task.purpose !== 'page' ? claim : { ...claim, address: known.address };
  }

  /** A page leads to itself. Answers the address to ask for instead; undefined where that leads nowhere either. */
  follow({ task, address = task.url }: Claim, to: string): string | undefined {
    const target = URL.parse(to, address);
    // Elsewhere another robots.txt counts, and another host would be asked. Nobody makes us log in as somebody.
    const isOdd = target === null || target.origin !== new URL(task.url).origin;
    if (isOdd || target.username !== '' || target.password !== '') return undefined;
    target.hash = '';
    const tried = [...(this.#known.get(task.url)?.tried ?? []), address];
    if (tried.includes(target.href) || tried.length >= MOST_TRIED) {
      this.#known.delete(task.url);
      return undefined;
    }
    if (this.#known.size >= MOST) this.#known.clear();
    this.#known.set(task.url, { address: target.href, tried });
    return target.href;
  }
}

/** What is asked for: no canonical URL, but as good as one to whoever fetches it. */
export function addressOf({ task, address = task.url }: Claim): CanonicalUrl {
  return address as CanonicalUrl;
}
