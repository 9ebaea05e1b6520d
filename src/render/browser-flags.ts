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
