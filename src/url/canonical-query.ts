import { isSessionParameter } from './session-ids.ts';
import { isTrackingParameter } from './tracking-parameters.ts';
import type { UrlOptions } from './url-options.ts';

/** The query (without "?", escapes canonical) as the options want it. `note` is told every step. */
export function canonicalQuery(query: string, options: UrlOptions, note?: (step: string) => void): string {
  let parameters = query.split('&');
  if (options.stripTracking || options.stripSessionIds) parameters = stripped(parameters, options, note);
  if (options.tidyQuery) parameters = tidied(parameters, note);
  if (options.sortQuery) parameters = sorted(parameters, note);
  return parameters.join('&');
}

/** Some servers separate by ";" too: each part of a parameter is judged by itself. */
function stripped(parameters: string[], options: UrlOptions, note?: (step: string) => void): string[] {
  const kept: string[] = [];
  for (const parameter of parameters) {
    const parts = parameter.split(';');
    const keptParts = parts.filter((part) => {
      const name = nameOf(part);
      const value = part.slice(name.length + 1);
      const what =
        options.stripTracking && isTrackingParameter(name)
          ? 'tracking parameter'
          : options.stripSessionIds && isSessionParameter(name, value)
            ? 'session id'
            : undefined;
      if (what !== undefined) note?.(`${what} ${name} removed`);
      return what === undefined;
    });
    if (keptParts.length > 0) kept.push(keptParts.join(';'));
  }
  return kept;
}

function tidied(parameters: string[], note?: (step: string) => void): string[] {
  const kept: string[] = [];
  for (const parameter of parameters) {
    const name = nameOf(parameter);
    if (name === '') note?.('parameter without a name removed');
    else if (parameter.length === name.length + 1) {
      note?.(`"=" of empty parameter ${name} removed`);
      kept.push(name);
    } else kept.push(parameter);
  }
  return kept;
}

function sorted(parameters: string[], note?: (step: string) => void): string[] {
  const order = parameters.toSorted((a, b) => {
    const nameA = nameOf(a);
    const nameB = nameOf(b);
    return nameA < nameB ? -1 : nameA > nameB ? 1 : 0;
  });
  if (order.some((parameter, at) => parameter !== parameters[at])) note?.('query sorted');
  return order;
}

function nameOf(parameter: string): string {
  const equals = parameter.indexOf('=');
  return equals === -1 ? parameter : parameter.slice(0, equals);
}
