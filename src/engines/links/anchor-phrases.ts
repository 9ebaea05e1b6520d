/** Words that stand in links whatever is behind them, folded to lower case; one line per language. */
const PHRASES = `
here|click here|click|click this link|this|this page|this link|this article|this post|link|links|more|read more|learn more|find out more|see more|show more|view more|view|view all|see all|more info|more information|more details|details|read|read on|read the article|read full article|full article|full story|full text|continue|continue reading|next|next page|previous|previous page|prev|back|go|go back|go to top|top|back to top|up|home|homepage|website|web site|site|visit website|visit site|source|download|open|permalink|comments|reply|share|image|photo|url|page|edit|print
hier|hier klicken|klicken sie hier|klick hier|mehr|weiter|weiterlesen|mehr lesen|mehr erfahren|mehr dazu|mehr infos|mehr informationen|weitere informationen|details|zum artikel|artikel lesen|zurück|vor|nächste|nächste seite|vorherige|vorherige seite|nach oben|startseite|seite|diese seite|quelle|ansehen|herunterladen|drucken|teilen
ici|cliquez ici|cliquer ici|plus|en savoir plus|lire plus|lire la suite|voir plus|voir tout|suite|suivant|page suivante|précédent|page précédente|retour|haut de page|accueil|lien|ce lien|cette page|détails|plus d'infos|plus d’infos|plus d'informations|télécharger|imprimer|partager|site web
aquí|haga clic aquí|haz clic aquí|clic aquí|pulse aquí|más|leer más|ver más|saber más|más información|más info|seguir leyendo|continuar leyendo|ver todo|siguiente|página siguiente|anterior|página anterior|volver|arriba|inicio|enlace|este enlace|esta página|detalles|descargar|imprimir|compartir
qui|clicca qui|cliccare qui|di più|leggi|leggi tutto|leggi di più|continua|continua a leggere|scopri di più|maggiori informazioni|vedi tutto|successivo|pagina successiva|precedente|pagina precedente|indietro|torna su|dettagli|scarica|stampa|condividi
aqui|clique aqui|mais|leia mais|ler mais|saiba mais|ver mais|mais informações|continue lendo|continuar a ler|ver tudo|próximo|próxima|próxima página|página anterior|voltar|topo|início|esta página|detalhes|baixar|compartilhar
klik hier|meer|lees meer|lees verder|meer lezen|meer informatie|meer info|verder|verder lezen|bekijk|bekijk meer|volgende|volgende pagina|vorige|vorige pagina|terug|naar boven|deze pagina|downloaden|delen
här|klicka här|läs mer|mer|mer information|visa mer|nästa|nästa sida|föregående|tillbaka|hem|länk|till toppen
her|klik her|klikk her|læs mere|les mer|mere|mer info|vis mere|vis mer|næste|neste|forrige|tilbage|tilbake|til toppen
tästä|täältä|klikkaa tästä|lue lisää|lisää|lisätietoja|seuraava|edellinen|takaisin|etusivu|linkki
tutaj|tu|kliknij tutaj|kliknij|więcej|czytaj więcej|czytaj dalej|zobacz więcej|dowiedz się więcej|szczegóły|dalej|następna|następna strona|poprzednia|wstecz|powrót|strona główna|pobierz
zde|klikněte zde|více|číst více|číst dál|více informací|další|předchozí|zpět|domů|nahoru|tady|kliknite sem|viac|čítať viac|ďalej|späť
itt|ide|kattintson ide|tovább|bővebben|részletek|következő|előző|vissza
aici|click aici|mai mult|mai multe|citește mai mult|citește mai departe|detalii|următorul|înapoi|acasă
buraya tıklayın|tıklayın|tıkla|buradan|burada|daha fazla|devamı|devamını oku|devam|detaylar|sonraki|önceki|geri|ana sayfa
здесь|тут|сюда|жмите сюда|нажмите здесь|далее|дальше|ещё|еще|подробнее|подробности|читать|читать далее|читать дальше|читать полностью|узнать больше|следующая|предыдущая|назад|наверх|главная|ссылка|эта страница|скачать|источник
тут|натисніть тут|детальніше|докладніше|читати далі|далі|більше|назад|вперед|головна|посилання
εδώ|πατήστε εδώ|κάντε κλικ εδώ|περισσότερα|διαβάστε περισσότερα|συνέχεια|επόμενο|προηγούμενο|πίσω|αρχική
هنا|اضغط هنا|انقر هنا|المزيد|اقرأ المزيد|قراءة المزيد|التفاصيل|التالي|السابق|رجوع|الرئيسية
כאן|לחץ כאן|לחצו כאן|עוד|קרא עוד|קראו עוד|למידע נוסף|המשך|הבא|הקודם|חזרה
यहाँ|यहां|यहाँ क्लिक करें|यहां क्लिक करें|और|और पढ़ें|अधिक|अधिक पढ़ें|अधिक जानकारी|अगला|पिछला|वापस
di sini|klik di sini|klik disini|disini|selengkapnya|baca selengkapnya|baca juga|lebih lanjut|lanjut|berikutnya|sebelumnya|kembali|lagi
tại đây|ở đây|bấm vào đây|nhấn vào đây|click vào đây|xem thêm|đọc thêm|đọc tiếp|chi tiết|tiếp|tiếp theo|trước|quay lại
ที่นี่|คลิกที่นี่|คลิก|อ่านต่อ|อ่านเพิ่มเติม|เพิ่มเติม|ดูเพิ่มเติม|ถัดไป|ก่อนหน้า|กลับ
ここ|こちら|こちらから|ここをクリック|こちらをクリック|続き|続きを読む|続きはこちら|詳細|詳細はこちら|詳しくはこちら|もっと見る|もっと読む|もっと詳しく|次|次へ|次のページ|前|前へ|前のページ|戻る|トップ|ホーム|リンク|一覧
这里|此处|点击这里|点此|点击此处|更多|了解更多|查看更多|阅读更多|阅读全文|查看全文|全文|详情|查看详情|详细|下一页|上一页|返回|首页|链接|這裡|此處|點擊這裡|點此|按此|瞭解更多|了解更多|閱讀更多|閱讀全文|查看全部|詳情|下一頁|上一頁|首頁|連結
여기|여기를 클릭|여기를 클릭하세요|클릭|더보기|더 보기|자세히|자세히 보기|더 알아보기|계속 읽기|전체보기|다음|이전|뒤로|홈|링크
`;

const STOCK: ReadonlySet<string> = new Set(PHRASES.trim().split(/[|\n]/));

const BARE_URL = /^(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S*$/;
const BARE_HOST_AND_PATH = /^[\w-]+(?:\.[\w-]+)+\/\S*$/;
const LETTER = /\p{L}/u;
/** What is put around such words: "» Read more …", "[more]", "(here)". */
const TRIMMINGS = /^[^\p{L}\p{N}]+|[^\p{L}\p{M}\p{N}]+$/gu;

/** Whether an anchor text in lower case says anything about the page behind it: no stock phrase, no bare URL, no mere number. */
export function speaksOfItsTarget(folded: string): boolean {
  if (!LETTER.test(folded)) return false;
  if (BARE_URL.test(folded) || BARE_HOST_AND_PATH.test(folded)) return false;
  return !STOCK.has(folded.replace(TRIMMINGS, '').replace(/\s+/g, ' '));
}
