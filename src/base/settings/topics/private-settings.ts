import { list, map } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { text } from '../scalar-kinds.ts';
import { origin } from '../text-kinds.ts';

/** Pages that are not for everybody. */
export const privateSettings = {
  login: setting(
    list(text('a file', undefined, '<file>'), 'line'),
    [],
    `Files with recipes for sites that ask for a login by a form: its page, its fields, signs of success and of the end of a session. Passwords
    stand in the environment or in files of their own, never in the recipe. See [private sites](private-sites.md).`,
  ),
  cookieFiles: setting(
    list(text('a file', undefined, '<file>'), 'line'),
    [],
    `Files with cookies to begin with, as a browser or curl keeps them: cookies.txt (Netscape) or JSON. Each goes to its own site alone; what
    a site sets since is kept for the length of the run. See [private sites](private-sites.md).`,
  ),
  clientCertificates: setting(
    map(origin, text('a PEM file', undefined, '<file>'), 'line'),
    {},
    `Client certificates by origin, such as \`https://intranet.example=me.pem\`: a file with the certificate and its key, without a
    passphrase. Never shown to another origin. See [private sites](private-sites.md).`,
  ),
};
