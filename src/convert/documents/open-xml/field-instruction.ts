/** Longer ones hold data, not an address. */
const MAX_INSTRUCTION = 8_000;

/** Where the field instruction of a word processor (HYPERLINK "url" \l "place") leads; undefined where it is no link. */
export function hyperlinkOf(instruction: string): string | undefined {
  if (instruction.length > MAX_INSTRUCTION) return undefined;
  const start = /^\s*HYPERLINK\b/i.exec(instruction);
  if (start === null) return undefined;
  let url = '';
  let place = '';
  let isPlace = false;
  // Quotes are straight, or curly where the writer's editor made them so; without quotes a word is an argument.
  const parts = instruction
    .slice(start[0].length)
    .matchAll(/\\([a-z])|["\u201c\u201d]([^"\u201c\u201d]*)["\u201c\u201d]?|([^\s"\\\u201c\u201d]\S*)/gi);
  for (const [, option, quoted, bare] of parts) {
    if (option !== undefined) {
      const letter = option.toLowerCase();
      if (letter === 'l') isPlace = true;
      // The frame and the tip that follow are not the address.
      else if (letter === 'o' || letter === 't') break;
      continue;
    }
    const argument = (quoted ?? bare ?? '').replace(/\\\\/g, '\\').trim();
    if (isPlace) place = argument;
    else if (url === '') url = argument;
    isPlace = false;
  }
  if (url === '') return undefined;
  return place === '' ? url : `${url}#${place}`;
}
