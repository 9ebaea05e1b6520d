/** A text as one word of a command line that somebody copies: quoted where it must be. */
export function shellWord(text: string): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text)) return text;
  // Double quotes are understood everywhere; but some characters keep their meaning within them.
  return /["$`\\!]/.test(text) ? `'${text.replaceAll("'", "'\\''")}'` : `"${text}"`;
}
