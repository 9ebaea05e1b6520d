/** Minutes east of Greenwich by the names that are used, in lower case. Of names that mean several, the most common. */
const zones: ReadonlyMap<string, number> = new Map(
  (
    'ut=0 utc=0 gmt=0 z=0 wet=0 west=60 bst=60 cet=60 met=60 mez=60 cest=120 mest=120 mesz=120 eet=120 eest=180 msk=180 ' +
    'ist=330 jst=540 kst=540 nst=-210 ndt=-150 ast=-240 adt=-180 at=-240 est=-300 edt=-240 et=-300 cst=-360 cdt=-300 ct=-360 ' +
    'mst=-420 mdt=-360 mt=-420 pst=-480 pdt=-420 pt=-480 akst=-540 akdt=-480 hst=-600 aest=600 aedt=660 acst=570 ' +
    'acdt=630 awst=480 nzst=720 nzdt=780 brt=-180'
  )
    .split(' ')
    .map((pair) => {
      const [name, minutes] = pair.split('=');
      return [name, Number(minutes)];
    }),
);

/** Minutes east of Greenwich; undefined for a word that names no known zone; NaN for an offset that cannot be. */
export function zoneMinutes(token: string): number | undefined {
  const offset = /^(?:[a-z]{1,4}\s?)?([+-])(.*)$/i.exec(token);
  if (offset !== null) {
    const digits = /^(\d{1,2}):?(\d{2})$|^(\d{1,2})$/.exec(offset[2]);
    if (digits === null) return Number.NaN;
    const hours = Number(digits[1] ?? digits[3]);
    const minutes = Number(digits[2] ?? 0);
    if (hours > 24 || minutes > 59) return Number.NaN;
    return (offset[1] === '-' ? -1 : 1) * (hours * 60 + minutes);
  }
  return zones.get(token.slice(token.lastIndexOf('/') + 1).toLowerCase());
}
