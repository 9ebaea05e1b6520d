import { OrbweaverError } from '../../../base/errors.ts';
import type { Settings } from '../../../base/settings/schema.ts';
import { bytesOf, optionalString, stringOf } from '../../output/json-lines.ts';

/** Tries the rules of the settings on a page: what every field found, or why it found nothing. */
export async function extractInspector(settings: Settings): Promise<(request: Record<string, unknown>) => unknown> {
  const { readRules } = await import('../../../crawl/extraction/read-rules.ts');
  const { PageRows } = await import('../../../crawl/extraction/page-rows.ts');
  const { DocumentReader } = await import('../../../crawl/content/document-reader.ts');
  const { urlOptionsOf } = await import('../../../crawl/settings-to-parts.ts');
  const { normalizeUrl } = await import('../../../url/normalize.ts');
  const sets = await readRules(settings);
  if (sets.length === 0)
    throw new OrbweaverError('USAGE', 'There are no rules to try.', {
      remedy:
        'Name a file with --extract, or write them under "extract:" in orbweaver.yaml of this folder; docs/extraction-rules.md shows how.',
    });
  const rules = new PageRows(sets, settings.extractTime);
  const reader = new DocumentReader();
  const urlOptions = urlOptionsOf(settings);
  return (request) => {
    const asked = stringOf(request, 'url');
    const url = normalizeUrl(asked, urlOptions) ?? URL.parse(asked)?.href;
    if (url === undefined) throw new OrbweaverError('INPUT_INVALID', `"url" must be absolute, not ${asked}.`);
    const body = bytesOf(request, 'html', 'base64');
    const isText = typeof request.html === 'string';
    const contentType = isText ? 'text/html; charset=utf-8' : optionalString(request, 'contentType');
    const { page, source, mediaType } = reader.read(body, url, contentType);
    if (page === undefined)
      throw new OrbweaverError('INPUT_INVALID', `${asked} is ${mediaType}: rules read HTML pages alone.`);
    const tried = rules.try(url as never, source ?? new TextDecoder().decode(body));
    return {
      url,
      sets: sets.map((set) => {
        const one = tried.find((result) => result.set === set.name);
        if (one === undefined) return { set: set.name, why: `the URL matches none of ${set.match.join(', ')}` };
        const { set: name, rows, tried: fields, problem } = one;
        return { set: name, ...(problem === undefined ? {} : { problem }), fields, rows };
      }),
    };
  };
}
