import type { Plugin } from '../contracts/plugin.ts';

const API = 1;
const FUNCTIONS = ['filter', 'evidence', 'signal', 'onPage'] as const;
const KNOWN: ReadonlySet<string> = new Set(['name', 'api', 'fetchers', 'converters', 'sink', ...FUNCTIONS]);
/** Ours, or no way to a page. */
const TAKEN_SCHEMES: ReadonlySet<string> = new Set([
  'http',
  'https',
  'file',
  'data',
  'javascript',
  'blob',
  'about',
  'mailto',
]);
const TAKEN_TYPES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml']);

/** What a module exports, where it is a plug-in that this version can work with. A part that is spelt wrong would never be called. */
export function checkedPlugin(exported: unknown, fault: (why: string) => Error): Plugin {
  if (!isRecord(exported)) throw fault('its default export is neither a plug-in nor a function that makes one');
  const { name, api, sink } = exported;
  if (typeof name !== 'string' || name.trim() === '') throw fault('it has no name');
  if (api !== API) throw fault(`it is written for version ${String(api)} of plug-ins, and this is version ${API}`);
  const unknown = Object.keys(exported).find((key) => !KNOWN.has(key));
  if (unknown !== undefined) throw fault(`there is no part called ${unknown}`);
  for (const part of FUNCTIONS)
    if (exported[part] !== undefined && typeof exported[part] !== 'function') throw fault(`${part} is no function`);
  checkTable(exported.fetchers, 'fetchers', (scheme) => {
    if (!/^[a-z][a-z0-9+.-]*$/i.test(scheme)) return `${scheme} is no scheme; write it without the colon`;
    return TAKEN_SCHEMES.has(scheme.toLowerCase()) ? `${scheme} cannot be taken over` : undefined;
  });
  checkTable(exported.converters, 'converters', (type) => {
    if (!/^[^/\s;]+\/[^/\s;]+$/.test(type)) return `${type} is no media type`;
    return TAKEN_TYPES.has(type.toLowerCase()) ? `${type} cannot be taken over; onPage gets every page` : undefined;
  });
  if (sink !== undefined && !(isRecord(sink) && typeof sink.write === 'function')) throw fault('its sink has no write');
  if (Object.keys(exported).length === 2) throw fault('it has a name but no part');
  return exported as unknown as Plugin;

  function checkTable(table: unknown, what: string, problem: (key: string) => string | undefined): void {
    if (table === undefined) return;
    if (!isRecord(table)) throw fault(`${what} is no table`);
    for (const [key, call] of Object.entries(table)) {
      const why = typeof call === 'function' ? problem(key) : `what ${what} has for ${key} is no function`;
      if (why !== undefined) throw fault(why);
    }
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
