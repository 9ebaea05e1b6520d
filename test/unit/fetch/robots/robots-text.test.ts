import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRobots } from '../../../../src/fetch/robots/robots-parser.ts';
import { ROBOTS_MAX_BYTES, ROBOTS_MAX_LINE_BYTES, robotsText } from '../../../../src/fetch/robots/robots-text.ts';

const HEAD = 'User-agent: *\n';

/** A file of this size that ends in `last`. */
function padded(size: number, last: string): string {
  const comments = size - HEAD.length - last.length;
  const line = `#${'x'.repeat(98)}\n`;
  return HEAD + line.repeat(Math.floor(comments / 100)) + '#'.repeat(comments % 100) + last;
}

describe('robotsText: 500 KiB', () => {
  test('a file of exactly the limit counts wholly', () => {
    const body = padded(ROBOTS_MAX_BYTES, '\nDisallow: /last');
    assert.equal(body.length, ROBOTS_MAX_BYTES);
    for (const each of [body, Buffer.from(body)]) assert.equal(parseRobots(each).judge('x', '/last').allowed, false);
  });

  test('the line that the limit cuts in two is dropped, what follows too', () => {
    const body = `${padded(ROBOTS_MAX_BYTES, '\nDisallow: /')}private\nDisallow: /more\n`;
    for (const each of [body, Buffer.from(body)]) {
      const rules = parseRobots(each).rulesFor('x');
      assert.deepEqual(rules.judge('/anything'), { allowed: true });
      assert.deepEqual(rules.judge('/private'), { allowed: true });
      assert.deepEqual(rules.judge('/more'), { allowed: true });
    }
  });

  test('a line that ends at the limit counts', () => {
    const body = `${padded(ROBOTS_MAX_BYTES, '\nDisallow: /private')}\nDisallow: /more\n`;
    assert.equal(parseRobots(body).judge('x', '/private').allowed, false);
    assert.equal(parseRobots(body).judge('x', '/more').allowed, true);
  });

  test('text past ASCII is measured in octets', () => {
    const body = `${HEAD}#${'é'.repeat(ROBOTS_MAX_BYTES / 2)}\nDisallow: /late\n`;
    assert.equal(parseRobots(body).judge('x', '/late').allowed, true);
    assert.ok(Buffer.byteLength(robotsText(body)) <= ROBOTS_MAX_BYTES);
  });

  test('what is not UTF-8 stays within the limit though its escapes are longer', () => {
    const body = Buffer.from(`${HEAD}${`#${'\xe9'.repeat(98)}\n`.repeat(5000)}`, 'latin1');
    assert.ok(robotsText(body).length <= ROBOTS_MAX_BYTES);
    assert.ok(robotsText(body).endsWith('\n'));
  });

  test('a line too long is cut, also where it reaches past the limit', () => {
    const path = `/${'a'.repeat(ROBOTS_MAX_LINE_BYTES - 'Disallow: /'.length)}`;
    const body = `${HEAD}Disallow: ${path}${'b'.repeat(ROBOTS_MAX_BYTES)}`;
    assert.equal(parseRobots(body).judge('x', path).allowed, false);
    assert.equal(parseRobots(body).judge('x', path.slice(0, -1)).allowed, true);
  });
});

describe('robotsText: octets', () => {
  test('one byte order mark is removed', () => {
    assert.equal(robotsText('\ufeff\ufeffa'), '\ufeffa');
    assert.equal(robotsText(Buffer.from('\ufeff\ufeffa')), '\ufeffa');
  });

  test('octets that are no text are percent-encoded', () => {
    assert.equal(robotsText(Buffer.from('/b\xfc', 'latin1')), '/b%FC');
    assert.equal(robotsText(Buffer.from('/bü')), '/bü');
  });
});
