import { OrbweaverError } from '../../base/errors.ts';
import { pageDirectives } from '../../base/robots-directives.ts';
import { robotsAgentOf } from '../../base/robots-names.ts';
import type { Settings } from '../../base/settings/schema.ts';
import { bytesOf, optionalString, stringOf } from '../output/json-lines.ts';

/** Answers one request of a stage; made once per command. */
export type Inspector = (request: Record<string, unknown>) => unknown;

export type ContentStage = 'page' | 'document' | 'feed' | 'sitemap' | 'text' | 'extract';

/** The stages that read documents. What each needs is loaded when it is asked for. */
export async function contentInspector(stage: ContentStage, settings: Settings): Promise<Inspector> {
  switch (stage) {
    case 'page':
      return pageInspector(settings);
    case 'document':
      return documentInspector(settings);
    case 'feed':
      return feedInspector();
    case 'sitemap':
      return sitemapInspector();
    case 'text':
      return textInspector();
    case 'extract': {
      const { extractInspector } = await import('./extract/inspect-extract.ts');
      return extractInspector(settings);
    }
  }
}

async function pageInspector(settings: Settings): Promise<Inspector> {
  const { DocumentReader } = await import('../../crawl/content/document-reader.ts');
  const { readPage } = await import('../../extract/read-page.ts');
  const { pagePreferences } = await import('../../extract/usage-preferences/page-preferences.ts');
  const { LanguageIdentifier } = await import('../../extract/language/language-identifier.ts');
  const agent = robotsAgentOf(settings);
  const reader = new DocumentReader({ agent, resources: settings.resources, maxLinks: settings.maxLinksPerPage });
  const languages = new LanguageIdentifier();
  return (request) => {
    const url = stringOf(request, 'url');
    if (!URL.canParse(url)) throw new OrbweaverError('INPUT_INVALID', `"url" must be absolute, not ${url}.`);
    const contentType = optionalString(request, 'contentType');
    const body = bytesOf(request, 'html', 'base64');
    const document = reader.read(body, url, typeof request.html === 'string' ? decodedType(contentType) : contentType, {
      wantsText: true,
    });
    const { page, source, text: allText, ...rest } = document;
    if (page === undefined) return { ...rest, text: allText };
    const { content, metadata: told } = readPage(source ?? body, { url, spam: false });
    const { text: _, title: htmlTitle, lang, ...links } = page;
    const { text } = content;
    return {
      ...rest,
      title: told.title?.value ?? htmlTitle,
      htmlTitle,
      author: told.authors.map(({ value }) => value).join('; ') || null,
      authors: told.authors.map(({ value }) => value),
      date: told.published?.day ?? told.modified?.day ?? null,
      published: isoOf(told.published?.value),
      modified: isoOf(told.modified?.value),
      siteName: told.siteName?.value ?? null,
      description: told.description?.value ?? null,
      image: told.image?.value ?? null,
      type: told.type?.value ?? null,
      tags: told.tags.map(({ value }) => value),
      categories: told.categories.map(({ value }) => value),
      license: told.license?.value ?? null,
      ...languageOf(languages.identify(text)),
      declaredLanguage: told.language?.value ?? lang ?? null,
      ...links,
      directives: pageDirectives({ agent, metaRobots: page.metaRobots, xRobotsTag: [] }),
      usage: pagePreferences({ url, agent, metas: told.usageMetas }),
      text,
      confidence: content.confidence,
      words: content.wordCount,
      markdown: content.markdown,
      cleanHtml: content.html,
      allText,
      sources: sourcesOf(told),
    };
  };
}

async function documentInspector(settings: Settings): Promise<Inspector> {
  const { convertDocument } = await import('../../convert/documents/convert-document.ts');
  const { renderMarkdown, renderText } = await import('../../convert/documents/render-blocks.ts');
  const { conversionLimitsOf } = await import('../../crawl/settings-to-parts.ts');
  const { LanguageIdentifier } = await import('../../extract/language/language-identifier.ts');
  const limits = conversionLimitsOf(settings);
  const languages = new LanguageIdentifier();
  return async (request) => {
    const mediaType = optionalString(request, 'contentType');
    const url = optionalString(request, 'url');
    const conversion = await convertDocument(bytesOf(request, 'body', 'base64'), {
      ...(mediaType === undefined ? {} : { mediaType }),
      ...(url === undefined ? {} : { url }),
      limits,
    });
    if (conversion.kind === 'unreadable') return conversion;
    const { blocks, created, modified, language, ...rest } = conversion.document;
    const text = renderText(blocks);
    return {
      kind: conversion.kind,
      ...rest,
      created: isoOf(created),
      modified: isoOf(modified),
      declaredLanguage: language ?? null,
      ...languageOf(languages.identify(text)),
      text,
      markdown: renderMarkdown(blocks, rest.links),
    };
  };
}

async function feedInspector(): Promise<Inspector> {
  const { readFeed } = await import('../../extract/feed/read-feed.ts');
  const { charsetOf } = await import('../../convert/charset.ts');
  return (request) => {
    const url = optionalString(request, 'url');
    const contentType = optionalString(request, 'contentType');
    const outcome = readFeed(bytesOf(request, 'body', 'base64'), {
      ...(url === undefined ? {} : { url }),
      ...(contentType === undefined ? {} : { contentType }),
      guessEncoding: (bytes) => charsetOf(bytes, {}).encoding,
    });
    return outcome.kind === 'read' ? { kind: outcome.kind, ...outcome.feed } : outcome;
  };
}

async function sitemapInspector(): Promise<Inspector> {
  const { readSitemap } = await import('../../extract/sitemap/read-sitemap.ts');
  return async (request) => {
    const contentType = optionalString(request, 'contentType');
    const reading = readSitemap([bytesOf(request, 'body', 'base64')], {
      url: stringOf(request, 'url'),
      ...(contentType === undefined ? {} : { contentType }),
      strictLocation: request.strictLocation === true,
      strictNamespace: request.strictNamespace === true,
    });
    const urls: unknown[] = [];
    const sitemaps: unknown[] = [];
    for (;;) {
      const { done, value } = await reading.next();
      if (done) return { ...value, urls, sitemaps };
      for (const { url, lastModified, changeFrequency, ...rest } of value.entries) {
        urls.push({ loc: url, lastmod: isoOf(lastModified), changefreq: changeFrequency ?? null, ...rest });
      }
      for (const { url, lastModified } of value.sitemaps) sitemaps.push({ loc: url, lastmod: isoOf(lastModified) });
    }
  };
}

async function textInspector(): Promise<Inspector> {
  const { LanguageIdentifier } = await import('../../extract/language/language-identifier.ts');
  const languages = new LanguageIdentifier();
  return (request) => {
    const found = languages.identify(stringOf(request, 'text'));
    return { ...languageOf(found), reliable: found?.reliable ?? false };
  };
}

function languageOf(found: { language: string; confidence: number } | undefined) {
  return { language: found?.language ?? null, languageConfidence: found?.confidence ?? null };
}

/** Where each value was read. */
function sourcesOf(told: object): Record<string, string> {
  const sources: Record<string, string> = {};
  for (const [name, value] of Object.entries(told)) {
    const source = (value as { source?: unknown } | undefined)?.source;
    if (typeof source === 'string') sources[name] = source;
  }
  return sources;
}

function isoOf(time: number | undefined): string | null {
  return time === undefined ? null : new Date(time).toISOString();
}

/** Text that came as a JSON string is decoded already: its own declaration of a charset no longer counts. */
function decodedType(contentType: string | undefined): string {
  const essence = contentType?.split(';', 1)[0].trim();
  return `${essence || 'text/html'}; charset=utf-8`;
}
