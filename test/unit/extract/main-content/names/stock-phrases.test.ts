import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isCredit,
  isDateLine,
  isInvitation,
  isLabel,
  isPictureCredit,
} from '../../../../../src/extract/main-content/names/stock-phrases.ts';

test('labels are whole lines', () => {
  for (const line of [
    'Advertisement',
    'Related Articles:',
    'Lesen Sie auch',
    'Lire aussi :',
    'Реклама',
    'Share this article',
  ])
    assert.ok(isLabel(line), line);
  for (const line of [
    'Advertisement is a business',
    'Related work in this field was done by others',
    'Comments on the law',
  ])
    assert.ok(!isLabel(line), line);
});

test('invitations begin a line', () => {
  for (const line of [
    'Read more: The other story',
    'Follow us on the usual channels',
    'Lesen Sie auch: Noch ein Artikel',
    'Te puede interesar: otra nota',
  ])
    assert.ok(isInvitation(line, true), line);
  assert.ok(isInvitation('There is more where that came from. Sign up for our free daily newsletter.', true));
  assert.ok(
    !isInvitation(
      'There is more where that came from. Sign up for our free daily newsletter, and then some more.',
      false,
    ),
  );
  assert.ok(!isInvitation('They follow the rules that were made long ago.', true));
});

test('credits name sources and makers of pictures', () => {
  for (const line of ['Source: Ministry', 'Quelle: dpa', '© 2024 Paper', '(dpa)', 'Copyright 2019 Paper'])
    assert.ok(isCredit(line), line);
  assert.ok(!isCredit('Sources close to the minister said that nothing was decided.'));
  for (const line of ['Photo: A. Person', 'A. Person | Bloomberg | Getty Images', 'Foto: imago'])
    assert.ok(isPictureCredit(line), line);
  assert.ok(!isPictureCredit('Photos of the event were shown to the court.'));
});

test('lines of dates are short', () => {
  for (const line of ['3 May 2024', '12:30', '22.10.2010', '5 min read']) assert.ok(isDateLine(line), line);
  assert.ok(!isDateLine('In 2024 the town decided to build a bridge over the river, and a road.'));
});
