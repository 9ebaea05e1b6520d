import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { OrbweaverError } from '../base/errors.ts';
import type { CrawlTools } from './crawl-tools.ts';
import type { UrlCrawler } from './crawl-url.ts';
import { INSTRUCTIONS, LONGEST_WAIT_SECONDS, TOOLS, type ToolName } from './tool-definitions.ts';
import { oneLine } from './untrusted-text.ts';

export interface McpParts {
  readonly tools: CrawlTools;
  /** Absent: nothing may be fetched, and there is no tool for it. */
  readonly crawler?: UrlCrawler;
  readonly version: string;
}

type Arguments = Record<string, unknown>;

/** A server of the Model Context Protocol over a crawl; one for each connection. */
export function createMcpServer({ tools, crawler, version }: McpParts): McpServer {
  const server = new McpServer(
    { name: 'orbweaver', version },
    { instructions: INSTRUCTIONS, capabilities: { tools: {} } },
  );
  const offer = (name: ToolName, answer: (given: never, signal?: AbortSignal) => string | Promise<string>): void => {
    const { title, description, arguments: schema, readOnly } = TOOLS[name];
    server.registerTool(
      name,
      {
        ...{ title, description, inputSchema: fromJsonSchema<Arguments>(schema as never) },
        annotations: { readOnlyHint: readOnly, destructiveHint: false, idempotentHint: true, openWorldHint: !readOnly },
      },
      async (given, { mcpReq }) => {
        try {
          return { content: [{ type: 'text' as const, text: await answer(given as never, mcpReq.signal) }] };
        } catch (error) {
          return { isError: true, content: [{ type: 'text' as const, text: errorText(error) }] };
        }
      },
    );
  };
  offer('search', (given: Parameters<CrawlTools['search']>[0], signal) => tools.search(given, signal));
  offer('get', (given: Parameters<CrawlTools['get']>[0]) => tools.get(given));
  offer('explain', (given: Parameters<CrawlTools['explain']>[0]) => tools.explain(given));
  offer('changes', (given: Parameters<CrawlTools['changes']>[0]) => tools.changes(given));
  if (crawler !== undefined)
    offer('crawl_url', ({ url, wait_seconds: seconds = 30 }: { url: string; wait_seconds?: number }, signal) =>
      crawler.crawl(url, Math.min(seconds, LONGEST_WAIT_SECONDS) * 1000, signal),
    );
  return server;
}

/** What went wrong and what can be done, as for people; of faults of our own no particulars. */
function errorText(error: unknown): string {
  if (!(error instanceof OrbweaverError))
    return 'INTERNAL: This is a fault of ours. Please try again; if it stays, report it.';
  const remedy = error.remedy === undefined ? '' : `\n${oneLine(error.remedy, 1000)}`;
  return `${error.code}: ${oneLine(error.message, 1000)}${remedy}`;
}
