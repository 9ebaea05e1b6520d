import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findCards } from '../../../../src/extract/main-content/card-lists.ts';
import { buildTree } from '../../../../src/extract/main-content/tree-builder.ts';

function cards(html: string): number {
  return findCards(buildTree(html)).reduce((sum, card) => sum + card, 0);
}

const card = '<div><h3><a href="/x">A headline that leads away</a></h3><p>And a few words about it.</p></div>';

test('elements side by side that lead away are cards', () => {
  assert.equal(cards(card.repeat(3)), 3);
  assert.equal(cards(`<ul>${card.repeat(4).replaceAll('div>', 'li>')}</ul>`), 4);
});

test('fewer than three are none', () => assert.equal(cards(card.repeat(2)), 0));

test('texts with links in them are none', () => {
  const text =
    '<div><p>Some words before <a href="/x">a link of some length</a> and some after it.</p><p>More.</p></div>';
  assert.equal(cards(text.repeat(5)), 0);
  assert.equal(cards(`<ul>${'<li><a href="/x">Only a link, and no words about it</a></li>'.repeat(5)}</ul>`), 0);
});
