import type { ResponseHead } from '../contracts/fetcher.ts';

/** What would stand above a file, were it sent by a server. */
export class FileHead implements ResponseHead {
  readonly httpVersion = '1.1';
  readonly status: number;
  readonly statusText: string;
  readonly rawHeaders: readonly string[];

  constructor(status: number, statusText: string, rawHeaders: readonly string[]) {
    this.status = status;
    this.statusText = statusText;
    this.rawHeaders = rawHeaders;
  }

  header(name: string): string | undefined {
    const at = this.rawHeaders.findIndex((field, place) => place % 2 === 0 && field.toLowerCase() === name);
    return at === -1 ? undefined : this.rawHeaders[at + 1];
  }
}
