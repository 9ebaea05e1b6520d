/** Names that mean a session whatever the value. Lower case; compared without regard to case. */
export const sessionParameters: readonly string[] = [
  'jsessionid',
  'phpsessid',
  'sessionid',
  'session_id',
  '_sessionid',
  'bv_sessionid',
  'oscsid',
  'zenid',
  'cfid',
  'cftoken',
];

/** Names that mean many things: only a value that looks drawn by lot makes them a session. */
export const ambiguousSessionParameters: readonly string[] = ['sid', '_sid', 'sess', 'session'];

/** Families of names: ASP appends letters of its own choosing. */
export const sessionPrefixes: readonly string[] = ['aspsessionid'];

const names: ReadonlySet<string> = new Set(sessionParameters);
const ambiguous: ReadonlySet<string> = new Set(ambiguousSessionParameters);

export function isSessionParameter(name: string, value: string): boolean {
  const lower = name.toLowerCase();
  return isSureName(lower) || (ambiguous.has(lower) && looksLikeSession(value));
}

/** Whether some value would make it a session. */
export function isSessionName(name: string): boolean {
  const lower = name.toLowerCase();
  return isSureName(lower) || ambiguous.has(lower);
}

function isSureName(lower: string): boolean {
  return names.has(lower) || sessionPrefixes.some((prefix) => lower.startsWith(prefix));
}

/** Long hexadecimal, or longer and of letters and digits mixed. */
function looksLikeSession(value: string): boolean {
  if (value.length < 16 || !/^[0-9A-Za-z]+$/.test(value)) return false;
  if (/^[0-9A-Fa-f]+$/.test(value)) return value.length >= 24 || /[A-Fa-f]/.test(value);
  return value.length >= 24 && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** A path without `;jsessionid=…` and without the `/(S(…))` segments of cookieless ASP.NET. */
export function stripPathSessionIds(path: string): string {
  let stripped = path;
  if (path.includes(';')) stripped = path.split('/').map(stripSegment).join('/');
  if (stripped.includes('/(')) stripped = stripped.replace(cookielessSegment, '') || '/';
  return stripped;
}

const cookielessSegment = /\/\((?:[0-9a-z]{24}|(?:[a-z]\([0-9a-z]{24}\))+)\)(?=\/|$)/gi;

function stripSegment(segment: string): string {
  if (!segment.includes(';')) return segment;
  const [head, ...parameters] = segment.split(';');
  const kept = parameters.filter((parameter) => {
    const equals = parameter.indexOf('=');
    return equals === -1 || !isSessionParameter(parameter.slice(0, equals), parameter.slice(equals + 1));
  });
  // "..;jsessionid=1" must not turn into a step upwards.
  if (kept.length === 0 && (head === '.' || head === '..')) return segment;
  return [head, ...kept].join(';');
}
