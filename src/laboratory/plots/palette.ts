type Pair = readonly [light: string, dark: string];

/** Told apart by people who do not see all colours, on white and on black; markers and dashes tell them apart once more. */
const COLOURS = {
  paper: ['#ffffff', '#14191e'],
  ink: ['#1f2933', '#e8ecef'],
  faint: ['#5b6670', '#9aa5af'],
  grid: ['#e3e7eb', '#2c343c'],
  ours: ['#0f7b6c', '#2fb8a3'],
  peer: ['#b3bcc5', '#56616c'],
  line0: ['#0072b2', '#56b4e9'],
  line1: ['#d55e00', '#ff9147'],
  line2: ['#00856a', '#3ecfa6'],
  line3: ['#b14a86', '#ec9cc9'],
  line4: ['#a67500', '#f0bd45'],
  line5: ['#4b3f9e', '#a99cf5'],
  line6: ['#5f6a73', '#b8c2cb'],
  line7: ['#8c2d19', '#f0876f'],
} as const satisfies Readonly<Record<string, Pair>>;

/** A colour by what it is for; which one it is depends on the paper. */
export type Tone = keyof typeof COLOURS;

export const TONES = Object.keys(COLOURS) as readonly Tone[];
export const LINE_TONES = TONES.filter((tone) => tone.startsWith('line'));

/** As #rrggbb, on white or on black paper. */
export function colourOf(tone: Tone, paper: 'light' | 'dark'): string {
  return COLOURS[tone][paper === 'light' ? 0 : 1];
}
