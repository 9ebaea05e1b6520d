/** Starred groups are for those who know them; of these the text counts. */
export const READ_THOUGH_STARRED = new Set([
  'shpinst',
  'fldinst',
  'ud',
  'shptxt',
  'nesttableprops',
  'do',
  'cs',
  'ds',
  'ts',
]);
/** Groups that hold no text of the document. */
export const SKIPPED = new Set(
  (
    'colortbl pict filetbl revtbl listtable listoverridetable rsidtbl generator objdata objclass objname sp nonshppict ' +
    'themedata colorschememapping datastore latentstyles xmlnstbl mmathPr pgptbl userprops upr pn pnseclvl bkmkstart ' +
    'bkmkend atnid atnauthor atnref atndate atntime atrfstart atrfend nonesttables template ftnsep ftnsepc ftncn aftnsep ' +
    'aftnsepc aftncn xe tc txe rxe fldtype docvar private panose falt fname fontemb fontfile datafield formfield passwordhash shprslt'
  ).split(' '),
);
/** Groups with paragraphs of their own. */
export const STORIES = new Set(
  'header headerl headerr headerf footer footerl footerr footerf footnote annotation shptxt dptxbxtext'.split(' '),
);
export const CHARACTERS: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'],
  ['line', '\n'],
  ['softline', '\n'],
  ['lquote', '\u2018'],
  ['rquote', '\u2019'],
  ['ldblquote', '\u201c'],
  ['rdblquote', '\u201d'],
  ['bullet', '\u2022'],
  ['endash', '\u2013'],
  ['emdash', '\u2014'],
  ['emspace', '\u2003'],
  ['enspace', '\u2002'],
  ['qmspace', '\u2005'],
]);
export const NAMED_CODE_PAGES: ReadonlyMap<string, number> = new Map([
  ['ansi', 1252],
  ['mac', 10000],
  ['pc', 437],
  ['pca', 850],
]);
