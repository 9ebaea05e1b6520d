export interface Source {
  /** ISO 639-1. */
  readonly code: string;
  /** What its letters must be for a line to count. */
  readonly script: RegExp;
  /** Names of its locales in packages, where they are not the code. */
  readonly locales?: readonly string[];
  /** Whose packages hold it, where that is not the code. */
  readonly owner?: string;
  /** How often it is written without accents. */
  readonly plain?: number;
  /** Its versions of the Universal Declaration of Human Rights. */
  readonly declarations?: readonly string[];
}

const LATIN = /\p{Script=Latin}/u;
const CYRILLIC = /\p{Script=Cyrillic}/u;
const ARABIC = /\p{Script=Arabic}/u;
const DEVANAGARI = /\p{Script=Devanagari}/u;

/** Languages that share their script with another, which the model must tell apart. */
export const LANGUAGES: readonly Source[] = [
  { code: 'af', script: LATIN, declarations: ['afr'] },
  { code: 'az', script: LATIN, declarations: ['azj_latn'] },
  { code: 'bs', script: LATIN, declarations: ['bos_latn'] },
  { code: 'ca', script: LATIN, declarations: ['cat'] },
  { code: 'cs', script: LATIN, declarations: ['ces'] },
  { code: 'cy', script: LATIN, declarations: ['cym'] },
  { code: 'da', script: LATIN, declarations: ['dan'] },
  { code: 'de', script: LATIN, declarations: ['deu_1996'] },
  { code: 'en', script: LATIN, locales: ['en', 'C'], declarations: ['eng'] },
  { code: 'eo', script: LATIN, declarations: ['epo'] },
  { code: 'es', script: LATIN, declarations: ['spa'] },
  { code: 'et', script: LATIN, declarations: ['est'] },
  { code: 'eu', script: LATIN, declarations: ['eus'] },
  { code: 'fi', script: LATIN, declarations: ['fin'] },
  { code: 'fr', script: LATIN, declarations: ['fra'] },
  { code: 'ga', script: LATIN, declarations: ['gle'] },
  { code: 'hr', script: LATIN, declarations: ['hrv'] },
  { code: 'hu', script: LATIN, declarations: ['hun'] },
  { code: 'id', script: LATIN, declarations: ['ind'] },
  { code: 'is', script: LATIN, declarations: ['isl'] },
  { code: 'it', script: LATIN, declarations: ['ita'] },
  { code: 'la', script: LATIN, declarations: ['lat', 'lat_1'] },
  { code: 'lg', script: LATIN, declarations: ['lug'] },
  { code: 'lt', script: LATIN, declarations: ['lit'] },
  { code: 'lv', script: LATIN, declarations: ['lav'] },
  { code: 'mi', script: LATIN, declarations: ['mri'] },
  { code: 'ms', script: LATIN, declarations: ['mly_latn'] },
  { code: 'nb', script: LATIN, locales: ['nb', 'no'], declarations: ['nob'] },
  { code: 'nl', script: LATIN, declarations: ['nld'] },
  { code: 'nn', script: LATIN, declarations: ['nno'] },
  { code: 'pl', script: LATIN, declarations: ['pol'] },
  { code: 'pt', script: LATIN, declarations: ['por_BR', 'por_PT'] },
  { code: 'ro', script: LATIN, declarations: ['ron_2006'] },
  { code: 'sk', script: LATIN, declarations: ['slk'] },
  { code: 'sl', script: LATIN, declarations: ['slv'] },
  { code: 'sn', script: LATIN, declarations: ['sna'] },
  { code: 'so', script: LATIN, declarations: ['som', '058'] },
  { code: 'sq', script: LATIN, declarations: ['als'] },
  { code: 'st', script: LATIN, declarations: ['sot'] },
  { code: 'sv', script: LATIN, declarations: ['swe'] },
  { code: 'sw', script: LATIN, declarations: ['swh', '062', '063'] },
  { code: 'tl', script: LATIN, locales: ['tl', 'fil'], declarations: ['tgl'] },
  { code: 'tn', script: LATIN, declarations: ['tsn'] },
  { code: 'tr', script: LATIN, declarations: ['tur'] },
  { code: 'ts', script: LATIN, declarations: ['tso_MZ', 'tso_ZW'] },
  { code: 'vi', script: LATIN, plain: 0.03, declarations: ['vie'] },
  { code: 'xh', script: LATIN, declarations: ['xho'] },
  { code: 'yo', script: LATIN, plain: 0.4, declarations: ['yor'] },
  { code: 'zu', script: LATIN, declarations: ['zul'] },
  { code: 'be', script: CYRILLIC, declarations: ['bel'] },
  { code: 'bg', script: CYRILLIC, declarations: ['bul'] },
  { code: 'kk', script: CYRILLIC, declarations: ['kaz'] },
  { code: 'mk', script: CYRILLIC, declarations: ['mkd'] },
  { code: 'mn', script: CYRILLIC, declarations: ['khk'] },
  { code: 'ru', script: CYRILLIC, declarations: ['rus'] },
  { code: 'sr', script: CYRILLIC, declarations: ['srp_cyrl'] },
  { code: 'uk', script: CYRILLIC, declarations: ['ukr'] },
  { code: 'ar', script: ARABIC, declarations: ['arb'] },
  { code: 'fa', script: ARABIC, declarations: ['pes_1'] },
  { code: 'ur', script: ARABIC, declarations: ['urd', 'urd_2'] },
  { code: 'hi', script: DEVANAGARI, declarations: ['hin'] },
  { code: 'mr', script: DEVANAGARI, declarations: ['mar'] },
];

/** Languages that their script tells; their letters matter for charsets. */
export const LANGUAGES_OF_ONE_SCRIPT: readonly Source[] = [
  { code: 'el', script: /\p{Script=Greek}/u, declarations: ['ell_monotonic'] },
  { code: 'he', script: /\p{Script=Hebrew}/u, declarations: ['heb'] },
  { code: 'th', script: /\p{Script=Thai}/u, declarations: ['tha'] },
  { code: 'ko', script: /\p{Script=Hangul}/u, declarations: ['kor'] },
  { code: 'ja', script: /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}ー]/u, declarations: ['jpn'] },
  {
    code: 'zh-hans',
    script: /\p{Script=Han}/u,
    owner: 'zh',
    locales: ['zh_CN', 'zh-CN', 'zh-hans', 'zh_Hans'],
    declarations: ['cmn_hans'],
  },
  {
    code: 'zh-hant',
    script: /\p{Script=Han}/u,
    owner: 'zh',
    locales: ['zh_TW', 'zh-TW', 'zh-hant', 'zh_Hant', 'zh_HK'],
    declarations: ['cmn_hant'],
  },
];
