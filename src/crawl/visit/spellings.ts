import type { Claim, Outcome } from '../../contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../contracts/url.ts';
import { normalizeUrl } from '../../url/normalize.ts';
import type { UrlOptions } from '../../url/url-options.ts';

/** Pages whose addresses are remembered; those before them are asked for once too often. */
const MOST = 100_000;
/** Their characters: servers may write addresses of any length. */
const MOST_CHARACTERS = 20_000_000;
/** Spellings of one page that are tried in one visit. */
const MOST_TRIED = 5;
const NONE_TRIED: readonly string[] = [];

/**
 * The addresses that servers want to be asked for, where they differ from the canonical URL that stands for the page: with
 * `trailing-slash: strip` a directory is known as /a, and its server sends who asks for /a to /a/. A redirect to the same page under
 * another spelling is followed at the host's next turn, by the address as it was written.
 */
export class Spellings {
  readonly #known = new Map<CanonicalUrl, { readonly address: string; readonly tried: readonly string[] }>();
  /** Of the addresses, those that were replaced included. */
  #characters = 0;

  /** The claim with the address to ask for, where that is known to be another. */
  prepare(claim: Claim): Claim {
    const known = this.#known.size === 0 ? undefined : this.#known.get(claim.task.url);
    return known === undefined || claim.task.purpose !== 'page' ? claim : { ...claim, address: known.address };
  }

  /** A page leads to itself. Answers the address to ask for instead; undefined where that leads nowhere either. */
  follow({ task, address = task.url }: Claim, to: string): string | undefined {
    const target = sameOrigin(task.url, address, to);
    const tried = [...(this.#known.get(task.url)?.tried ?? []), address];
    if (target === undefined || tried.includes(target) || tried.length >= MOST_TRIED) {
      this.#known.delete(task.url);
      return undefined;
    }
    this.#characters += target.length;
    if (this.#known.size >= MOST || this.#characters > MOST_CHARACTERS) {
      this.#known.clear();
      this.#characters = target.length;
    }
    this.#known.set(task.url, { address: target, tried });
    return target;
  }

  /** A visit by another address has ended: the next one may lead to every spelling again, as servers change. */
  settled({ task, address }: Claim, { kind }: Outcome): void {
    if (address === undefined || this.#known.get(task.url)?.address !== address) return;
    if (kind === 'gone' || kind === 'redirected') this.#known.delete(task.url);
    else if (kind !== 'deferred') this.#known.set(task.url, { address, tried: NONE_TRIED });
  }
}

/** Where a redirect leads, if that is the same page under another spelling than was asked for, on the same origin. */
export function otherSpelling(claim: Claim, to: string, options: UrlOptions): string | undefined {
  const { url } = claim.task;
  const { address = url } = claim;
  if (normalizeUrl(to, options, address) !== url) return undefined;
  const target = sameOrigin(url, address, to);
  return target === address ? undefined : target;
}

/** Elsewhere another robots.txt counts, and another host would be asked. Nobody makes us log in as somebody. */
function sameOrigin(url: string, address: string, to: string): string | undefined {
  const target = URL.parse(to, address);
  const { protocol, host } = new URL(url);
  if (target === null || target.protocol !== protocol || target.host !== host) return undefined;
  if (target.username !== '' || target.password !== '') return undefined;
  target.hash = '';
  return target.href;
}

/** What is asked for: no canonical URL, but as good as one to whoever fetches it. */
export function addressOf({ task, address = task.url }: Claim): CanonicalUrl {
  return address as CanonicalUrl;
}
