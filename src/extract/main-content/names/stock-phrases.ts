import { WordBeginnings } from './word-beginnings.ts';

/** Lines that label what is not there any more, or a button. */
const LABEL = new RegExp(
  `^(?:${[
    'advert|adverts|advertisement|advertising|ad|sponsored|sponsored content|promoted|promoted content|story continues below( advertisement)?|article continues below( advertisement)?',
    'comments?|leave a (comment|reply)|post a comment|view comments|show comments|no comments|share|share this( article| post| story)?|share on \\w+|tweet|like|print|email|save|close|caption|enlarge|tags?|filed under|topics|categories|related|related (articles?|posts?|stories|content|topics|news|links?)|read more|more|see also|most read|most popular|recommended|recommended for you|you may also like|you might also like|more stories|more from .{1,40}|more on this( story)?|newsletter|sign up|subscribe|follow us|scroll back to top|back to .{1,30}|loading\\.*|continue reading|read next|up next|more on this topic|breaking news|latest news|image source|view image|play video',
    'anzeige|werbung|kommentare?|teilen|drucken|merken|schlagworte|themen|stichworte|mehr zum thema|lesen sie auch|das könnte sie auch interessieren|auch interessant|weitere (artikel|informationen|meldungen|themen|beiträge)|zum thema|newsletter|ähnliche (artikel|beiträge)|verwandte (artikel|themen)|empfehlungen( der redaktion| aus der redaktion)?|zurück( zu[rm]? [a-zäöü]+)?|nach oben|weiterlesen|mehr lesen|quellen?|quellenangaben?|schon gelesen\\?|meistgelesen',
    'publicité|commentaires?|partager|imprimer|à lire aussi|lire aussi|lire la suite|voir aussi|vous aimerez aussi|sur le même (sujet|thème)|mots[- ]clés|articles? (similaires?|liés?|associés?)|en savoir plus|s.abonner',
    'publicidad|anuncio|comentarios?|compartir|etiquetas|imprimir|leer más|lea también|lee también|te puede interesar|también te puede interesar|relacionad[oa]s?|noticias relacionadas|temas|ver más',
    'publicidade|comentários?|compartilhar|compartilhe|leia também|leia mais|saiba mais|veja também|mais lidas|iklan|baca juga|bagikan|реклама|комментарии|поделиться|читайте также|теги|по теме|reklama|komentarze|udostępnij|czytaj także|zobacz także|tagi|pubblicità|commenti|condividi|leggi anche|advertentie|reacties|delen|lees ook|广告|分享|评论|相关新闻|相关阅读',
  ].join('|')})\\s*[:…»>]*$`,
  'iu',
);
const LABELS = new WordBeginnings(
  'ad an ar au ba br ca cl co cz da de dr em en et fi fo ik im ko la le li lo ma me mo na ne no pa pl po pr pu qu re s ta te th to ' +
    'tw ud up ve vi vo we wo yo zo zu',
);

/** Lines that lead elsewhere. */
const INVITATION = new RegExp(
  `^(?:${[
    '(also )?read (more|also|next|on|the full (story|article))\\b|also read|must read|related( (story|stories|article|articles|reading|coverage|post|posts|links?|roundups?))?\\s*:|see also\\b|see more|watch( now)?\\s*:|more\\s*:|more on this|tags?\\s*:|filed under|categor(y|ies)\\s*:|posted in\\b|you (may|might) also (like|enjoy)|don.t miss\\s*:|recommended\\s*:|click here (to|for)|(want|looking for) more .*\\?|join (us|our|the conversation)|(please )?follow (us|me|him|her|them|@|\\w+( \\w+){0,5} on (facebook|twitter|instagram|x|youtube|tiktok|linkedin|telegram))|like us on|find us on|sign[- ]?up (for|to|here|now)|subscribe (to|here|now|today)|get (the )?(latest|our|breaking) .*(inbox|newsletters?|app)|download (our|the) .*app\\b|have a (tip|story|question)|got a (tip|story)|send (us )?(a |your )?(tips|news tip|feedback|comments)|listen to .* (live|here)|share this|buyer.s guide\\s*:|tell us what|what do you think\\?|let us know in the comments',
    '(lesen|sehen|hören) sie (auch|mehr|hier|jetzt)|auch (interessant|lesenswert|auf)\\b|mehr (zum thema|dazu)\\b|mehr\\s*:|weitere (infos|informationen|artikel|meldungen|beiträge)|weiterlesen|hier geht.s|zum (artikel|beitrag|video|newsletter|shop)|passend dazu|das könnte (sie|dich|euch)|folge(n sie)? uns|jetzt (abonnieren|anmelden|lesen|kaufen|bestellen)|newsletter|schlag(worte|wörter)\\s*:|kategorien?\\s*:|themen\\s*:|siehe auch|lies (auch|hier|mehr)',
    '(à|a) (lire|voir|écouter|découvrir) (aussi|également)|lire (aussi|également|la suite|l.article)|(voir|découvrez|retrouvez|écoutez) (aussi|également)|suivez[- ](nous|moi)|abonnez[- ]vous|inscrivez[- ]vous|pour aller plus loin|mots[- ]clés|sur le même sujet',
    '(lea|lee|leer|ver|vea|mira|mirá|escucha) (también|además|más|aquí)|mira\\s*:|te (puede|podría|recomendamos)|también (te puede|puedes|lee|lea)|síguenos|sigue (a|nuestr)|suscríbete|únete|más información|etiquetas\\s*:|¿ya sabías',
    '(leia|veja|confira|saiba|assista) (também|mais|aqui)|siga (o|a|nos)|inscreva|baca (juga|selengkapnya)|читайте (также|нас|далее)|подпис(ывайтесь|аться)|czytaj (też|także|więcej|dalej)|zobacz (też|także|więcej)|(leggi|guarda) (anche|tutto)|lees (ook|meer|verder)|läs (också|mer)|les (også|mer)|相关(新闻|阅读|文章)',
  ].join('|')})`,
  'iu',
);
const INVITATIONS = new WordBeginnings(
  'ab al as au ba bu ca cl co cz da do es et fi fo ge go gu ha hi in je jo ka le li lo me mi mo mu ne pa pl po re sa sc se sh si su ' +
    'ta te th ve vo wa we wh yo zo zu',
);

const SUBSCRIBE =
  /(?:sign(?:ing)? up|subscribe|subscription|abonnier|anmeld|abonne|inscri|suscr|únete|follow|folg).*(?:newsletter|inbox|your e-?mail|\bapp\b|telegram|whatsapp|channel|canal\b|podcast)/iu;

/** Whoever made a picture, or owns it: wherever the line stands. */
const PICTURE =
  /^[([*–—-]*\s*(?:photo(graph)?s?|images?|pictures?|credits?|fotos?|bild(er|nachweise?|quellen?)?|titelbild|crédits?( photos?)?|créditos?|zdjęci[ae]|фото)( (credits?|source|by|courtesy( of)?))?\s*(?:[:：/©|]|\bby\b|courtesy)/iu;
const PICTURES = new WordBeginnings('bi cr fo im ph pi ti zd');

const AGENCY =
  /[|/]\s*(getty( images)?|afp|ap|reuters|shutterstock|istock|alamy|imago|dpa|picture alliance|unsplash|pixabay|bloomberg)[^a-z]*$|\b(via )?getty images[^a-z]*$/iu;

/** What one of the above has in any case: to look for it spares the look for all of them. */
const MAY_NAME_AGENCY = /[|/]|getty/i;

const CREDIT = new RegExp(
  `^[(\\[*–—-]*\\s*(?:${[
    'sources?|via|credits?|(photo|image|picture|video)s?( credits?| source| by)?|copyright|©|all rights reserved|disclaimer|disclosure|citation|reporting by|edited by|editing by|written by|contact|press contact|note to editors|images?',
    'quellen?|fotos?|bild(er|nachweise?|quellen?)?|titelbild|aufmacherbild|pressekontakt|kontakt|redaktion|text|autor(in)?|alle angaben ohne gewähr',
    'crédits?( photos?)?|photos?|auteurs?|fuentes?|foto(grafía)?s?|créditos?|fontes?|fonte|źródło|zdjęci[ae]|источник|фото|来源|编辑|责任编辑',
  ].join('|')})\\s*(?:[:：/©|]|$)|^©|^\\(?(?:dpa|afp|reuters|apa|sda|ots|ap|efe|ansa)(?:[/, -][a-z/, -]+)?\\)?$`,
  'iu',
);

const RIGHTS =
  /\b(?:subject to copyright|all rights reserved|reproduced without|alle rechte vorbehalten|tous droits réservés|todos los derechos)\b|^(?:©|copyright\b|citation:)/iu;

const DATE =
  /\b(?:\d{1,2}:\d{2}|(?:19|20)\d{2}|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})\b|\b\d+ (?:min(?:ute)?s?|hours?|days?) (?:ago|read)\b/i;

/** Whether a line without a link that begins with these characters may be one of the above; what else makes it one stands inside of it. */
export function mayBeginStock(first: number, second: number): boolean {
  return (
    LABELS.mayBeginWith(first, second) ||
    INVITATIONS.mayBeginWith(first, second) ||
    PICTURES.mayBeginWith(first, second)
  );
}

/** The whole line is a label, such as "Advertisement". */
export function isLabel(line: string): boolean {
  return line.length <= 60 && LABELS.mayBegin(line) && LABEL.test(line);
}

/** The line invites the reader to go elsewhere. Without a link it must be short to be one. */
export function isInvitation(line: string, leads: boolean): boolean {
  if (line.length > (leads ? 260 : 70)) return false;
  return (INVITATIONS.mayBegin(line) && INVITATION.test(line)) || (leads && SUBSCRIBE.test(line));
}

/** Names a source or who made a picture. */
export function isCredit(line: string): boolean {
  return (line.length <= 120 && CREDIT.test(line)) || RIGHTS.test(line);
}

/** Names who made a picture. */
export function isPictureCredit(line: string): boolean {
  if (line.length > 100) return false;
  return (PICTURES.mayBegin(line) && PICTURE.test(line)) || (MAY_NAME_AGENCY.test(line) && AGENCY.test(line));
}

/** Little more than a date. */
export function isDateLine(line: string): boolean {
  return line.length <= 60 && DATE.test(line);
}

const PAGER =
  /^[«‹<←]*(?:next|prev(?:ious)?(?: (?:page|chapter|section))?|next (?:page|chapter|section)|up|home|contents|index|weiter|zurück|nächste[rs]?|vorherige[rs]?|hoch|inhalt|suivante?|précédente?|siguiente|anterior|arriba|volgende|vorige|próxim[oa]|следующая|предыдущая)[»›>→]*$|^[«‹<←»›>→]+$/iu;

/** How they begin. */
export const PAGER_WORDS = new WordBeginnings('ne pr up ho co in we zu vo su si an ar');

/** A word of the links that lead to the pages before, after and above. */
export function isPagerWord(word: string): boolean {
  return PAGER_WORDS.mayBegin(word) && PAGER.test(word);
}

const MENU =
  /^(?:\S+ )?(?:menu|navigation|menü|menú)$|^(?:related|quick|useful|other|weitere) links$|^\S+ index(?:es)?$/iu;

/** What stands over a list of links that are the same on all pages. */
export function isMenuLabel(line: string): boolean {
  return MENU.test(line);
}
