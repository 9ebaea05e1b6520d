import type { Link } from '../../../src/contracts/content/page.ts';
import type { CrawlTask, Discovery } from '../../../src/contracts/crawl-task.ts';
import type { CanonicalUrl } from '../../../src/contracts/url.ts';
import { hostKeyOf } from '../../../src/url/host-key.ts';

export function canonical(url: string): CanonicalUrl {
  return url as CanonicalUrl;
}

export function taskFor(
  url: string,
  more: { depth?: number; how?: Discovery['how']; purpose?: CrawlTask['purpose'] } = {},
): CrawlTask {
  return {
    url: canonical(url),
    host: hostKeyOf(canonical(url)),
    depth: more.depth ?? 1,
    redirects: 0,
    lane: 0,
    discovery: { how: more.how ?? 'link' },
    purpose: more.purpose ?? 'page',
  };
}

export function linkOf(more: Partial<Link> = {}): Link {
  return { url: '', kind: 'a', text: '', rel: '', nofollow: false, ugc: false, sponsored: false, ...more };
}
