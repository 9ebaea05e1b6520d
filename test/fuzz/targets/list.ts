import type { FuzzTarget } from '../target.ts';

/** Targets by name; each is loaded when it is asked for, so that a worker loads the code of one alone. */
const LOADERS: Readonly<Record<string, () => Promise<FuzzTarget>>> = {
  url: async () => (await import('./url.ts')).urlTarget,
  'url-resolve': async () => (await import('./url.ts')).resolveTarget,
  robots: async () => (await import('./robots.ts')).robotsTarget,
  'html-page': async () => (await import('./html.ts')).pageTarget,
  'html-against-parse5': async () => (await import('./html.ts')).treeTarget,
  'html-parts': async () => (await import('./html.ts')).markupPartsTarget,
  'main-content': async () => (await import('./html.ts')).contentTarget,
  'style-sheet': async () => (await import('./html.ts')).styleSheetTarget,
  charset: async () => (await import('./charset.ts')).charsetTarget,
  sitemap: async () => (await import('./xml.ts')).sitemapTarget,
  feed: async () => (await import('./xml.ts')).feedTarget,
  'feed-date': async () => (await import('./xml.ts')).feedDateTarget,
  date: async () => (await import('./text.ts')).dateTarget,
  language: async () => (await import('./text.ts')).languageTarget,
  'http-head': async () => (await import('./http.ts')).headTarget,
  'http-header-values': async () => (await import('./http.ts')).headerTarget,
  'http-body': async () => (await import('./http.ts')).bodyTarget,
  warc: async () => (await import('./archive.ts')).warcTarget,
  'warc-round-trip': async () => (await import('./archive.ts')).warcRoundTripTarget,
  cdxj: async () => (await import('./archive.ts')).cdxjTarget,
  pdf: async () => (await import('./documents.ts')).pdfTarget,
  'office-xml': async () => (await import('./documents.ts')).officeTarget,
  'office-binary': async () => (await import('./documents.ts')).oldOfficeTarget,
  rtf: async () => (await import('./documents.ts')).rtfTarget,
  'text-documents': async () => (await import('./documents.ts')).textDocumentTarget,
  query: async () => (await import('./query.ts')).queryTarget,
  analyzer: async () => (await import('./query.ts')).analyzerTarget,
  settings: async () => (await import('./settings.ts')).settingsTarget,
  'settings-file': async () => (await import('./settings.ts')).settingsFileTarget,
  addresses: async () => (await import('./settings.ts')).addressTarget,
  indexnow: async () => (await import('./push.ts')).indexNowTarget,
  websub: async () => (await import('./push.ts')).webSubTarget,
  'web-app': async () => (await import('./push.ts')).webAppTarget,
  regex: async () => (await import('./patterns.ts')).regexTarget,
  glob: async () => (await import('./patterns.ts')).globTarget,
  'index-files': async () => (await import('./stored.ts')).indexTarget,
  'stored-records': async () => (await import('./stored.ts')).storedTarget,
};

/** Not part of a campaign. */
const PLANTED: typeof LOADERS = {
  'planted-hang': async () => (await import('./planted.ts')).hangTarget,
  'planted-memory': async () => (await import('./planted.ts')).memoryTarget,
};

export const TARGET_NAMES: readonly string[] = Object.keys(LOADERS);

export async function loadTarget(name: string): Promise<FuzzTarget> {
  const load = LOADERS[name] ?? PLANTED[name];
  if (load === undefined) throw new Error(`There is no fuzz target ${name}.`);
  return load();
}
