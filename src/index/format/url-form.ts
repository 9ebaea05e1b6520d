const URL_START = /^(?:https?:\/\/|file:\/\/(?=\/))/i;
/** The path of a file says nothing of how much it is worth: neither the best of pages nor the last. */
const FORM_OF_FILES = 0.5;

/** The words of a URL as a text to analyse: host and path, without the scheme; '' for an id that is no URL. */
export function urlText(id: string): string {
  if (!URL_START.test(id)) return '';
  const rest = id.slice(id.indexOf('//') + 2).replace(/^www\./i, '');
  let text = rest;
  try {
    text = decodeURIComponent(rest);
  } catch {
    // Not UTF-8: its ASCII words still count.
  }
  return text.replace(/[/._\-?=&#:+~,;%]+/g, ' ');
}

/** 1 for the home page of a host, less for each folder below it and for a query; 0 for an id that is no URL. */
export function urlForm(id: string): number {
  if (!URL_START.test(id)) return 0;
  if (id.startsWith('file:')) return FORM_OF_FILES;
  const path = id.slice(id.indexOf('//') + 2);
  const slash = path.indexOf('/');
  if (slash < 0) return 1;
  const query = path.indexOf('?');
  const plain = query < 0 ? path : path.slice(0, query);
  const steps = plain.split('/').filter((step, at) => at > 0 && step !== '' && !/^index\.\w+$/.test(step)).length;
  return 1 / (1 + steps + (query < 0 ? 0 : 1));
}
