import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { describe, test } from 'node:test';
import { StatusLine } from '../../../../src/cli/output/status-line.ts';

/** What a terminal shows after it was sent text: it knows line feeds, carriage returns and the erasing of a line. */
class Screen {
  text = '';

  get lines(): string[] {
    const lines = [''];
    for (const piece of this.text.split(/(\n|\r\x1b\[K)/)) {
      if (piece === '\n') lines.push('');
      else if (piece === '\r\x1b[K') lines[lines.length - 1] = '';
      else lines[lines.length - 1] += piece;
    }
    return lines;
  }

  stream(): NodeJS.WriteStream {
    const stream = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.text += chunk;
        done();
      },
    });
    return Object.assign(stream, { isTTY: true }) as unknown as NodeJS.WriteStream;
  }
}

describe('the status line', () => {
  test('what others write stands on lines of its own, and the status line stays the last', () => {
    const screen = new Screen();
    const [stdout, stderr] = [screen.stream(), screen.stream()];
    using line = new StatusLine(stderr, [stdout, stderr]);
    line.show('5 pages');
    stdout.write('http://127.0.0.1:8787/\n');
    stderr.write(Buffer.from('Serving 5 documents.\n'));
    assert.deepEqual(screen.lines, ['http://127.0.0.1:8787/', 'Serving 5 documents.', '5 pages']);
    line.show('6 pages');
    assert.deepEqual(screen.lines.slice(2), ['6 pages']);
  });

  test('a line that comes in pieces is not cut in two', () => {
    const screen = new Screen();
    const stream = screen.stream();
    using line = new StatusLine(stream, [stream]);
    line.show('5 pages');
    stream.write('half ');
    line.show('6 pages');
    stream.write('whole\n');
    assert.deepEqual(screen.lines, ['half whole', '6 pages']);
  });

  test('in the end it is gone, and writing is as before', () => {
    const screen = new Screen();
    const stream = screen.stream();
    const { write } = stream;
    const line = new StatusLine(stream, [stream]);
    line.show('5 pages');
    line[Symbol.dispose]();
    assert.equal(stream.write, write);
    stream.write('done\n');
    assert.deepEqual(screen.lines, ['done', '']);
  });
});
