/** Folders of the synthetic sites. None may begin with a word that a robots.txt rule begins with. */
export const SECTIONS = [
  'articles',
  'archive',
  'news',
  'guides',
  'people',
  'places',
  'science',
  'history',
  'music',
  'recipes',
  'travel',
  'gardens',
  'letters',
  'reviews',
  'notes',
  'maps',
] as const;

/** For slugs, titles, anchor texts and running text. ASCII, so that one character is one byte. */
export const WORDS = [
  ...words('river stone meadow harbour lantern copper winter orchard bridge feather granite willow'),
  ...words('market thunder velvet compass garden island mirror silver forest candle summit valley'),
  ...words('amber falcon kettle cotton marble pepper saddle anchor basket cedar dragon ember'),
  ...words('fiddle glacier hammer ivory jasmine kernel ladder mantle nectar olive paddle quarry'),
  ...words('ribbon saffron tunnel umbrella violin walnut yarrow zephyr acorn beacon cinder drift'),
  ...words('elder fjord grove heather inlet juniper knoll linden moss needle otter pebble'),
  ...words('about after again along always around because before between beyond could during'),
  ...words('early every first found great house little looked matter morning never often'),
  ...words('other people place question rather second should slowly still story their there'),
  ...words('thing thought through today together under until water where which while without'),
  ...words('carries counts draws finds follows gathers holds keeps leaves makes opens paints'),
  ...words('quiet narrow broad ancient hollow distant bright humble steady gentle crooked plain'),
] as const;

function words(list: string): string[] {
  return list.split(' ');
}
