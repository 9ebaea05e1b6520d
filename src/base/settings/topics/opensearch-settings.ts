import { setting } from '../kind.ts';
import { text } from '../scalar-kinds.ts';
import { remoteIndexUrl } from '../text-kinds.ts';

/** Another search engine that gets what was crawled. */
export const opensearchSettings = {
  opensearch: setting(
    remoteIndexUrl,
    '',
    `Experimental: sends every page that can be found to an index of an OpenSearch or Elasticsearch server, such as
    \`https://search.example.org:9200/pages\`, while the crawl goes on. The index is made where there is none. Empty: nothing is
    sent. See docs/opensearch.md.`,
  ),
  opensearchKey: setting(
    text(),
    '',
    `With \`opensearch\`: the API key to write with, in base64 as the server gave it. Flags can be read by other users of the machine: prefer
    the environment or the settings file.`,
    { secret: true },
  ),
  opensearchUser: setting(text(), '', 'With `opensearch`: the user to write as, where there is no API key.'),
  opensearchPassword: setting(
    text(),
    '',
    `With \`opensearch\`: the password of that user. Flags can be read by other users of the machine: prefer the environment or the
    settings file.`,
    { secret: true },
  ),
  opensearchCa: setting(
    text(),
    '',
    `With \`opensearch\`: a file with the certificates to trust, in PEM, where the server has one that the system does not know.`,
  ),
};
