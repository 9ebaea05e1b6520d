/** Pages in the manner of a shop, a magazine and the API reference of a documentation generator. */

export interface Product {
  readonly sku: string;
  readonly name: string;
  readonly price: string;
  readonly stock: number;
}

export function productPage({ sku, name, price, stock }: Product): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${name} | Lamp Shop</title>
<script type="application/ld+json">
{"@context": "https://schema.org", "@graph": [
  {"@type": "BreadcrumbList", "itemListElement": []},
  {"@type": ["Product", "Thing"], "name": "${name}", "sku": "${sku}", "brand": {"@type": "Brand", "name": "Lumen & Co"},
   "offers": [{"@type": "Offer", "price": "${price}", "availability": "https://schema.org/${stock > 0 ? 'InStock' : 'OutOfStock'}"}],
   "aggregateRating": {"ratingValue": "4.6", "reviewCount": 128}}]}
</script></head><body>
<header><nav><a href="/">Shop</a></nav></header>
<main><h1 class="title">
   ${name}
</h1>
<p class="price"><span class="old">1.499,00 &euro;</span> <span class="now">${price.replace('.', ',')} &euro;</span></p>
<p class="stock">In stock: <b>${stock}</b> pieces</p>
<div class="gallery"><img src="/img/${sku}-1.jpg" alt=""><img src="../img/${sku}-2.jpg" alt=""></div>
<table class="specs"><tr><th>Weight</th><td>2,5 kg</td></tr><tr><th>Released</th><td>19 October 2025</td></tr></table>
<div class="description"><p>A <em>lamp</em>.</p></div></main></body></html>`;
}

export const PRODUCT_RULES = `
products:
  match: /product/*
  fields:
    sku: { json-ld: Product.sku, required: true }
    name: h1
    brand: { json-ld: Product.brand.name }
    price: { css: .price .now, type: number }
    rating: { json-ld: Product.aggregateRating.ratingValue, type: number }
    reviews: { json-ld: Product.aggregateRating.reviewCount, type: integer }
    available: { json-ld: "Product.offers[0].availability", type: boolean }
    stock: { regex: 'In stock: (\\d+)', type: integer, default: 0 }
    images: { css: .gallery img, attribute: src, type: url, many: true }
    weight: { xpath: "//table[@class='specs']//tr[th='Weight']/td", type: number }
    released: { xpath: "//tr[th='Released']/td", type: date }
    description: { css: .description, take: markup }
    colour: { css: .colour, default: unknown }
`;

export interface Article {
  readonly path: string;
  readonly title: string;
  readonly day: string;
  readonly comments?: number;
}

export function listingPage(articles: readonly Article[]): string {
  const items = articles.map(
    ({ path, title, day, comments }) => `<article class="post teaser">
  <h2><a href="${path}?ref=list">${title}</a></h2>
  <time datetime="${day}T08:30:00+02:00">${day}</time>
  <p class="byline">By <span class="author">Ada</span>, <span class="author">Grace</span></p>
  ${comments === undefined ? '' : `<a class="comments" href="${path}#c">${comments.toLocaleString('en')} comments</a>`}
</article>`,
  );
  return `<!doctype html><title>News</title><base href="https://cdn.example/news/"><section id=list>${items.join('\n')}</section>
<aside><article class="ad"><h2>Buy</h2></article></aside>`;
}

export const LISTING_RULES = `
articles:
  match: "*/news*"
  each: "#list article.post"
  key: link
  fields:
    link: { css: h2 > a, attribute: href, type: url, regex: '^[^?]+' }
    title: h2
    published: { css: time, attribute: datetime, type: date }
    authors: { xpath: ".//span[@class='author']", many: true }
    comments: { css: .comments, type: integer, default: 0 }
    direct: ":scope > h2 a"
`;

export function referencePage(): string {
  const entry = (name: string, signature: string, text: string): string =>
    `<dl class="py function"><dt class="sig sig-object py" id="lamp.${name}"><span class="sig-prename">lamp.</span><span class="sig-name">${name}</span>${signature}<a class="headerlink" href="#lamp.${name}">¶</a></dt><dd><p>${text}</p></dd></dl>`;
  return `<!DOCTYPE html><html><head><title>lamp — Lamp 2.1 documentation</title></head><body><div class="document"><section id="module-lamp"><h1>lamp</h1>
${entry('dim', '(<em class="sig-param">level: int = 5</em>, <em class="sig-param">slow: bool = False</em>)', 'Dims the lamp.')}
${entry('off', '()', 'Turns it off. Deprecated since version 2.0.')}
</section></div></body></html>`;
}

export const REFERENCE_RULES = `
functions:
  each-xpath: "//dl[contains(concat(' ', @class, ' '), ' function ')]"
  key: id
  fields:
    id: { xpath: dt/@id }
    name: .sig-name
    parameters: { css: .sig-param, many: true }
    required: { xpath: "count(dt/em[not(contains(., '='))])", type: integer }
    summary: { css: dd > p, regex: '^[^.]+[.]' }
    deprecated: { regex: 'Deprecated since version (\\S+[0-9])' }
    anchor: { css: a.headerlink, attribute: href, type: url }
`;
