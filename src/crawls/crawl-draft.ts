import { basename } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import { resolveSettings } from '../base/settings/resolve-settings.ts';
import { type SettingKey, settingOf } from '../base/settings/schema.ts';
import { settingName } from '../base/settings/setting-names.ts';
import type { CrawlDraft, DraftProblems, DraftScope, Repeat } from '../contracts/crawl-library.ts';
import { compilePattern } from '../scope/url-pattern.ts';
import { readSeedList } from '../seeds/read-seeds.ts';
import { pathOfFileUrl } from '../url/file-url.ts';
import { systemTimeZone } from './run-times.ts';

export const EMPTY_DRAFT: CrawlDraft = {
  ...{ name: '', addresses: '', topic: '', scope: 'domain', maxPages: '', maxDuration: '', delay: '', exclude: '' },
  ...{ contact: '', allowPrivate: '', repeat: 'once', time: '03:00', weekday: '1', cron: '', timeZone: '' },
};

const SCOPES: readonly DraftScope[] = ['host', 'domain', 'directory', 'pages', 'any'];
const REPEATS: readonly Repeat[] = ['once', 'continuous', 'hourly', 'daily', 'weekly', 'cron'];
const LONGEST_FIELD = 20_000;
const MOST_ADDRESSES = 1000;

/** What the crawl is made of: its seeds and the content of its settings file. */
export interface DraftSettings {
  readonly seeds: readonly string[];
  readonly file: Readonly<Record<string, unknown>>;
}

/** A draft from fields of a form, which may hold anything. */
export function draftOf(fields: { get(name: string): string | null }): CrawlDraft {
  const field = (name: keyof CrawlDraft): string => (fields.get(name) ?? EMPTY_DRAFT[name]).replace(/\r\n?/g, '\n');
  const draft = Object.fromEntries(
    Object.keys(EMPTY_DRAFT).map((name) => [name, field(name as keyof CrawlDraft)]),
  ) as unknown as Record<keyof CrawlDraft, string>;
  return {
    ...draft,
    name: draft.name.trim(),
    scope: SCOPES.find((scope) => scope === draft.scope) ?? EMPTY_DRAFT.scope,
    repeat: REPEATS.find((repeat) => repeat === draft.repeat) ?? EMPTY_DRAFT.repeat,
    timeZone: draft.timeZone.trim() || systemTimeZone(),
  };
}

/**
 * The settings that a draft stands for; all that is wrong with it otherwise. Name and times are judged by others. `takesFolders`: folders
 * of this machine may be named.
 */
export async function settingsOfDraft(
  draft: CrawlDraft,
  takesFolders = false,
): Promise<{ readonly settings: DraftSettings } | { readonly problems: DraftProblems }> {
  const problems: DraftProblems = {};
  for (const [name, value] of Object.entries(draft)) {
    if (value.length > LONGEST_FIELD) problems[name as keyof CrawlDraft] = 'This is too long.';
  }
  const seeds = await seedsOf(draft, problems, takesFolders);
  const file: Record<string, unknown> = { seed: linesOf(draft.addresses) };
  const take = (field: keyof CrawlDraft, key: SettingKey, value: unknown): void => {
    const reading = settingOf(key).kind.read(value, 'documented');
    if ('wrong' in reading) problems[field] ??= `It ${reading.wrong}.`;
    else file[settingName(key)] = value;
  };
  if (draft.scope === 'pages') Object.assign(file, { scope: 'host', 'max-depth': 0 });
  else file.scope = draft.scope;
  if (draft.topic.trim() !== '') take('topic', 'topic', draft.topic.trim());
  if (draft.maxPages.trim() !== '')
    take('maxPages', 'maxPages', draft.maxPages.trim().replace(/(?<=\d)[,' ](?=\d{3})/g, ''));
  if (draft.maxDuration.trim() !== '') take('maxDuration', 'maxDuration', draft.maxDuration.trim().replaceAll(' ', ''));
  if (draft.delay.trim() !== '') take('delay', 'delay', draft.delay.trim().replaceAll(' ', ''));
  if (draft.contact.trim() !== '') take('contact', 'contact', draft.contact.trim());
  const exclude = linesOf(draft.exclude);
  if (exclude.length > 0) take('exclude', 'exclude', exclude);
  const wrong = exclude.map(patternProblem).find((problem) => problem !== undefined);
  if (wrong !== undefined) problems.exclude = wrong;
  if (draft.allowPrivate === 'yes') file['allow-private'] = true;
  if (draft.repeat === 'continuous') file.continuous = true;
  if (Object.keys(problems).length === 0) {
    const clash = contradiction(file);
    if (clash !== undefined) problems.addresses = clash;
  }
  return Object.keys(problems).length > 0 ? { problems } : { settings: { seeds, file } };
}

/** Where a name of the folder is not given: the host of the first address, or the name of the first folder. */
export function proposedName(seeds: readonly string[]): string {
  const path = pathOfFileUrl(seeds[0] ?? '');
  if (path !== undefined) return basename(path);
  return URL.parse(seeds[0] ?? '')?.hostname.replace(/^www\./, '') ?? 'crawl';
}

async function seedsOf(
  { addresses, topic }: CrawlDraft,
  problems: DraftProblems,
  takesFolders: boolean,
): Promise<string[]> {
  const lines = linesOf(addresses);
  if (lines.length === 0) {
    problems.addresses =
      topic.trim() === ''
        ? 'Name at least one address, such as https://example.org/.'
        : 'Pages on a topic are found by following links: name at least one page to begin with.';
    return [];
  }
  if (lines.length > MOST_ADDRESSES) {
    problems.addresses = `At most ${MOST_ADDRESSES} addresses fit here; "orbweaver crawl --seeds FILE" takes any number.`;
    return [];
  }
  if (!takesFolders && lines.some((line) => /^(?:file:|[/~.\\]|[a-z]:[\\/])/i.test(line))) {
    problems.addresses =
      'This server can be reached by others: folders of this machine are crawled from the command line, "orbweaver crawl ./folder".';
    return [];
  }
  if (lines.some((line) => /^\.{1,2}(?:[/\\]|$)/.test(line))) {
    problems.addresses = 'Write the whole path of a folder, such as /srv/notes.';
    return [];
  }
  try {
    // Kept as they were typed: where no scheme is given, the crawl finds out which one is served.
    const seeds = await readSeedList({ args: [], lines, files: [], local: takesFolders });
    return seeds.map(({ url }) => url);
  } catch (error) {
    if (!(error instanceof OrbweaverError)) throw error;
    problems.addresses = error.message;
    return [];
  }
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function patternProblem(pattern: string): string | undefined {
  try {
    compilePattern(pattern);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

function contradiction(file: Readonly<Record<string, unknown>>): string | undefined {
  try {
    resolveSettings({ file });
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
