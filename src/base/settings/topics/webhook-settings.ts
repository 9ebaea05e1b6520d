import { list } from '../collection-kinds.ts';
import { setting } from '../kind.ts';
import { text } from '../scalar-kinds.ts';

const hook = text(
  'an http or https URL',
  (raw) => (/^https?:\/\/\S+$/i.test(raw) && URL.canParse(raw) ? raw : undefined),
  '<url>',
);

/** Who is told of changes. */
export const webhookSettings = {
  webhook: setting(
    list(hook, 'space'),
    [],
    `Where changes of pages are reported: each URL gets them by POST, as JSON, in batches, in order and at least once. An address on
    this machine or a private network is allowed here, for you name it. See docs/changes.md.`,
    { secret: true },
  ),
  webhookSecret: setting(
    text(),
    '',
    `Signs what is sent: the header \`X-Orbweaver-Signature\` holds the HMAC-SHA256 of the body under this secret. Flags can be read by
    other users of the machine: prefer the environment or the settings file.`,
    { secret: true },
  ),
};
