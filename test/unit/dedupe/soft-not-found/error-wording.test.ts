import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ERROR_PHRASES, errorWording, isPlainError } from '../../../../src/dedupe/soft-not-found/error-wording.ts';

describe('Wording of error pages', () => {
  test('every phrase of every language is told, alone and beside the name of a site', () => {
    assert.ok(Object.keys(ERROR_PHRASES).length >= 30);
    for (const [language, phrases] of Object.entries(ERROR_PHRASES)) {
      for (const phrase of phrases.split('|').map((text) => text.trim())) {
        for (const title of [phrase, phrase.toUpperCase(), `${phrase} | Shop`, `Shop – ${phrase}`, `404 - ${phrase}`]) {
          assert.ok(isPlainError(title), `${language}: ${title}`);
        }
      }
    }
  });

  const plain = [
    'Page not found',
    '404 Not Found',
    '404',
    'Error 404',
    'HTTP Error 404 - File not found',
    'Oops! Page not found',
    "Sorry, this page doesn't exist.",
    'Seite nicht gefunden - Universität Bonn',
    'Página não encontrada',
    'Página no encontrada :: Diario',
    'Stránka nenájdená',
    'Az oldal nem található!',
    'Strona nie została znaleziona',
    'Sayfa bulunamadı',
    '404页面不存在',
    'Страница не найдена — Новости',
    'Η σελίδα δεν βρέθηκε',
    'Trang không tồn tại',
    'Sidan kunde inte hittas · Kommunen',
  ];
  test('as real titles write it', () => {
    for (const title of plain) assert.equal(isPlainError(title), title !== '404', title);
  });

  test('honest titles', () => {
    const titles = [
      'Lost and not found',
      'How to design a 404 page that visitors like',
      'The page that was not found in the archive',
      'Area code 404',
      'Peugeot 404',
      'Missing pages of history',
      'Not found in translation',
      'Found',
      'Why does the moon exist?',
      'Error messages explained',
      '',
    ];
    for (const title of titles) assert.equal(isPlainError(title), false, title);
  });

  test('what only suggests it', () => {
    const wording = (title: string, opening: string, words: number): string => errorWording({ title, opening, words });
    assert.equal(wording('404', '', 20), 'suspicious');
    assert.equal(wording('Not found', 'hm', 20), 'suspicious');
    assert.equal(wording('Shop', 'Sorry. Diese Seite existiert nicht mehr oder wurde verschoben.', 20), 'suspicious');
    assert.equal(wording('Shop', 'Diese Seite existiert nicht', 900), 'none');
    assert.equal(wording('How to design a 404 page', 'Page not found is what ...', 900), 'none');
    assert.equal(wording('Opening hours', 'Monday to Friday', 12), 'none');
  });
});
