const WRITE_CHARACTERS = 65_536;

/** Writes lines to standard output, in pieces and no faster than they are read: however many there are, few are held. */
export async function writeLines(lines: Iterable<string>): Promise<void> {
  let piece = '';
  for (const line of lines) {
    piece += `${line}\n`;
    if (piece.length < WRITE_CHARACTERS) continue;
    await write(piece);
    piece = '';
  }
  if (piece !== '') await write(piece);
}

/** The same for what comes in pieces, line breaks and all. */
export async function writePieces(pieces: AsyncIterable<string>): Promise<void> {
  let waiting = '';
  for await (const piece of pieces) {
    waiting += piece;
    if (waiting.length < WRITE_CHARACTERS) continue;
    await write(waiting);
    waiting = '';
  }
  if (waiting !== '') await write(waiting);
}

async function write(piece: string): Promise<void> {
  if (!process.stdout.write(piece)) await new Promise<void>((drained) => process.stdout.once('drain', () => drained()));
}
