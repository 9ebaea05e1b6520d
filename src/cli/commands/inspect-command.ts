import { existsSync, readFileSync, statSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import type { Command } from 'commander';
import { OrbweaverError } from '../../base/errors.ts';
import { robotsAgentOf } from '../../base/robots-names.ts';
import type { FetchResult } from '../../contracts/fetcher.ts';
import { completeSeed } from '../../seeds/seed-text.ts';
import { addSettingOptions, settingsOf } from '../arguments/setting-options.ts';
import { failWith } from '../output/fail-with.ts';
import { answerLines, optionalString, stringOf } from '../output/json-lines.ts';
import { type ContentStage, contentInspector, type Inspector } from './inspect-content.ts';

type Stage = 'url' | 'robots' | 'fetch' | ContentStage;

const STAGES: Record<Stage, string> = {
  url: 'the canonical form of a URL and the steps to it; {url, base?} -> {canonical, steps}',
  robots: 'the verdict of a robots.txt; {body | bodyBase64, agent, url} -> {allowed, rule, line, crawlDelay}',
  fetch: 'one request, without robots.txt or archive; {url} -> status, headers, times, body size',
  page: 'what is read from a page; {url, html | base64, contentType?} -> title, author, date, language, text, markdown, links ...',
  document: 'PDF, Office, e-book, text; {body | base64, contentType?} -> title, authors, text, markdown, links ...',
  feed: 'RSS, Atom, JSON Feed; {body | base64, url?, contentType?} -> title, entries, hubs ...',
  sitemap:
    'a sitemap of any kind; {body | base64, url, contentType?, strictLocation?, strictNamespace?} -> urls, sitemaps',
  extract:
    'extraction rules on a page; {url, html | base64, contentType?} -> for every set and field what was found, or why nothing',
  text: 'the language of a text; {text} -> language, confidence',
};

const INPUTS: Record<Stage, string> = {
  url: 'URL',
  robots: 'URL to judge; its robots.txt is fetched',
  fetch: 'URL',
  page: 'URL, or a file',
  document: 'URL, or a file',
  feed: 'URL, or a file',
  sitemap: 'URL, or a file',
  extract: 'URL, or a file',
  text: 'a text, or a file',
};

/** Every stage can be tried alone, by hand or in a pipe. */
export function addInspectCommand(program: Command, version: string): void {
  const inspect = program.command('inspect').description('Try one stage alone, by hand or with --jsonl in a pipe.');
  for (const stage of Object.keys(STAGES) as Stage[]) {
    const command = inspect
      .command(stage)
      .description(STAGES[stage])
      .argument('[input...]', INPUTS[stage])
      .option('--jsonl', 'one JSON request per line on standard input, one JSON answer per line on standard output');
    if (stage === 'url') {
      command.option('--base <url>', 'what the input is relative to');
    }
    if (stage === 'page' || stage === 'feed' || stage === 'sitemap' || stage === 'extract')
      command.option('--base <url>', 'the URL that a file is taken to have');
    if (stage === 'robots') command.option('--agent <name>', 'who asks');
    addSettingOptions(command);
    command.action(async (inputs: string[], flags: { jsonl?: boolean; base?: string; agent?: string }) => {
      if ((inputs.length === 0) === (flags.jsonl !== true)) {
        throw new OrbweaverError('USAGE', `inspect ${stage} takes either an input or --jsonl.`, {
          remedy: `Such as: orbweaver inspect ${stage} https://example.org/`,
        });
      }
      await using inspector = await inspectorOf(stage, command, version);
      if (inputs.length === 0) await answerLines(process.stdin, process.stdout, inspector.answer);
      for (const input of inputs) await show(stage, input, () => answerTo(stage, input, flags, inspector));
    });
  }
}

/** One that cannot be read is told of, and does not keep the others from being shown; the exit status stays that of a failure. */
async function show(stage: Stage, input: string, ask: () => Promise<unknown>): Promise<void> {
  try {
    const answer = await ask();
    process.stdout.write(`${JSON.stringify(answer, null, 2)}\n`);
    const trouble = troubleOf(stage, input, answer as Answer);
    if (trouble !== undefined) failWith(trouble);
  } catch (error) {
    if (!(error instanceof OrbweaverError)) throw error;
    failWith(error);
  }
}

interface Answer {
  readonly kind?: string;
  readonly why?: string;
  readonly detail?: string;
  readonly code?: string;
  readonly by?: string;
  readonly rule?: string;
  readonly mediaType?: string;
  readonly text?: string;
  readonly title?: string;
}

function troubleOf(stage: Stage, input: string, answer: Answer): OrbweaverError | undefined {
  const { kind, why, detail, mediaType } = answer;
  if (kind === 'unreadable')
    return new OrbweaverError('INPUT_INVALID', `${input} cannot be read as a ${stage}: ${detail ?? ''} (${why}).`);
  if (stage === 'fetch' && kind === 'failed')
    return new OrbweaverError('URL_NOT_FOUND', `${input} could not be fetched: ${answer.code} ${detail ?? ''}`.trim());
  if (stage === 'fetch' && kind === 'refused')
    return new OrbweaverError('URL_NOT_FOUND', `${input} was not asked for: ${answer.rule}.`, { remedy: PRIVATE });
  // Of a page there is always a title to tell, be it an empty one.
  if (stage === 'page' && answer.title === undefined && answer.text === '')
    return new OrbweaverError('INPUT_INVALID', `${input} is not a page but ${mediaType}.`, {
      remedy: 'For PDF, Office files and e-books: orbweaver inspect document',
    });
  return undefined;
}

const PRIVATE = 'Addresses that are not public need --allow-private or --allow-hosts.';

interface OpenInspector extends AsyncDisposable {
  readonly answer: Inspector;
  /** Fetches for stages that need a document. */
  readonly fetch: (url: string, maxBytes?: number) => Promise<FetchResult>;
  readonly agent: string;
}

async function inspectorOf(stage: Stage, command: Command, version: string): Promise<OpenInspector> {
  const { settings } = await settingsOf(command, '.');
  const { urlOptionsOf } = await import('../../crawl/settings-to-parts.ts');
  const { explainUrl } = await import('../../url/explain-url.ts');
  const { otherAddress } = await import('../../url/other-address.ts');
  const urlOptions = urlOptionsOf(settings);
  const { openNetwork } = await import('../../crawl/visit/open-network.ts');
  const network = openNetwork(settings, version);
  const fetchUrl = async (asked: string, maxBytes?: number): Promise<FetchResult> => {
    const explained = explainUrl(completedUrl(asked), urlOptions);
    if (!explained.ok) throw noUrl(asked, explained.reason);
    return network.fetcher.fetch({ url: explained.url, ...(maxBytes === undefined ? {} : { maxBytes }) });
  };
  const answerUrl: Inspector = (request) => {
    const asked = stringOf(request, 'url');
    const explained = explainUrl(asked, { ...urlOptions, assumeHttp: true }, optionalString(request, 'base'));
    return explained.ok
      ? { canonical: explained.url, steps: explained.steps }
      : { canonical: otherAddress(asked) ?? null, refused: explained.reason };
  };
  const inspectorFor = async (): Promise<Inspector> => {
    switch (stage) {
      case 'url':
        return answerUrl;
      case 'robots':
        return robotsInspector();
      case 'fetch':
        return async (request) => describeFetch(await fetchUrl(stringOf(request, 'url')));
      default:
        return contentInspector(stage, settings);
    }
  };
  return {
    answer: await inspectorFor(),
    agent: robotsAgentOf(settings),
    fetch: fetchUrl,
    [Symbol.asyncDispose]: () => network.fetcher.close(),
  };
}

async function robotsInspector(): Promise<Inspector> {
  const { inspectRobots } = await import('../../fetch/robots/robots-inspect.ts');
  return (request) => inspectRobots(request);
}

function completedUrl(asked: string): string {
  const completed = completeSeed(asked.trim());
  if ('wrong' in completed) throw noUrl(asked, completed.wrong);
  return completed.url;
}

function noUrl(asked: string, why: string): OrbweaverError {
  return new OrbweaverError('INPUT_INVALID', `${JSON.stringify(asked)} cannot be fetched: ${why}.`, {
    remedy: 'Write it as https://example.org/page.',
  });
}

async function answerTo(
  stage: Stage,
  input: string,
  flags: { base?: string; agent?: string },
  inspector: OpenInspector,
): Promise<unknown> {
  switch (stage) {
    case 'url':
      return inspector.answer({ url: input, base: flags.base });
    case 'fetch':
      return inspector.answer({ url: input });
    case 'robots': {
      const { judgeLiveRobots } = await import('./judge-live-robots.ts');
      return judgeLiveRobots(input, flags.agent ?? inspector.agent, inspector.fetch);
    }
    case 'text':
      return inspector.answer({ text: isFile(input) ? readFile(input).toString('utf8') : input });
    default:
      return inspector.answer(isFile(input) ? fileRequest(input, flags.base) : await fetchedRequest(input, inspector));
  }
}

/** What can be nothing but a path must be there. */
function isFile(input: string): boolean {
  if (existsSync(input)) return true;
  if (/^(\/|\.\.?\/|~\/)\S*$/.test(input)) throw new OrbweaverError('INPUT_INVALID', `There is no file ${input}.`);
  return false;
}

function readFile(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OrbweaverError('INPUT_INVALID', `${path} cannot be read: ${why}.`, { cause });
  }
}

function fileRequest(path: string, base: string | undefined): Record<string, unknown> {
  if (!statSync(path).isFile()) {
    throw new OrbweaverError('INPUT_INVALID', `${path} is not a file.`, { remedy: 'Name an HTML file or a URL.' });
  }
  const html = /\.x?html?$/i.exec(path)?.[0].toLowerCase();
  return {
    url: base ?? pathToFileURL(path).href,
    base64: readFile(path).toString('base64'),
    ...(html === undefined ? {} : { contentType: html.startsWith('.x') ? 'application/xhtml+xml' : 'text/html' }),
  };
}

const MOST_REDIRECTS = 10;

async function fetchedRequest(url: string, inspector: OpenInspector, redirects = 0): Promise<Record<string, unknown>> {
  const result = await inspector.fetch(url);
  if (result.kind === 'response') {
    const { status } = result.head;
    const to = status >= 300 && status < 400 ? result.head.header('location') : undefined;
    const base = completedUrl(url);
    if (to !== undefined && redirects < MOST_REDIRECTS && URL.canParse(to, base))
      return fetchedRequest(new URL(to, base).href, inspector, redirects + 1);
    if (status >= 300)
      throw new OrbweaverError('URL_NOT_FOUND', `${url} answers with HTTP ${status} ${result.head.statusText}`.trim());
  }
  if (result.kind !== 'response') {
    const why =
      result.kind === 'failed'
        ? `${result.code} ${result.detail}`.trim()
        : `refused, ${'rule' in result ? result.rule : result.reason}`;
    throw new OrbweaverError(
      'URL_NOT_FOUND',
      `There is no file ${url}, and as a URL it could not be fetched: ${why}.`,
      {
        remedy: PRIVATE,
      },
    );
  }
  return {
    url: completedUrl(url),
    base64: Buffer.from(result.body).toString('base64'),
    contentType: result.head.header('content-type'),
  };
}

function describeFetch(result: FetchResult): unknown {
  switch (result.kind) {
    case 'response':
      return {
        kind: result.kind,
        status: result.head.status,
        httpVersion: result.head.httpVersion,
        headers: pairs(result.head.rawHeaders),
        address: result.exchange.address,
        ms: Math.round(result.exchange.endedAt - result.exchange.startedAt),
        bytes: result.body.byteLength,
        rawBytes: result.raw.byteLength,
        ...(result.truncated === undefined ? {} : { truncated: result.truncated }),
      };
    case 'unwanted':
      return {
        kind: result.kind,
        status: result.head.status,
        headers: pairs(result.head.rawHeaders),
        reason: result.reason,
      };
    case 'failed':
      return { kind: result.kind, code: result.code, detail: result.detail };
    case 'refused':
      return { kind: result.kind, by: result.by, rule: result.rule };
  }
}

function pairs(rawHeaders: readonly string[]): [string, string][] {
  const list: [string, string][] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) list.push([rawHeaders[i], rawHeaders[i + 1]]);
  return list;
}
