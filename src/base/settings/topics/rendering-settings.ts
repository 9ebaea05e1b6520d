import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { bytes, duration, integer, oneOf, text, truth } from '../scalar-kinds.ts';

const RESOURCE_TYPES = new Set([
  ...['image', 'media', 'font', 'stylesheet', 'script', 'xhr', 'fetch', 'texttrack', 'manifest', 'document', 'other'],
]);

/** Pages that scripts build. */
export const renderingSettings = {
  render: setting(
    oneOf('never', 'auto', 'always'),
    'never',
    `Whether pages are shown in a browser before they are read, so that what scripts build is found: \`auto\`, those that need it, as far
    as their markup says or a comparison of both versions has shown for pages of their kind; \`always\`, every HTML page. It takes a
    Chrome or Chromium on this machine, and a hundred times as long. See [scripted pages](rendering.md).`,
  ),
  browser: setting(
    text('the path of a program', undefined, '<path>'),
    '',
    'The browser: a Chrome, Chromium or Edge. Looked for in the usual places where empty.',
  ),
  browserSandbox: setting(
    truth,
    true,
    `Keep pages in the sandbox of the browser. Turn it off only where the system has none to offer, and all pages are your own: a page
    that breaks out of the browser could do whatever you may.`,
  ),
  renderTabs: setting(
    integer({ min: 1, max: 64 }),
    2,
    'Pages that are shown at once. Each takes 50 to 100 MB, and most of a core while it works.',
  ),
  renderTimeout: setting(
    duration({ min: 1000, max: 600_000 }),
    30_000,
    'Longest time for one page in the browser. What it shows by then is kept; one that hangs counts as it was answered.',
  ),
  renderMemory: setting(
    bytes({ min: 128 * 2 ** 20 }),
    2 * 2 ** 30,
    `Memory of the browser. Above it, the browser is replaced when its pages are done; a page that takes half of it is ended.
    Not watched on Windows.`,
  ),
  renderBlock: setting(
    list(
      text(
        'a type of resource: image, media, font, stylesheet, script, xhr, fetch, texttrack, manifest, document, other',
        (raw) => {
          const type = raw.trim().toLowerCase();
          return RESOURCE_TYPES.has(type) ? type : undefined;
        },
        '<type>',
      ),
      'comma',
    ),
    ['image', 'media', 'font', 'texttrack', 'manifest', 'other'],
    `Types of resources that pages do not get: \`image\`, \`media\`, \`font\`, \`stylesheet\`, \`script\`, \`xhr\`, \`fetch\`, \`texttrack\`,
    \`manifest\`, \`document\` (frames), \`other\`. Event streams, beacons and reports are never sent.`,
  ),
  renderHosts: setting(
    oneOf('any', 'site'),
    'any',
    `Whose resources a page may load: \`any\` host's, as far as address guard, robots.txt and \`exclude\` let it; \`site\`, those of its own
    domain alone. Frames are always those of its own domain.`,
  ),
  renderScrolls: setting(
    integer({ max: 1000 }),
    10,
    'How often a page is scrolled to its end, as long as that brings more. 0 turns it off.',
  ),
  renderControls: setting(
    integer({ max: 1000 }),
    20,
    `Buttons, menus and options of a page that are used, to see where they lead. Nothing but GET is ever sent. 0 turns it off.`,
  ),
  renderScreenshot: setting(truth, false, 'Keep a picture of every rendered page in the archive.'),
  renderResources: setting(
    truth,
    false,
    'Keep what rendered pages have loaded in the archive too: scripts, style sheets, data. Each version once.',
  ),
};
