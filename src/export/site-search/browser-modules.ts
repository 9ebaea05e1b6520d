import { readFileSync } from 'node:fs';
import { posix } from 'node:path';

const IS_SOURCE = import.meta.url.endsWith('.ts');
const ROOT = new URL('../../', import.meta.url);
const SEARCH = new URL(IS_SOURCE ? './browser/bundle-search.ts' : './browser/bundle-search.js', import.meta.url);
/** For the browser, instead of one that needs Node.js. */
const CODE_UNITS = new URL(IS_SOURCE ? './browser/code-units.ts' : './browser/code-units.js', import.meta.url);
const REPLACED = new Map([[`base/code-units.${IS_SOURCE ? 'ts' : 'js'}`, CODE_UNITS]]);
const SPECIFIER = /(\bfrom\s*|\bimport\s*)(['"])(\.[^'"]+)\2/g;

/** A module as the browser loads it. */
export interface BrowserModule {
  /** Below the folder of modules, with slashes. */
  readonly path: string;
  readonly source: string;
}

/** The modules that search a bundle, in JavaScript: all that the entry imports, by whatever way. */
export async function browserModules(): Promise<BrowserModule[]> {
  const toScript = IS_SOURCE ? (await import('node:module')).stripTypeScriptTypes : (source: string) => source;
  const modules: BrowserModule[] = [];
  const paths = new Set([SEARCH.href.slice(ROOT.href.length)]);
  for (const path of paths) {
    const script = toScript(readFileSync(REPLACED.get(path) ?? new URL(path, ROOT), 'utf8'));
    const source = script.replace(SPECIFIER, (_, keyword: string, quote: string, specifier: string) => {
      paths.add(posix.join(posix.dirname(path), specifier));
      return `${keyword}${quote}${asScript(specifier)}${quote}`;
    });
    modules.push({ path: asScript(path), source });
  }
  return modules;
}

function asScript(path: string): string {
  return path.replace(/\.ts$/, '.js');
}
