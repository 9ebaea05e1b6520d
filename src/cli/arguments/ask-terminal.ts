import { StringDecoder } from 'node:string_decoder';
import { OrbweaverError } from '../../base/errors.ts';

/** A terminal, as far as it is asked. */
export interface AskedTerminal {
  readonly input: Pick<NodeJS.ReadStream, 'isTTY' | 'setRawMode' | 'on' | 'off' | 'resume' | 'pause'>;
  readonly output: { write(text: string): unknown };
}

const [INTERRUPT, END, BACKSPACE, DELETE] = ['\u0003', '\u0004', '\b', '\u007f'];

/** One line that a person types. `hidden`: nothing of it is shown. Ctrl-C and Ctrl-D end the command. */
export async function askTerminal(
  question: string,
  hidden: boolean,
  { input, output }: AskedTerminal = { input: process.stdin, output: process.stderr },
): Promise<string> {
  output.write(question);
  const decoder = new StringDecoder('utf8');
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let typed: string[] = [];
  const take = (sign: string): void => {
    if (sign === '\r' || sign === '\n') resolve(typed.join(''));
    else if (sign === INTERRUPT || sign === END) reject(new OrbweaverError('USAGE', 'Nothing was written.'));
    else if (sign === BACKSPACE || sign === DELETE) {
      if (typed.length > 0 && !hidden) output.write('\b \b');
      typed = typed.slice(0, -1);
    } else if (sign >= ' ') {
      typed.push(sign);
      if (!hidden) output.write(sign);
    }
  };
  const onData = (chunk: Buffer): void => {
    for (const sign of decoder.write(chunk)) take(sign);
  };
  // Without it the terminal itself would show what is typed.
  input.setRawMode(true);
  input.on('data', onData);
  input.resume();
  try {
    return await promise;
  } finally {
    input.off('data', onData);
    input.setRawMode(false);
    input.pause();
    output.write('\n');
  }
}
