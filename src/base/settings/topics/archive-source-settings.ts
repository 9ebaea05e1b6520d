import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { text } from '../scalar-kinds.ts';

/** Archives that a crawl is answered from. */
export const archiveSourceSettings = {
  fromWarc: setting(
    list(text('a file, a folder or a pattern', undefined, '<path>'), 'line'),
    [],
    `Answer the crawl from WARC, ARC and WACZ files, whoever has written them, and not from the network: to try other rules, topics, orders
    or extraction on what was fetched before. A folder stands for the archives in it and below it, such as the \`archive\` folder of an
    earlier crawl. What they do not hold is refused; nobody is asked, so nobody is waited for. See
    [foreign archives](foreign-archives.md).`,
  ),
};
