import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { STEMMERS } from '../../../../../src/index/analysis/stem/stemmers.ts';

/** Forms of one word, folded, that meet in one stem; words of different lines stay apart. */
const FAMILIES: Readonly<Record<string, readonly string[]>> = {
  de: [
    'haus hauser hausern hauses',
    'kind kinder kindern kindes',
    'frau frauen',
    'schnell schnelle schneller',
    'muller mueller',
  ],
  fr: [
    'cheval chevaux',
    'maison maisons',
    'grand grande grands grandes',
    'chanter chantait chantent chantee',
    'chateau chateaux',
  ],
  es: ['casa casas', 'ciudad ciudades', 'luz luces', 'hablar hablando hablaba hablaron', 'cancion canciones'],
  it: ['casa case', 'libro libri', 'amico amici', 'parlare parlando parlato', 'banca banche'],
  pt: ['casa casas', 'nacao nacoes', 'animal animais', 'falar falando falava', 'homem homens'],
  nl: ['huis huizen', 'boek boeken', 'maan manen', 'kat katten', 'brief brieven'],
  sv: ['hus huset husen', 'bil bilar bilen bilarna', 'flicka flickor flickorna flickan'],
  no: ['hus huset husene', 'bil biler bilen bilene', 'norsk norske'],
  da: ['hus huset husene', 'bil biler bilen bilerne', 'pige piger pigerne'],
  fi: ['talo talot talossa talosta taloon talojen', 'auto autot autossa autojen'],
  ru: [
    'дом дома домов домами домах',
    'книга книги книгу книгами',
    'новый новая новые новых',
    'работать работает работают',
  ],
  hu: ['haz hazak hazban haznak hazat', 'konyv konyvek konyvet konyvben'],
  ro: ['casa case casei casele', 'carte carti cartile cartii', 'roman romani romanilor'],
  tr: ['ev evler evde evden evlerin', 'kitap kitaplar kitabi kitapta', 'araba arabalar arabada arabanin'],
};

for (const [language, families] of Object.entries(FAMILIES)) {
  test(`${language}: the forms of a word have one stem`, () => {
    const stem = STEMMERS.get(language) ?? assert.fail(`no stemmer for ${language}`);
    const stems = families.map((family) => [...new Set(family.split(' ').map(stem))]);
    for (const [at, own] of stems.entries()) assert.equal(own.length, 1, `${families[at]}: ${own.join(' ')}`);
    assert.equal(new Set(stems.flat()).size, families.length);
  });
}

test('no stemmer makes nothing of a word, or a word longer by more than a letter', () => {
  const words = fc.oneof(fc.stringMatching(/^[a-z]{1,16}$/), fc.stringMatching(/^[а-я]{1,16}$/));
  fc.assert(
    fc.property(fc.constantFrom(...STEMMERS.keys()), words, (language, word) => {
      const stem = STEMMERS.get(language)?.(word) ?? '';
      assert.ok(stem.length > 0 && stem.length <= word.length + 1, `${language} ${word} -> ${stem}`);
    }),
  );
});
