import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { oneOf, text } from '../scalar-kinds.ts';

const address = text(
  'an http or https URL without query, or nothing',
  (raw) => {
    if (raw === '') return raw;
    const url = /^https?:\/\/\S+$/i.test(raw) ? URL.parse(raw) : null;
    const isPlain = url !== null && url.search === '' && url.hash === '' && url.username === '' && url.password === '';
    return isPlain ? raw.replace(/\/+$/, '') : undefined;
  },
  '<url>',
);

/** Who may tell us of changes. */
export const pushSettings = {
  push: setting(
    list(oneOf('indexnow', 'websub'), 'comma'),
    [],
    `What the web server takes besides questions: \`indexnow\`, URLs that a site submits with its key; \`websub\`, news of feeds from
    their hubs, which a continuous crawl asks for where a feed names one. See docs/push.md.`,
  ),
  pushAddress: setting(
    address,
    '',
    `The address at which others reach this server, such as \`https://crawler.example.org\`. Hubs are told to call there; its host
    name is accepted for what is pushed, and for nothing else.`,
  ),
};
