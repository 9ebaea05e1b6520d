import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { queryEncoder } from '../../../src/convert/query-encoder.ts';

const encode = (encoding: string, query: string): string | undefined => queryEncoder(encoding)?.(query);

describe('queryEncoder', () => {
  test('one byte for each character', () => {
    assert.equal(encode('windows-1251', 'q=Дом&x=1'), 'q=%C4%EE%EC&x=1');
    assert.equal(encode('iso-8859-15', 'c=€'), 'c=%A4');
    assert.equal(encode('windows-1252', 'é’'), '%E9%92');
  });

  test('two bytes, of which the second may be a letter', () => {
    assert.equal(encode('gbk', '中文'), '%D6%D0%CE%C4');
    assert.equal(encode('shift_jis', '日本ｱ'), '%93%FA%96{%B1');
    assert.equal(encode('euc-jp', '日本'), '%C6%FC%CB%DC');
    assert.equal(encode('big5', '中文'), '%A4%A4%A4%E5');
    assert.equal(encode('euc-kr', '한국'), '%C7%D1%B1%B9');
  });

  test('a character that the encoding lacks', () => {
    assert.equal(encode('windows-1252', '♥\u{1f600}'), '%26%239829%3B%26%23128512%3B');
  });

  test('encodings that the platform does not know', () => {
    assert.equal(encode('ibm855', 'q=да'), 'q=%A6%A0');
    assert.equal(queryEncoder('iso-2022-kr'), undefined);
  });

  test('Unicode pages send UTF-8', () => {
    for (const encoding of ['utf-8', 'utf-16le', 'utf-16be', 'replacement'])
      assert.equal(queryEncoder(encoding), undefined);
  });
});
