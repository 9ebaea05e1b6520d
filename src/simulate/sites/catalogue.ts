import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const COLOURS = ['black', 'blue', 'green', 'red', 'white'] as const;
const SIZES = ['large', 'medium', 'small'] as const;
const PER_PAGE = 12;
const PER_CATEGORY = 60;

/**
 * A catalogue: categories with pages, and with filters by colour, by size and by both (never more than a shop has
 * shelves for: a combination without products has no page). Each page of a filter has an introduction of its own.
 */
export function catalogue({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  // A category of 60 products has about 35 pages of lists.
  const categories = Math.max(1, Math.round(pages / 95));
  const products = Math.max(6, Math.round((pages * 0.63) / categories));
  const categoryPath = (category: number): string => `/${words.slug(category, 1)}-${category + 1}`;
  const productPath = (category: number, product: number): string => {
    const number = category * Math.max(PER_CATEGORY, products) + product;
    return `/product/${number + 1}-${words.slug(500 + number)}`;
  };
  const made: SitePage[] = [
    {
      path: '/',
      title: `Shop of ${words.slug(4)}`,
      links: Array.from({ length: categories }, (_, category) => categoryPath(category)),
      words: 80,
    },
  ];
  let list = 0;
  for (let category = 0; category < categories; category++) {
    const all = Array.from({ length: products }, (_, product) => product);
    const shelf = (colour: string | undefined, size: string | undefined): number[] =>
      all.filter(
        (product) =>
          (colour === undefined || COLOURS[(product * 7 + category) % COLOURS.length] === colour) &&
          (size === undefined || SIZES[(product * 5 + category) % SIZES.length] === size),
      );
    const filters = [undefined, ...COLOURS].flatMap((colour) =>
      [undefined, ...SIZES].map((size) => ({ colour, size, shown: shelf(colour, size) })),
    );
    const filled = filters.filter(({ shown }) => shown.length > 0);
    for (const { colour, size, shown } of filled) {
      // From the category to one filter, from one filter to two.
      const narrower = filled.filter(
        (other) => chosen(other) === chosen({ colour, size }) + 1 && has(other.colour, colour) && has(other.size, size),
      );
      const listPages = Math.ceil(shown.length / PER_PAGE);
      for (let page = 0; page < listPages; page++) {
        const next = page + 1 < listPages ? [listPath(categoryPath(category), colour, page + 1, size)] : [];
        made.push({
          path: listPath(categoryPath(category), colour, page, size),
          title: `${words.title(70_000 + category, 2)}${colour ? `, ${colour}` : ''}${size ? `, ${size}` : ''}, page ${page + 1}`,
          links: [
            ...shown.slice(page * PER_PAGE, (page + 1) * PER_PAGE).map((product) => productPath(category, product)),
            ...(page === 0 ? narrower.map((to) => listPath(categoryPath(category), to.colour, 0, to.size)) : []),
            ...next,
            '/',
          ],
          words: 70 + (list++ % 5) * 12,
        });
      }
    }
    for (const product of all) {
      made.push({
        path: productPath(category, product),
        title: words.title(80_000 + category * products + product, 3),
        links: [categoryPath(category), '/'],
        words: 130 + (product % 6) * 25,
      });
    }
  }
  return made;
}

/** Parameters in the order of their names, as a canonical URL has them. */
function listPath(category: string, colour: string | undefined, page: number, size: string | undefined): string {
  const query = [
    ...(colour === undefined ? [] : [`colour=${colour}`]),
    ...(page === 0 ? [] : [`page=${page + 1}`]),
    ...(size === undefined ? [] : [`size=${size}`]),
  ];
  return query.length === 0 ? category : `${category}?${query.join('&')}`;
}

function chosen({ colour, size }: { colour: string | undefined; size: string | undefined }): number {
  return Number(colour !== undefined) + Number(size !== undefined);
}

/** The narrower list keeps what is chosen already. */
function has(narrower: string | undefined, wider: string | undefined): boolean {
  return wider === undefined || narrower === wider;
}
