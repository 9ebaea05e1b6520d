/** Letters that Unicode does not take apart. */
const UNDECOMPOSED: Readonly<Record<string, string>> = { ł: 'l', ı: 'i', đ: 'd', ø: 'o' };

/** How much the wording of a page speaks for "there is no such page". */
export type ErrorWording = 'plain' | 'suspicious' | 'none';

export interface Worded {
  readonly title?: string;
  /** How the text begins. */
  readonly opening?: string;
  /** Of the whole text. Absent: it was not read, and counts as long. */
  readonly words?: number;
}

/** Longer texts are about something; only their title is looked at. */
export const THIN_WORDS = 150;
const OPENING_READ = 240;

/** Whole titles (but for the name of the site) that say that there is no such page. Without marks and punctuation. */
export const ERROR_PHRASES: Readonly<Record<string, string>> = {
  en: `page not found|the page was not found|this page was not found|page cannot be found|the page cannot be found|
    page could not be found|this page could not be found|the page could not be found|page can t be found|
    this page can t be found|that page can t be found|page doesn t exist|page does not exist|this page does not exist|
    this page doesn t exist|the page you requested was not found|the page you are looking for cannot be found|
    we can t find that page|we couldn t find that page|we could not find that page|page no longer exists|page missing|
    file not found|document not found|url not found|article not found|product not found|item not found|
    content not found|resource not found|object not found|the requested page was not found`,
  de: `seite nicht gefunden|die seite wurde nicht gefunden|seite nicht vorhanden|seite existiert nicht|
    diese seite existiert nicht|diese seite wurde nicht gefunden|die seite konnte nicht gefunden werden|
    seite konnte nicht gefunden werden|datei nicht gefunden|dokument nicht gefunden|inhalt nicht gefunden|
    artikel nicht gefunden`,
  fr: `page non trouvee|page introuvable|page inexistante|cette page n existe pas|la page n existe pas|
    cette page est introuvable|la page demandee est introuvable|la page demandee n existe pas|document introuvable|
    fichier introuvable|cette page n existe plus`,
  es: `pagina no encontrada|pagina no existe|la pagina no existe|esta pagina no existe|no se encontro la pagina|
    pagina inexistente|no se ha encontrado la pagina|archivo no encontrado|la pagina que buscas no existe`,
  pt: `pagina nao encontrada|pagina nao existe|a pagina nao existe|esta pagina nao existe|ficheiro nao encontrado|
    a pagina nao foi encontrada|arquivo nao encontrado`,
  it: 'pagina non trovata|pagina inesistente|la pagina non esiste|questa pagina non esiste|file non trovato',
  nl: 'pagina niet gevonden|pagina bestaat niet|deze pagina bestaat niet|de pagina is niet gevonden',
  sv: 'sidan hittades inte|sidan kunde inte hittas|sidan finns inte|sidan saknas|sidan kan inte hittas',
  da: 'siden blev ikke fundet|siden findes ikke|siden ikke fundet|siden kunne ikke findes|side ikke fundet',
  no: 'siden ble ikke funnet|siden finnes ikke|fant ikke siden|side ikke funnet|siden ikke funnet',
  fi: 'sivua ei loydy|sivua ei loytynyt|sivua ei ole|etsimaasi sivua ei loytynyt',
  pl: `strona nie znaleziona|nie znaleziono strony|strona nie istnieje|strona nie zostala znaleziona|
    nie odnaleziono strony`,
  cs: 'stranka nenalezena|stranka nebyla nalezena|stranka neexistuje',
  sk: 'stranka nenajdena|stranka sa nenasla|stranka nebola najdena',
  hu: 'az oldal nem talalhato|oldal nem talalhato|a keresett oldal nem talalhato|a lap nem talalhato',
  ro: 'pagina nu a fost gasita|pagina nu exista|pagina negasita',
  tr: 'sayfa bulunamadi|aradiginiz sayfa bulunamadi|sayfa mevcut degil',
  ru: 'страница не найдена|страница не существует|такой страницы не существует|страница не обнаружена',
  uk: 'сторінку не знайдено|сторінка не знайдена|сторінки не існує|сторінка не існує',
  bg: 'страницата не е намерена|страницата не съществува',
  sr: 'страница није пронађена|stranica nije pronadena|stranica ne postoji',
  sl: 'stran ne obstaja|stran ni najdena|strani ni mogoce najti',
  el: 'η σελίδα δεν βρέθηκε|σελίδα δεν βρέθηκε|η σελίδα δεν υπάρχει',
  ca: 'pagina no trobada|no s ha trobat la pagina|la pagina no existeix',
  et: 'lehte ei leitud|lehekulge ei leitud',
  lv: 'lapa nav atrasta',
  lt: 'puslapis nerastas',
  ar: 'الصفحة غير موجودة|لم يتم العثور على الصفحة|صفحة غير موجودة',
  he: 'הדף לא נמצא|העמוד לא נמצא|דף לא נמצא|עמוד לא נמצא',
  fa: 'صفحه یافت نشد|صفحه مورد نظر یافت نشد|صفحه پیدا نشد',
  hi: 'पृष्ठ नहीं मिला|पेज नहीं मिला',
  zh: `页面不存在|找不到页面|页面未找到|网页不存在|找不到网页|页面找不到|您访问的页面不存在|页面没有找到|頁面不存在|找不到網頁|
    找不到頁面|找不到此頁面|網頁不存在`,
  ja: `ページが見つかりません|ページが見つかりませんでした|お探しのページは見つかりません|お探しのページは見つかりませんでした|
    ページが存在しません|ファイルが見つかりません`,
  ko: '페이지를 찾을 수 없습니다|존재하지 않는 페이지입니다|요청하신 페이지를 찾을 수 없습니다|존재하지 않는 페이지',
  vi: 'khong tim thay trang|trang khong ton tai',
  id: 'halaman tidak ditemukan|halaman tidak dijumpai|halaman tidak tersedia',
  th: 'ไม่พบหน้า|ไม่พบหน้าเว็บ|ไม่พบหน้าที่คุณต้องการ',
};

/** What may stand beside such a phrase, or beside the number alone, without changing what it says. */
const NOISE = new Set(
  `error errors http https oops ooops whoops sorry fehler fehlermeldung erreur errore erro fout fel feil virhe blad chyba
   hiba eroare hata ошибка помилка грешка σφαλμα 错误 錯誤 エラー 오류 status code 404 410 not-found`
    .split(/\s+/)
    .map(plainLetters),
);
/** The number alone is a title too, of a road or of a band; with one of these it is an answer. */
const NUMBER = new Set(['404', '410']);
/** Say it with the number beside them, and only suggest it without. */
const SHORT_PHRASES = new Set(
  `not found|nicht gefunden|non trouve|introuvable|no encontrado|no encontrada|nao encontrado|non trovato|niet gevonden|
   hittades inte|ikke fundet|ikke funnet|ei loydy|nie znaleziono|nenalezeno|nem talalhato|bulunamadi|не найдено|
   не знайдено|nothing found|gone`
    .split('|')
    .map(plainLetters),
);
const PHRASES = new Set(Object.values(ERROR_PHRASES).join('|').split('|').map(plainLetters));
/** Every phrase holds one of these, as it is written: a quick look spares most titles the rest. */
const STEMS = new RegExp(
  `404|410|found|find|exist|missing|gone|gefunden|vorhanden|trouv|encontr|esist|trovat|gevonden|bestaat|hitta|finns|saknas|
   fundet|funnet|finnes|fant |sivua|nalez|istnieje|jden|nena|lhat|pagina nu|pagina neg|bulunamad|mevcut|prona|postoji|
   obstaja|najd|najti|trobat|trobad|leitud|atrasta|nerastas|trang|tidak|найден|существ|обнаруж|знайден|існу|намерен|съществ|
   пронађен|θηκε|ρχει|غير|العثور|נמצא|یافت|پیدا|मिला|不存在|找不到|未找到|没有找到|見つかりま|存在しま|찾을 수 없|존재하지|ไม่พบ`
    .split('|')
    .map((stem) => stem.replace(/^\s+/, ''))
    .join('|'),
);
const ANY_PHRASE = new RegExp([...PHRASES].toSorted((a, b) => b.length - a.length).join('|'));
/** Between the parts of a title. */
const SEPARATOR = /\s*[|•·»«›‹>–—:!?¡¿。！？|]+\s*|\s+[-~/]+\s+|\.\s+/;

/**
 * 'plain': the title says so and nothing else, whatever the language. 'suspicious': words to that effect stand in the
 * title or at the beginning of a thin page, which an article on the subject may have as well.
 */
export function errorWording({ title = '', opening = '', words }: Worded): ErrorWording {
  if (isPlainError(title)) return 'plain';
  if (words === undefined || words > THIN_WORDS) return 'none';
  const beginning = opening.slice(0, OPENING_READ).toLowerCase();
  return isSuspiciousTitle(title) || (STEMS.test(beginning) && ANY_PHRASE.test(plainLetters(beginning)))
    ? 'suspicious'
    : 'none';
}

function isSuspiciousTitle(title: string): boolean {
  if (!STEMS.test(title.toLowerCase())) return false;
  const letters = plainLetters(title);
  return SHORT_PHRASES.has(letters) || /(?:^| )404(?: |$)/.test(letters) || ANY_PHRASE.test(letters);
}

export function isPlainError(title: string): boolean {
  if (title.length < 3 || title.length > 200 || !STEMS.test(title.toLowerCase())) return false;
  return isPlainPart(title) || title.split(SEPARATOR).some(isPlainPart);
}

function isPlainPart(part: string): boolean {
  const letters = plainLetters(part);
  if (PHRASES.has(letters)) return true;
  const words = letters.split(' ');
  const bare = words.filter((word) => !NOISE.has(word));
  if (bare.length === words.length) return false;
  const rest = bare.join(' ');
  if (PHRASES.has(rest)) return true;
  if (!words.some((word) => NUMBER.has(word))) return false;
  return rest === '' ? words.length > 1 : SHORT_PHRASES.has(rest);
}

/** Lower case, without marks and punctuation, words and numbers apart. */
function plainLetters(text: string): string {
  let letters = text.toLowerCase();
  if (/[^\x00-\x7f]/.test(letters)) {
    letters = letters.normalize('NFKD').replace(/\p{M}/gu, '');
    letters = letters.replace(/[łıđø]/g, (letter) => UNDECOMPOSED[letter]);
    letters = letters.replace(/(\d)(?=\p{L})/gu, '$1 ').replace(/(\p{L})(?=\d)/gu, '$1 ');
    return letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
  }
  return letters.replace(/[^a-z0-9]+/g, ' ').trim();
}
