/** Where a script leads the reader at once, and on what condition. */
export interface ScriptRedirect {
  /** As written; not yet absolute. */
  readonly target: string;
  /** Who comes from a search engine is led away, others are not. */
  readonly byReferrer: boolean;
  /** The script was written so that it cannot be read. */
  readonly veiled: boolean;
}

/**
 * `location = "…"`, `location.href = "…"`, `location.replace("…")`, with whatever stands before and brackets for dots. No two
 * runs of white space stand side by side, and the names before it are few: else a script of spaces would take forever.
 */
const LEADS_AWAY =
  /(?<![\w$.])(?:(?:window|document|top|self|parent|this|globalThis)\s*(?:\.\s*|\[\s*['"])){0,6}location(?:['"]\s*\])?\s*(?:(?:(?:\.\s*href|\[\s*['"]href['"]\s*\])\s*)?=(?!=)\s*|(?:\.\s*(?:replace|assign)|\[\s*['"](?:replace|assign)['"]\s*\])\s*\(\s*)(?:['"`]([^'"`\s]{4,300})['"`]|([A-Za-z_$][\w$]*))/g;
const WRITTEN_REFRESH = /http-equiv\\?=?\\?["']?refresh[^>]{0,60}?url=\\?["']?([^"'\\>\s]{4,300})/i;
const LONGEST_VEILED = 4000;
/** Between the parts of a string that was cut up. */
const JOINTS = /['"]\s*\+\s*['"]/g;
/** Scripts wait for a click, not longer than this for themselves. */
const SOON_MS = 3000;
/** A page that leads away does so at once. Each place costs a look through the script, so only the first few are looked at. */
const MOST_PLACES = 20;
/** Deeper functions are part of a large program. */
const MOST_FUNCTIONS = 20;

/** Reads a script for a redirect that no reader asked for; those in functions that wait for a click do not count. */
export function scriptRedirect(script: string): ScriptRedirect | undefined {
  const plain = script.includes('location') ? directRedirect(script, false) : undefined;
  if (plain !== undefined) return plain;
  if (script.includes('document.write') && script.includes('efresh')) {
    const target = WRITTEN_REFRESH.exec(script.replace(JOINTS, ''))?.[1];
    if (target !== undefined) return { target, byReferrer: /\breferrer\b/.test(script), veiled: false };
  }
  // Who veils a redirect does not do it in a large program.
  const unveiled = script.length <= LONGEST_VEILED ? unveil(script) : undefined;
  return unveiled === undefined ? undefined : directRedirect(unveiled, true);
}

function directRedirect(script: string, veiled: boolean): ScriptRedirect | undefined {
  const pattern = new RegExp(LEADS_AWAY.source, 'g');
  for (let place = 0; place < MOST_PLACES; place++) {
    const match = pattern.exec(script);
    if (match === null) return undefined;
    const target = match[1] ?? stringNamed(script, match[2]);
    if (target === undefined || !runsAtOnce(script, match.index)) continue;
    return { target, byReferrer: /\breferrer\b/.test(script.slice(0, match.index)), veiled };
  }
  return undefined;
}

/** The literal that was given to a variable before. */
function stringNamed(script: string, name: string): string | undefined {
  const given = new RegExp(`(?:^|[\\s;,{])${name.replaceAll('$', '\\$')}\\s*=\\s*(['"\`])([^'"\`\\n]{4,300})\\1`).exec(
    script,
  );
  return given?.[2];
}

/**
 * Whether the place is reached without anybody doing anything: not inside a function, unless that one is called at once,
 * when the page is loaded, or by a timer that is soon over.
 */
function runsAtOnce(script: string, place: number): boolean {
  let depth = 0;
  let functions = 0;
  for (let at = place - 1; at >= 0; at--) {
    const code = script.charCodeAt(at);
    if (code === CLOSE) depth++;
    else if (code === OPEN && depth-- === 0) {
      depth = 0;
      const before = script.slice(Math.max(0, at - 160), at);
      const opener = /(?:function\s*([\w$]*)\s*\([^()]*\)|\([^()]*\)\s*=>|\w+\s*=>)\s*$/.exec(before);
      if (opener === null) continue;
      if (++functions > MOST_FUNCTIONS || !calledAtOnce(script, before, opener, at)) return false;
    }
  }
  const timer = /setTimeout\s*\(\s*(?:function\s*\(\)\s*\{|\(\)\s*=>\s*\{?|['"`])[^{}]*$/.exec(
    script.slice(Math.max(0, place - 120), place),
  );
  return timer === null || soon(script.slice(place));
}

function calledAtOnce(script: string, before: string, opener: RegExpExecArray, open: number): boolean {
  const ahead = before.slice(0, opener.index);
  if (/(?:\(|!|void\s)\s*$/.test(ahead) && !/[\w$.]\s*\(\s*$/.test(ahead)) return true;
  if (
    /onload\s*=\s*(?:async\s*)?$/.test(ahead) ||
    /(?:['"](?:load|DOMContentLoaded)['"]\s*,|ready\s*\(|\$\s*\()\s*$/.test(ahead)
  )
    return true;
  if (/setTimeout\s*\(\s*$/.test(ahead)) return soon(script.slice(open));
  const name = opener[1] ?? '';
  if (name === '') return false;
  const called = new RegExp(`(?:^|[;}\\s=('"])${name.replaceAll('$', '\\$')}\\s*(?:\\(\\s*\\)|,\\s*(\\d+))`, 'g');
  for (const match of script.matchAll(called)) {
    const declared = /function\s*$/.test(script.slice(Math.max(0, match.index - 12), match.index + 1));
    if (!declared && Number(match[1] ?? 0) <= SOON_MS) return true;
  }
  return new RegExp(`onload\\s*=\\s*${name.replaceAll('$', '\\$')}\\b`).test(script);
}

function soon(rest: string): boolean {
  const delay = /,\s*(\d+)\s*\)/.exec(rest);
  return delay === null || Number(delay[1]) <= SOON_MS;
}

/** The text behind `unescape("%6c…")`, `atob("…")` or `String.fromCharCode(…)`. */
function unveil(script: string): string | undefined {
  if (script.includes('unescape') || script.includes('decodeURI')) {
    const escaped = /\b(?:unescape|decodeURIComponent|decodeURI)\s*\(\s*(['"`])((?:[^'"`\\]|\\.){12,})\1/.exec(
      script,
    )?.[2];
    if (escaped !== undefined)
      return escaped.replace(/%u([\da-f]{4})|%([\da-f]{2})/gi, (_, four, two) =>
        String.fromCharCode(Number.parseInt(four ?? two, 16)),
      );
  }
  if (script.includes('atob')) {
    const packed = /\batob\s*\(\s*(['"`])([A-Za-z\d+/=]{12,})\1/.exec(script)?.[2];
    if (packed !== undefined) return Buffer.from(packed, 'base64').toString('latin1');
  }
  if (script.includes('fromCharCode')) {
    const codes = /\bfromCharCode\s*\(([\d\s,]{24,})\)/.exec(script)?.[1];
    if (codes !== undefined) return String.fromCharCode(...codes.split(',').map(Number));
  }
  if (script.includes('\\x'))
    return script.replace(/\\x([\da-f]{2})/gi, (_, two) => String.fromCharCode(Number.parseInt(two, 16)));
  if (!/(?:window|document|self|top|parent|this)\s*\[/.test(script)) return undefined;
  const joined = script.replace(JOINTS, '');
  return joined.includes('location') ? joined : undefined;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
