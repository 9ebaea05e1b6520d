export interface FlagOptions {
  readonly profile: string;
  readonly sandbox: boolean;
  /** Whether pictures are ever shown. */
  readonly images: boolean;
}

/** Heap of the scripts of one page, MB. A page that wants more is ended by the engine. */
const SCRIPT_HEAP_MB = 512;

/** Features that load, guess or report something beside the page. */
const WITHOUT = [
  'Translate',
  'MediaRouter',
  'DialMediaRouteProvider',
  'OptimizationHints',
  'AutofillServerCommunication',
  'CertificateTransparencyComponentUpdater',
  'PrivacySandboxSettings4',
  'InterestFeedContentSuggestions',
  'WebTransport',
  // Each page has a context of its own, without anything that frames could steal from one another; one process is enough.
  'IsolateOrigins',
  'site-per-process',
];

/**
 * How the browser is started. It has no network of its own: no name is found, and whatever it would connect to goes to a proxy that
 * is none. What a page needs is brought by the crawl, request by request.
 */
export function browserFlags({ profile, sandbox, images }: FlagOptions): string[] {
  return [
    '--headless=new',
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    '--host-resolver-rules=MAP * ~NOTFOUND',
    '--proxy-server=http://no-network.invalid:1',
    '--proxy-bypass-list=<-loopback>',
    '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
    '--disable-quic',
    `--disable-features=${WITHOUT.join(',')}`,
    '--disable-site-isolation-trials',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-component-extensions-with-background-pages',
    '--disable-default-apps',
    '--disable-domain-reliability',
    '--disable-extensions',
    '--disable-client-side-phishing-detection',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-dev-shm-usage',
    '--disable-gpu',
    '--disable-notifications',
    '--disable-speech-api',
    '--disable-hang-monitor',
    '--disable-prompt-on-repost',
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    '--disable-popup-blocking',
    '--no-first-run',
    '--no-default-browser-check',
    '--no-pings',
    '--mute-audio',
    '--hide-scrollbars',
    '--password-store=basic',
    '--use-mock-keychain',
    '--disk-cache-size=1',
    '--media-cache-size=1',
    `--js-flags=--max-old-space-size=${SCRIPT_HEAP_MB}`,
    ...(images ? [] : ['--blink-settings=imagesEnabled=false']),
    ...(sandbox ? [] : ['--no-sandbox']),
    'about:blank',
  ];
}

export interface VisibleFlagOptions {
  readonly profile: string;
  readonly sandbox: boolean;
  readonly url: string;
  /** Names with addresses of their own. */
  readonly hosts: Readonly<Record<string, string>>;
  /** URL of a proxy; empty for none. */
  readonly proxy: string;
  readonly tlsVerify: boolean;
}

/** How a browser is started that a person uses: a window, the network of this machine, and a profile that is gone afterwards. */
export function visibleBrowserFlags(options: VisibleFlagOptions): string[] {
  const { profile, sandbox, url, hosts, proxy, tlsVerify } = options;
  const mapped = Object.entries(hosts).map(([name, address]) => `MAP ${name} ${address}`);
  return [
    '--remote-debugging-pipe',
    `--user-data-dir=${profile}`,
    ...(mapped.length === 0 ? [] : [`--host-resolver-rules=${mapped.join(', ')}`]),
    ...(proxy === '' ? [] : [`--proxy-server=${new URL(proxy).origin}`]),
    ...(tlsVerify ? [] : ['--ignore-certificate-errors']),
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-extensions',
    '--disable-sync',
    '--disable-breakpad',
    '--disable-crash-reporter',
    '--disable-features=Translate,AutofillServerCommunication',
    '--no-first-run',
    '--no-default-browser-check',
    '--password-store=basic',
    '--use-mock-keychain',
    ...(sandbox ? [] : ['--no-sandbox']),
    url,
  ];
}
