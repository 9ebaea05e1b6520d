import type { SiteOptions, SitePage } from './site-shape.ts';
import { Vocabulary } from './vocabulary.ts';

const CLASSES = 6;
const METHODS = 7;

/**
 * The reference of a library: /api/module/, /api/module/Class.html, /api/module/Class/method.html. Methods name others
 * of other classes ("see also"), and an index names all classes.
 */
export function apiReference({ seed, pages }: SiteOptions): readonly SitePage[] {
  const words = new Vocabulary(seed);
  const modules = Math.max(1, Math.round((pages - 2) / (1 + CLASSES * (1 + METHODS))));
  const modulePath = (module: number): string => `/api/${words.slug(module, 1)}${module + 1}/`;
  const className = (number: number): string => {
    const name = words.slug(200 + number).replaceAll('-', '');
    return `${name[0].toUpperCase()}${name.slice(1)}${number + 1}`;
  };
  const classPath = (number: number): string => `${modulePath(Math.floor(number / CLASSES))}${className(number)}.html`;
  const methodPath = (number: number): string => {
    const owner = Math.floor(number / METHODS);
    return `${classPath(owner).replace(/\.html$/, '')}/${words.slug(9000 + number, 1)}${(number % METHODS) + 1}.html`;
  };
  const classes = Array.from({ length: modules * CLASSES }, (_, number) => number);
  const methods = classes.length * METHODS;
  return [
    {
      path: '/',
      title: `Reference of ${words.slug(5)}`,
      links: [...Array.from({ length: modules }, (_, module) => modulePath(module)), '/api/classes.html'],
      words: 90,
    },
    { path: '/api/classes.html', title: 'All classes', links: classes.map(classPath), words: 40 },
    ...Array.from({ length: modules }, (_, module) => ({
      path: modulePath(module),
      title: `Module ${words.slug(module, 1)}${module + 1}`,
      links: [...classes.slice(module * CLASSES, (module + 1) * CLASSES).map(classPath), '/'],
      words: 100,
    })),
    ...classes.map((number) => ({
      path: classPath(number),
      title: className(number),
      links: [
        ...Array.from({ length: METHODS }, (_, at) => methodPath(number * METHODS + at)),
        modulePath(Math.floor(number / CLASSES)),
      ],
      words: 120,
    })),
    ...Array.from({ length: methods }, (_, number) => ({
      path: methodPath(number),
      title: `${className(Math.floor(number / METHODS))}.${words.slug(9000 + number, 1)}`,
      links: [methodPath((number * 31 + 17) % methods), classPath(Math.floor(number / METHODS))],
      words: 110 + (number % 5) * 20,
    })),
  ];
}
