import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  isInvitation,
  isLabel,
  isPagerWord,
  isPictureCredit,
} from '../../../../../src/extract/main-content/names/stock-phrases.ts';
import { WordBeginnings } from '../../../../../src/extract/main-content/names/word-beginnings.ts';

test('texts are told by their first two letters, in any case', () => {
  const beginnings = new WordBeginnings('ne s');
  for (const text of ['next', 'NEXT', 'so', 'Sz', 'é', '« next', '1', 'n', '', 'n«', 'ñe'])
    assert.ok(beginnings.mayBegin(text), text);
  for (const text of ['na', 'previous', 'en', 'NZ']) assert.ok(!beginnings.mayBegin(text), text);
});

test('stock phrases are found however they begin', () => {
  const labels =
    'Advertisement|Article continues below advertisement|Back to top|Breaking news|Caption|Close|Comments|Continue reading|' +
    'Email|Enlarge|Filed under|Follow us|Image source|Latest news|Like|Loading...|More|Newsletter|Play video|Post a comment|Print|' +
    'Read more|Save|Scroll back to top|See also|Share on x|Sign up|Sponsored|Story continues below|Subscribe|Tags|Topics|Tweet|' +
    'Up next|View comments|You may also like|Anzeige|Auch interessant|Das könnte Sie auch interessieren|Drucken|Empfehlungen|' +
    'Kommentare|Lesen Sie auch|Mehr zum Thema|Nach oben|Quelle|Schlagworte|Teilen|Verwandte Artikel|Weiterlesen|Werbung|Zum Thema|' +
    'Zurück|Ähnliche Artikel|Publicité|Imprimer|Partager|Voir aussi|Vous aimerez aussi|Sur le même sujet|Mots clés|En savoir plus|' +
    "S'abonner|Publicidad|Compartir|Etiquetas|Leer más|Lea también|Te puede interesar|Relacionados|Ver más|Leia mais|Saiba mais|" +
    'Veja também|Iklan|Baca juga|Bagikan|Реклама|Czytaj także|Udostępnij|Zobacz także|Condividi|Leggi anche|Lees ook|Delen|分享';
  for (const label of labels.split('|')) assert.ok(isLabel(label), label);
  const invitations =
    'Also read: this|Buyer’s guide: x|Categories: x|Click here for more|Don’t miss: x|Download our free app|Filed under x|Find us on x|' +
    'Follow us|Get our newsletters|Got a tip|Have a tip|Join us|Let us know in the comments|Like us on x|Listen to it live|' +
    'Looking for more of it?|Must read|Please follow us|Posted in x|Recommended: x|See also x|Send us feedback|Share this|Sign up for|' +
    'Subscribe to|Tags: x|Tell us what|Watch: x|Want more of it?|What do you think?|You might also like|Auch interessant|Folge uns|' +
    'Hier geht’s weiter|Jetzt abonnieren|Kategorien: x|Lies auch|Mehr dazu|Passend dazu|Siehe auch|Themen: x|Weiterlesen|' +
    'Zum Artikel|À lire aussi|A voir aussi|Abonnez-vous|Inscrivez-vous|Pour aller plus loin|Retrouvez aussi|Suivez-nous|Lea también|' +
    'Mira: x|Síguenos|¿Ya sabías|Únete|Veja também|Siga nos|Baca juga|Читайте также|Czytaj też|Guarda anche|Läs mer|Les også|相关新闻';
  for (const line of invitations.split('|')) assert.ok(isInvitation(line, false), line);
  for (const line of [
    'Photo: x',
    '(Image by x',
    'Picture courtesy of x',
    'Credit: x',
    'Foto: x',
    'Bild: x',
    'Titelbild: x',
    'Crédits: x',
  ])
    assert.ok(isPictureCredit(line), line);
  for (const word of [
    'Next',
    'previous',
    'UP',
    'Home',
    'contents',
    'index',
    'weiter',
    'zurück',
    'suivant',
    '»',
    '« prev',
    'Arriba',
  ])
    assert.ok(isPagerWord(word.replace(' ', '')), word);
});
