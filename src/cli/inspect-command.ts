import type { Command } from 'commander';
import { OrbweaverError } from '../base/errors.ts';
import type { Settings } from '../base/settings/schema.ts';
import { answerLines, bytesOf, optionalString, stringOf } from './json-lines.ts';
import { addSettingOptions, settingsOf } from './setting-options.ts';

type Stage = 'url' | 'robots' | 'fetch' | 'page';

/** Answers one request of a stage; made once per command. */
type Inspector = (request: Record<string, unknown>) => unknown;

const STAGES: Record<Stage, string> = {
  url: 'the canonical form of a URL and the steps to it; {url, base?} -> {canonical, steps}',
  robots: 'the verdict of a robots.txt; {body | bodyBase64, agent, url} -> {allowed, rule, line, crawlDelay}',
  fetch: 'one request, without robots.txt or archive; {url} -> status, headers, times, body size',
  page: 'what is read from a document; {url, html | base64, contentType?} -> title, links, directives, text ...',
};

/** Every stage can be tried alone, by hand or in a pipe. */
export function addInspectCommand(program: Command, version: string): void {
  const inspect = program.command('inspect').description('Try one stage alone, by hand or with --jsonl in a pipe.');
  for (const stage of Object.keys(STAGES) as Stage[]) {
    const command = inspect
      .command(stage)
      .description(STAGES[stage])
      .argument('[input]', stage === 'robots' ? 'URL to judge; its robots.txt is fetched' : 'URL; for page also a file')
      .option('--jsonl', 'one JSON request per line on standard input, one JSON answer per line on standard output')
      .option('--base <url>', 'url: what the input is relative to')
      .option('--agent <name>', 'robots: who asks');
    addSettingOptions(command);
    command.action(async (input: string | undefined, flags: { jsonl?: boolean; base?: string; agent?: string }) => {
      await using inspector = await inspectorOf(stage, command, version);
      if (flags.jsonl) {
        await answerLines(process.stdin, process.stdout, inspector.answer);
        return;
      }
      if (input === undefined) throw new OrbweaverError('USAGE', `inspect ${stage} needs an input, or --jsonl.`);
      const request = await requestOf(stage, input, flags, inspector);
      process.stdout.write(`${JSON.stringify(await inspector.answer(request), null, 2)}\n`);
    });
  }
}

interface OpenInspector extends AsyncDisposable {
  readonly answer: Inspector;
  /** Fetches for stages that need a document. */
  readonly fetch?: (url: string) => Promise<{ body: Uint8Array; contentType: string | undefined; status: number }>;
  readonly agent: string;
}

async function inspectorOf(stage: Stage, command: Command, version: string): Promise<OpenInspector> {
  const { settings } = await settingsOf(command, '.');
  const { urlOptionsOf } = await import('../crawl/settings-to-parts.ts');
  const { explainUrl } = await import('../url/explain-url.ts');
  const urlOptions = urlOptionsOf(settings);
  const { openNetwork } = await import('../crawl/open-network.ts');
  const network = openNetwork(settings, version);
  const fetchUrl = async (asked: string): Promise<Awaited<ReturnType<typeof network.fetcher.fetch>>> => {
    const explained = explainUrl(asked, { ...urlOptions, assumeHttp: true });
    if (!explained.ok)
      throw new OrbweaverError('SEED_INVALID', `${asked} is not an http or https URL (${explained.reason}).`);
    return network.fetcher.fetch({ url: explained.url });
  };
  const answers: Record<Stage, Inspector> = {
    url: (request) => {
      const explained = explainUrl(stringOf(request, 'url'), urlOptions, optionalString(request, 'base'));
      return explained.ok
        ? { canonical: explained.url, steps: explained.steps }
        : { canonical: null, reason: explained.reason };
    },
    robots: await robotsInspector(),
    fetch: async (request) => describeFetch(await fetchUrl(stringOf(request, 'url'))),
    page: await pageInspector(settings),
  };
  return {
    answer: answers[stage],
    agent: settings.robotsAgent,
    async fetch(url) {
      const result = await fetchUrl(url);
      if (result.kind !== 'response') {
        throw new OrbweaverError(
          'URL_NOT_FOUND',
          `${url} could not be fetched: ${JSON.stringify(describeFetch(result))}`,
        );
      }
      return { body: result.body, contentType: result.head.header('content-type'), status: result.head.status };
    },
    [Symbol.asyncDispose]: () => network.fetcher.close(),
  };
}

async function robotsInspector(): Promise<Inspector> {
  const { inspectRobots } = await import('../fetch/robots-inspect.ts');
  return (request) => inspectRobots(request);
}

async function pageInspector(settings: Settings): Promise<Inspector> {
  const { DocumentReader } = await import('../crawl/document-reader.ts');
  const { pageDirectives } = await import('../base/robots-directives.ts');
  const agent = settings.robotsAgent;
  const reader = new DocumentReader({ agent, resources: settings.resources });
  return (request) => {
    const contentType = optionalString(request, 'contentType');
    // Text that came as a JSON string is decoded already: its own declaration of a charset no longer counts.
    const decoded = typeof request.html === 'string';
    const body = bytesOf(request, 'html', 'base64');
    const document = reader.read(
      body,
      stringOf(request, 'url'),
      decoded ? 'text/html; charset=utf-8' : contentType,
      true,
    );
    const { page, ...rest } = document;
    const directives = pageDirectives({ agent, metaRobots: page?.metaRobots ?? [], xRobotsTag: [] });
    return { ...rest, ...page, directives };
  };
}

async function requestOf(
  stage: Stage,
  input: string,
  flags: { base?: string; agent?: string },
  inspector: OpenInspector,
): Promise<Record<string, unknown>> {
  switch (stage) {
    case 'url':
      return { url: input, base: flags.base };
    case 'fetch':
      return { url: input };
    case 'robots': {
      const target = URL.parse(input) ?? URL.parse(`https://${input}`);
      if (target === null) throw new OrbweaverError('SEED_INVALID', `${input} is not a URL.`);
      const robots = await inspector.fetch?.(`${target.origin}/robots.txt`);
      const missing = robots !== undefined && robots.status >= 400 && robots.status < 500;
      return {
        bodyBase64: missing ? '' : Buffer.from(robots?.body ?? []).toString('base64'),
        agent: flags.agent ?? inspector.agent,
        url: target.href,
      };
    }
    case 'page': {
      const { existsSync, readFileSync } = await import('node:fs');
      const local = existsSync(input);
      const { body, contentType } = local
        ? { body: readFileSync(input), contentType: undefined }
        : await inspector.fetch!(input);
      const { pathToFileURL } = await import('node:url');
      return {
        url: local ? (flags.base ?? pathToFileURL(input).href) : input,
        base64: Buffer.from(body).toString('base64'),
        contentType,
      };
    }
  }
}

function describeFetch(result: import('../contracts/fetcher.ts').FetchResult): unknown {
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
