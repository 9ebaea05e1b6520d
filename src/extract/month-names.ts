/**
 * Months by their names in the languages of most of the web, nominative and genitive. A name stands for every
 * abbreviation of it that has at least three letters, unless another month claims the same letters.
 */
const NAMES: readonly string[] = [
  `january janvier januar jänner januari enero janeiro gennaio januari januarie tammikuu tammikuuta styczeń stycznia leden ledna
   január ianuarie ocak gener siječanj siječnja ιανουάριος ιανουαρίου январь января січень січня януари يناير كانون‌الثاني ינואר
   जनवरी sausio janvāris jaanuar januára janúar มกราคม ژانویه urtarrila`,
  `february février fevrier februar feber februari febrero fevereiro febbraio helmikuu helmikuuta luty lutego únor února február
   februarie şubat subat febrer veljača veljače φεβρουάριος φεβρουαρίου февраль февраля лютий лютого февруари فبراير شباط פברואר
   फरवरी फ़रवरी vasario februāris veebruar februára febrúar กุมภาพันธ์ فوریه otsaila`,
  `march mars märz maerz marz maart mrt marzo março marco maaliskuu maaliskuuta marzec marca březen března március martie mart març
   ožujak ožujka μάρτιος μαρτίου март марта березень березня مارس آذار מרץ मार्च kovo marts märts marec marca มีนาคม maret martxoa`,
  `april avril aprile abril huhtikuu huhtikuuta kwiecień kwietnia duben dubna április aprilie nisan travanj travnja απρίλιος
   απριλίου апрель апреля квітень квітня април أبريل ابريل نيسان אפריל अप्रैल balandžio aprīlis aprill apríl apríla apríl เมษายน
   آوریل apirila`,
  `may mai maj mayo maio maggio mei toukokuu toukokuuta maja květen května május mayıs mayis maig svibanj svibnja μάιος μαΐου
   май мая травень травня مايو أيار מאי मई gegužės maijs máj mája maí พฤษภาคม مه maiatza`,
  `june juin juni junio junho giugno kesäkuu kesäkuuta czerwiec czerwca červen června június iunie haziran juny lipanj lipnja
   ιούνιος ιουνίου июнь июня червень червня юни يونيو حزيران יוני जून birželio jūnijs juuni jún júna júní มิถุนายน ژوئن ekaina`,
  `july juillet juli julio julho luglio heinäkuu heinäkuuta lipiec lipca červenec července július iulie temmuz juliol srpanj
   srpnja ιούλιος ιουλίου июль июля липень липня юли يوليو تموز יולי जुलाई liepos jūlijs juuli júl júla júlí กรกฎาคม ژوئیه uztaila`,
  `august août aout augustus agosto augusti elokuu elokuuta sierpień sierpnia srpen srpna augusztus ağustos agustos agost kolovoz
   kolovoza αύγουστος αυγούστου август августа серпень серпня أغسطس اغسطس آب אוגוסט अगस्त rugpjūčio augusts ágúst สิงหาคม اوت
   abuztua`,
  `september septembre septiembre setiembre setembro settembre syyskuu syyskuuta wrzesień września září szeptember septembrie
   eylül eylul setembre rujan rujna σεπτέμβριος σεπτεμβρίου сентябрь сентября вересень вересня септември سبتمبر أيلول ספטמבר
   सितंबर सितम्बर rugsėjo septembris กันยายน سپتامبر iraila sept`,
  `october octobre oktober octubre outubro ottobre lokakuu lokakuuta październik października říjen října október octombrie
   ekim octubre listopad listopada οκτώβριος οκτωβρίου октябрь октября жовтень жовтня октомври أكتوبر اكتوبر אוקטובר अक्टूबर
   अक्तूबर spalio oktobris oktoober ตุลาคม اکتبر urria`,
  `november novembre noviembre novembro marraskuu marraskuuta november noiembrie kasım kasim studeni studenoga νοέμβριος
   νοεμβρίου ноябрь ноября листопада ноември نوفمبر נובמבר नवंबर नवम्बर lapkričio novembris พฤศจิกายน نوامبر azaroa`,
  `december décembre decembre dezember diciembre dezembro dicembre desember joulukuu joulukuuta grudzień grudnia prosinec
   prosince decembrie aralık aralik desembre prosinac prosinca δεκέμβριος δεκεμβρίου декабрь декабря грудень грудня декември
   ديسمبر דצמבר दिसंबर दिसम्बर gruodžio decembris detsember ธันวาคม دسامبر abendua`,
];

const SHORTEST = 3;

/** Without accents: they are often left out. 0 where two months claim a name: `lip` of the Croatian June and the Polish July. */
const byName = new Map<string, number>();
const whole = NAMES.map((names) => withoutAccents(names).split(/\s+/));
for (const [index, names] of whole.entries()) {
  for (const name of names) {
    for (let end = Math.min(SHORTEST, name.length); end < name.length; end++) claim(name.slice(0, end), index + 1);
  }
}
for (const [index, names] of whole.entries()) for (const name of names) byName.set(name, index + 1);
// The abbreviations of English are known everywhere: `mar` is no Finnish November.
for (const [index, name] of 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ').entries())
  byName.set(name, index + 1);
// Listopad is October in Croatian, November in Polish and Czech, where more is written with it.
for (const name of ['listopad', 'listopada', 'listopadu']) byName.set(name, 11);

function claim(name: string, month: number): void {
  const holder = byName.get(name);
  if (holder === undefined) byName.set(name, month);
  else if (holder !== month) byName.set(name, 0);
}

/** The month of a name or its abbreviation, from 1; 0 where it is none. */
export function monthOf(name: string): number {
  return byName.get(withoutAccents(name.toLowerCase()).replace(/\.$/, '')) ?? 0;
}

function withoutAccents(text: string): string {
  return text.normalize('NFD').replace(/[\u0300-\u036f]/g, '');
}
