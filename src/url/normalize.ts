import type { CanonicalUrl } from '../contracts/url.ts';
import { canonicalForm } from './canonical-form.ts';
import { scanAbsolute, scanRules } from './canonical-scan.ts';
import { createResolver } from './resolver.ts';
import type { UrlOptions } from './url-options.ts';

/** The canonical form of an address, or undefined where it is not http(s). Never throws. Many links: `createResolver`. */
export function normalizeUrl(input: string, options: UrlOptions, base?: string): CanonicalUrl | undefined {
  if (base !== undefined) return createResolver(base, options).resolve(input);
  const end = scanAbsolute(input, scanRules(options));
  if (end === -1) return canonicalForm(input, options) as CanonicalUrl | undefined;
  return (end === input.length ? input : input.slice(0, end)) as CanonicalUrl;
}
