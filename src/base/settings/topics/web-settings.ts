import { setting } from '../kind.ts';
import { text, truth } from '../scalar-kinds.ts';

const token = text(
  'a token of 16 to 200 letters, digits and signs without blanks, or nothing',
  (raw) => (raw === '' || /^[\x21-\x7e]{16,200}$/.test(raw) ? raw : undefined),
  '<token>',
);

/** Who may open the pages and the API of a crawl. */
export const webSettings = {
  controlToken: setting(
    token,
    '',
    `Who shows this token to the web server may read everything and steer the crawl. On loopback none is needed unless one is set; on any other address, and with
    \`--allow-host\`, one is made and printed where neither this nor \`view-token\` is set. Flags can be read by other users of the machine: prefer the
    environment or the settings file. See docs/api.md.`,
    { secret: true },
  ),
  viewToken: setting(
    token,
    '',
    'Who shows this token to the web server may read everything and change nothing. Where this is the only one that is set, nobody steers the crawl over the web.',
    { secret: true },
  ),
  publicSearch: setting(
    truth,
    false,
    'Search, cached copies and changes are readable without a token; dashboard, reports and control are not.',
  ),
};
