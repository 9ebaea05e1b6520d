import { LINE } from './captures.ts';
import type { Finding } from './findings.ts';
import type { Told } from './metadata-record.ts';

const MAX_AUTHORS = 20;
const DECLARED_WEIGHT = 60;
/** Stands after all findings: the text of the page. */
const LAST_RESORT: Finding = { value: '', source: 'text', weight: 0 };

/** Words before a name in a byline. */
const BEFORE =
  /^(?:(?:recipe|written|posted|published|reported|submitted|created|veröffentlicht|geschrieben|verfasst|publié|rédigé|escrito|publicado|scritto|pubblicato|geschreven|napisał|postado|eingestellt|erstellt)\s+)?(?:am\s+\S+\s+)?(?:by|von|par|por|di|da|de la|del|door|av|af|przez|od|автор|text|texte|texto|foto|fotos|interview|ein beitrag von|ein artikel von|aus der redaktion|autor(?:in|en|es)?(?:\/in|:in|\*in)?|auteure?|autrice|author|writer|verfasser(?:in)?|redaktion|redacci[oó]n|journalist|reporter|contributor|contributed by|story by|words by|words|credit|quelle|source|kontakt|editor|staff|guest post by|gastbeitrag von|eingesandt von|the author|about the author|über den autor|über die autorin)\s*[:|-]?\s+/i;
const ALONE = /^(?:by|von|par|por|di|text|autor(?:in)?|author|auteur|verfasser|redaktion|source|quelle|writer)\s*:\s*/i;
/** Where a name ends and something else begins. */
const AFTER =
  /\s*(?:[|•·»›/\\@(<\u2028]|\s[-–—]\s|,?\s+(?:\d|am\s|on\s|at\s|in\s|um\s|le\s|vom\s|updated|published|posted|veröffentlicht|aktualisiert|https?:)|\s*,\s*(?=(?:\p{Ll}|[A-Z]{2,}\b)))/u;
const JOINED =
  /\s*(?:,|;|\s&\s|\s\+\s|\su\.\s|\sand\s|\sund\s|\set\s|\sy\s|\se\s|\sen\s|\soch\s|\sog\s|\si\s|\sи\s|\sve\s)\s*/;
const NO_NAME =
  /https?:|www\.|\.(?:com|de|org|net)\b|@|©|\d{2}|[{}<>=#]|^(?:no author|alle posts|zeige alle|edit\b|save|journalisten|presse|admin|administrator|author|autor|by|von|gast|guest|user|anonymous|unknown|n\/a|none|null|undefined|default|webmaster|share|follow|more|mehr|comments?|kommentare?|leave a|read|view|all posts|home|contact|login|abo|profil|e-?mail|twitter|facebook|news|staff|print|drucken|teilen|artikel|article|beiträge|posts?|suivre|seguir|folgen|anzeige|advertorial|date|datum|profile|website|posted|published|written|biography|bio|about|über|tags?|autorenprofil|zum profil|alle artikel|alle beiträge)\b/i;

/**
 * The most believable source that tells a name is heard, and no other; but a full name is better than a nickname or the name of the
 * site. Of names that only their place on the page makes authors, those of the first byline count: the next are of other texts.
 */
export function chooseAuthors(
  found: readonly Finding[],
  siteNames: readonly string[],
  inText: () => readonly Finding[],
): Told<string>[] {
  let fallback: Told<string>[] | undefined;
  let nickname = false;
  const tried = new Set<string>();
  for (const finding of [...found, LAST_RESORT]) {
    if (finding === LAST_RESORT) {
      const names = inText().flatMap(({ value, source }) =>
        namesIn(value, false).map((name) => ({ value: name, source })),
      );
      const full = names.filter(({ value }) => isFullName(value) && !isSite(value, siteNames));
      return full.length > 0 ? full.slice(0, 1) : (fallback ?? names.slice(0, 1));
    }
    const declared = isDeclared(finding.source);
    const key = declared ? `${finding.source} ${finding.weight}` : `${finding.source} ${finding.group}`;
    if (finding.weight <= 0 || tried.has(key)) continue;
    // What stands at the edge of the page is not better than a nickname that is declared.
    if (nickname && finding.weight < DECLARED_WEIGHT) break;
    tried.add(key);
    const same = found.filter(
      ({ source, weight, group }) =>
        source === finding.source && (declared ? weight === finding.weight : group === finding.group),
    );
    const names = withoutRepeats(
      same.flatMap(({ value, source }) => namesIn(value, declared).map((name) => ({ value: name, source }))),
    );
    if (names.length === 0) continue;
    const known = names.filter(({ value }) => !isSite(value, siteNames));
    if (known.some(({ value }) => isFullName(value))) return known.slice(0, MAX_AUTHORS);
    if (nickname || (fallback !== undefined && known.length === 0)) continue;
    fallback = known.length > 0 ? known.slice(0, MAX_AUTHORS) : names.slice(0, MAX_AUTHORS);
    nickname = finding.weight >= DECLARED_WEIGHT && known.some(({ value }) => /\p{Lu}|\p{Lo}/u.test(value));
  }
  return fallback ?? [];
}

function isDeclared(source: string): boolean {
  return /^(?:meta|json-ld|microdata|link)/.test(source);
}

/** The names in a byline; one that is declared need not begin with a capital. */
export function namesIn(text: string, declared: boolean): string[] {
  if (/^\s*(?:https?:|www\.|\/)/i.test(text)) return [];
  const lines = text.slice(0, 400).split(LINE);
  const names: string[] = [];
  for (const line of lines) {
    let rest = line.trim();
    for (let round = 0; round < 3; round++) {
      const shorter = rest.replace(ALONE, '').replace(BEFORE, '').trim();
      if (shorter === rest) break;
      rest = shorter;
    }
    const reversed = /^(\p{Lu}[\p{L}'’-]+), (\p{Lu}[\p{L}'’.-]+(?: (?:de|van|von|der|den|di|da))*)$/u.exec(rest);
    if (reversed !== null && lines.length === 1) return [`${reversed[2]} ${reversed[1]}`];
    for (const part of rest.split(JOINED)) {
      const name = part
        .split(AFTER, 1)[0]
        .replace(/^[\s,.:;–—-]+|[\s,:;–—-]+$/g, '')
        .replace(/\s+/g, ' ');
      if (isName(name, declared)) names.push(name);
      // Words behind the first line that is no name belong to something else.
      else if (names.length > 0) return names;
    }
    if (names.length > 0 && lines.length > 1) return names;
  }
  return names;
}

function isName(text: string, declared: boolean): boolean {
  if (text.length < 2 || text.length > 60 || NO_NAME.test(text)) return false;
  const words = text.split(' ');
  if (!declared && words.length > 1 && !/^(?:[\p{Lu}\p{Lo}]|(?:von|van|de|di|da|al|el|le|la|dr|prof)\b)/u.test(text))
    return false;
  return words.length <= 6 && /\p{L}{2}/u.test(text) && !/[.!?]\s\p{Lu}\p{L}+\s\p{Ll}|[!?]$/u.test(text);
}

/** First name and surname, both with a capital; in scripts without capitals any two words or two characters. */
function isFullName(text: string): boolean {
  if (/[\u3040-\u9fff\uac00-\ud7af]/.test(text)) return true;
  const words = text.split(' ');
  return words.length >= 2 && words.length <= 5 && words.filter((word) => /^[\p{Lu}\p{Lo}]/u.test(word)).length >= 2;
}

function isSite(name: string, siteNames: readonly string[]): boolean {
  const plain = name.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
  return siteNames.some((site) => site.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '') === plain);
}

function withoutRepeats(told: readonly Told<string>[]): Told<string>[] {
  const seen = new Map<string, Told<string>>();
  for (const name of told) {
    const key = name.value.toLowerCase();
    if (!seen.has(key)) seen.set(key, name);
  }
  return [...seen.values()];
}
