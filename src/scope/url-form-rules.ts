import { ADMIT, type Rule, refuse } from './rule.ts';

/** Rules that look at the URL alone. */

export function createSchemeRule(schemes: readonly string[] = []): Rule {
  return {
    name: 'scheme',
    judge({ url }) {
      if (url.startsWith('https://') || url.startsWith('http://')) return ADMIT;
      if (schemes.some((scheme) => url.startsWith(`${scheme}//`))) return ADMIT;
      return refuse(
        'url',
        `scheme: ${url.slice(0, Math.max(0, url.indexOf(':')))} is neither http nor https, nor that of a plug-in`,
      );
    },
  };
}

export function createUrlLengthRule(max: number): Rule {
  return {
    name: 'max-url-length',
    judge: ({ url }) =>
      url.length <= max ? ADMIT : refuse('url', `max-url-length ${max}: the URL has ${url.length} characters`),
  };
}

export function createDepthRule(max: number): Rule {
  return {
    name: 'max-depth',
    judge: ({ depth }) => (depth <= max ? ADMIT : refuse('depth', `max-depth ${max}: the link is at depth ${depth}`)),
  };
}
