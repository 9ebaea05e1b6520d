import { OrbweaverError } from '../../base/errors.ts';

/** Where requests go instead of to their servers. The proxy resolves the names. */
export interface ProxyServer {
  readonly hostname: string;
  readonly port: number;
  /** The connection to the proxy itself is TLS. */
  readonly secure: boolean;
  /** Value of Proxy-Authorization. */
  readonly authorization?: string;
}

export function parseProxyServer(text: string): ProxyServer {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new OrbweaverError('SETTING_INVALID', 'the proxy is not an http or https URL');
  }
  const secure = url.protocol === 'https:';
  const credentials = `${unescaped(url.username)}:${unescaped(url.password)}`;
  return {
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    secure,
    authorization: url.username === '' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}

/** Without user and password. */
export function proxyName({ hostname, port }: ProxyServer): string {
  return `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
}

/** A percent sign that begins no escape stands for itself. */
function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
