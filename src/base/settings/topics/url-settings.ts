import { setting } from '../kind.ts';
import { oneOf, truth } from '../scalar-kinds.ts';

/** When two URLs are taken for one. Names and values are those of `UrlOptions`, so that settings can be used as such. */
export const urlSettings = {
  trailingSlash: setting(
    oneOf('keep', 'strip', 'add'),
    'keep',
    'The slash at the end of a path. `strip` turns /a/ into /a; `add` turns /a into /a/ unless its last part holds a dot.',
  ),
  duplicateSlashes: setting(
    oneOf('keep', 'collapse'),
    'collapse',
    'Slashes in a row. `collapse` turns /a//b into /a/b; those of an address within a path (/web/2020/http://a.org/) stay.',
  ),
  sortQuery: setting(
    truth,
    true,
    'Put the parameters of a query in order by name; those of one name keep theirs. Off for sites whose servers care.',
  ),
  tidyQuery: setting(truth, true, 'Remove empty and nameless parameters, and the `=` of an empty value.'),
  stripTracking: setting(
    truth,
    true,
    'Remove parameters that only tell where a click came from: utm_*, gclid, fbclid and the like.',
  ),
  stripSessionIds: setting(
    truth,
    true,
    'Remove session ids such as jsessionid, PHPSESSID and sid from query and path.',
  ),
  www: setting(
    oneOf('keep', 'strip'),
    'keep',
    '`strip` takes www.example.org for example.org. Only for crawls whose sites answer on both.',
  ),
  plainHttp: setting(
    oneOf('keep', 'https'),
    'keep',
    `\`https\` takes http://example.org/ for https://example.org/, and asks there; where a port is named, the scheme stays. Only for crawls
    whose sites answer both. Without it, sites that show the same on both are found to be mirrors.`,
  ),
};
