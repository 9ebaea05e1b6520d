import { type Html, html } from '../frame/html.ts';
import type { BotIdentity } from './bot-identity.ts';

/** What the people behind a site want to know of a crawler: who runs it, how it behaves, how to turn it away, how to recognise it. */
export function botPage(identity: BotIdentity): Html {
  const { token, userAgent, contact, ranges, key } = identity;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>About the crawler ${token}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
<h1>About the crawler ${token}</h1>
<p>You are probably here because you found this user agent in the log of your server:</p>
<pre>${userAgent}</pre>
${contact === '' ? html`<p>Its operator has not given an address to write to.</p>` : html`<p>Questions and complaints: ${contactLink(contact)}</p>`}
<h2>How it behaves</h2>
<ul>${behaviour(identity).map((line) => html`<li>${line}</li>`)}</ul>
${identity.settings.robots ? robotsHelp(identity) : ''}
<h2>How to recognise it</h2>
${
  ranges.length === 0
    ? html`<p>The addresses that it comes from are not published.</p>`
    : html`<p>Its requests come from these addresses, and from no others (<a href="ip-ranges.json">as JSON</a>):</p>
<ul>${ranges.map((range) => html`<li><code>${range}</code></li>`)}</ul>`
}
${
  key === undefined
    ? html`<p>Its requests are not signed.</p>`
    : html`<p>Its requests are signed (Web Bot Auth, RFC 9421, Ed25519). The key has the id</p>
<pre>${key.id}</pre>
<p>and is published in the <a href=".well-known/http-message-signatures-directory">key directory</a> of this host.
A request under this name without a valid signature is not from this crawler.</p>`
}
</main>
</body>
</html>
`;
}

/** Only where robots.txt is read. */
function robotsHelp({ token, settings }: BotIdentity): Html {
  return html`<h2>How to turn it away</h2>
<p>In the file <code>/robots.txt</code> of your site. To keep it from everything:</p>
<pre>User-agent: ${token}
Disallow: /</pre>
<p>To keep it from a part, and to slow it down:</p>
<pre>User-agent: ${token}
Disallow: /private/
Crawl-delay: 10</pre>
<p>Single pages can be kept out with <code>&lt;meta name="robots" content="noindex, nofollow"&gt;</code> or the header <code>X-Robots-Tag</code>.
A change of robots.txt counts within ${hours(settings.robotsMaxAge)}.</p>`;
}

export const BOT_STYLE = `:root { color-scheme: light dark; font: 1rem/1.6 system-ui, sans-serif; }
main { max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
pre { overflow-x: auto; padding: .75rem 1rem; border: 1px solid; border-radius: .25rem; }
`;

function contactLink(contact: string): Html {
  const target = contact.includes('://') ? contact : `mailto:${contact}`;
  return html`<a href="${target}">${contact}</a>`;
}

function behaviour({ settings }: BotIdentity): string[] {
  const { delay, delayFactor, maxAdaptiveDelay, hostConcurrency, robots, followNofollow } = settings;
  return [
    robots
      ? 'It reads robots.txt (RFC 9309) before anything else of a site, and asks for nothing that is disallowed. If robots.txt cannot be read because the server fails, it asks for nothing.'
      : 'It does not read robots.txt: it is meant for sites of its operator.',
    hostConcurrency === 1
      ? `It sends one request at a time to a host, and rests for at least ${seconds(delay)} after each.`
      : `It sends at most ${hostConcurrency} requests at a time to a host, at least ${seconds(delay)} apart.`,
    ...(delay > 0 && delayFactor > 0
      ? [
          `A server that answers slowly is asked less often: the rest is ${delayFactor} times as long as the last answer took, up to ${seconds(maxAdaptiveDelay)}, and never shorter than the answer took.`,
        ]
      : []),
    `It obeys ${robots ? 'Crawl-delay and ' : ''}Retry-After, backs off where a server asks for less or fails, and honours META robots${followNofollow ? ' and X-Robots-Tag, but follows links marked nofollow.' : ', X-Robots-Tag and rel=nofollow.'}`,
  ];
}

function seconds(ms: number): string {
  return ms === 1000 ? '1 second' : `${ms / 1000} seconds`;
}

function hours(ms: number): string {
  const count = Math.round(ms / 3_600_000);
  return count <= 1 ? 'an hour' : `${count} hours`;
}
