/** Charsets of the pages that are not in UTF-8, each with a language that was written in it. */
export interface ForeignText {
  /** As it stands in Content-Type and META. */
  readonly charset: string;
  readonly language: string;
  readonly words: readonly string[];
}

export const FOREIGN_TEXTS: readonly ForeignText[] = [
  {
    charset: 'windows-1252',
    language: 'fr',
    words: words(
      'rivière forêt château élève été hiver fenêtre déjà première lumière père mère frère jardin où très année musée',
      'bibliothèque théâtre cœur œuvre garçon français façade leçon côté hôtel île être même tête après près naïf maïs',
      'Straße Grüße über schön Mädchen – „alt“ … € fünf zwölf Brücke Höhle Käse Öl Äpfel Übung niño señor mañana',
    ),
  },
  {
    charset: 'iso-8859-2',
    language: 'pl',
    words: words(
      'źródło łąka święto żółty książka ręka dzień noc góra rzeka miasto wieś człowiek życie śnieg wrzesień październik',
      'może będzie także dużo mało bardzo człowieka pieśń gwiazda księżyc słońce deszcz jabłko chleb mleko łódź Kraków',
      'příběh žena děti dům řeka město večer růže květina šťastný černý bílý zelený starý nový první poslední říjen',
    ),
  },
  {
    charset: 'windows-1251',
    language: 'ru',
    words: words(
      'река лес город деревня книга зима лето осень весна человек жизнь время слово дорога дом окно дверь стол хлеб',
      'вода земля небо солнце луна звезда снег дождь ветер утро вечер ночь день друг сестра брат мать отец работа',
      'большой маленький старый новый первый последний красный зелёный белый чёрный тихий быстрый далёкий близкий ещё',
    ),
  },
  {
    charset: 'shift_jis',
    language: 'ja',
    words: words(
      '山 川 海 空 森 町 村 道 橋 家 窓 門 本 紙 花 鳥 魚 犬 猫 春 夏 秋 冬 朝 夜 今日 明日 昨日 時間 世界 日本 東京',
      'です ます する ある いる これ それ どこ いつ だれ とても すこし たくさん はじめ おわり あたらしい ふるい',
      'テレビ カメラ ニュース ページ リンク ソフト 表示 予定 能力 機能 十分 構成 圭 申込 貼付 暴力 欺瞞',
    ),
  },
  {
    charset: 'gb18030',
    language: 'zh',
    words: words(
      '山 水 河流 森林 城市 村庄 道路 桥 房子 窗户 门 书 纸 花 鸟 鱼 狗 猫 春天 夏天 秋天 冬天 早晨 晚上 今天 明天',
      '昨天 时间 世界 中国 北京 上海 人民 朋友 老师 学生 学校 工作 生活 语言 文字 新闻 网页 链接 第一 最后 很多 一点',
      '大 小 新 旧 红 绿 白 黑 安静 快 慢 远 近 开始 结束 喜欢 知道 看见 听说 现在 以前 以后 因为 所以 但是 也许',
    ),
  },
  {
    charset: 'utf-16le',
    language: 'el',
    words: words(
      'ποτάμι δάσος πόλη χωριό βιβλίο χειμώνας καλοκαίρι άνθρωπος ζωή χρόνος λέξη δρόμος σπίτι παράθυρο πόρτα ψωμί νερό',
      'γη ουρανός ήλιος φεγγάρι αστέρι χιόνι βροχή άνεμος πρωί βράδυ νύχτα μέρα φίλος αδελφή μητέρα πατέρας δουλειά',
    ),
  },
  {
    charset: 'utf-16be',
    language: 'ko',
    words: words(
      '강 숲 도시 마을 책 겨울 여름 가을 봄 사람 시간 말 길 집 창문 문 빵 물 땅 하늘 해 달 별 눈 비 바람 아침 저녁 밤',
      '친구 누나 형 어머니 아버지 일 크다 작다 오래된 새로운 처음 마지막 빨간 푸른 하얀 검은 조용한 빠른 먼 가까운',
    ),
  },
];

function words(...lists: string[]): string[] {
  return lists.flatMap((list) => list.split(' '));
}
