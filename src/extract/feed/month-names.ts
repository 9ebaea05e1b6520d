/**
 * How months begin in the languages whose feeds write them out: English, German, French, Spanish, Italian, Portuguese,
 * Dutch, Hungarian, Greek; without accents. Where three letters do not tell two months apart, four are given.
 */
const beginnings = [
  'jan gen ene ιαν',
  'feb fev φεβ',
  'mar mrt μαρ',
  'apr abr avr ava απρ',
  'may mai mei mag maj μαι μαω',
  'jun juin giu ιουν',
  'jul juil lug ιουλ',
  'aug ago aou αυγ',
  'sep set sze σεπ',
  'oct okt ott out οκτ',
  'nov νοε',
  'dec dez dic δεκ',
];

const months: ReadonlyMap<string, number> = new Map(
  beginnings.flatMap((names, index) => names.split(' ').map((name) => [name, index + 1] as const)),
);

/** 1 to 12 for a month's name or its beginning, in any of the languages known; undefined for other words. */
export function monthOf(word: string): number | undefined {
  const plain = word
    .normalize('NFD')
    .replace(/[\u0300-\u036f.]/g, '')
    .toLowerCase();
  return months.get(plain.slice(0, 4)) ?? months.get(plain.slice(0, 3));
}
