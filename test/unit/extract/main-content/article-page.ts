/** Sentences that are prose, each different. */
export function sentences(count: number, about = 'weather'): string {
  return Array.from(
    { length: count },
    (_, at) => `Sentence number ${at + 1} about the ${about} tells the reader something that was not known before.`,
  ).join(' ');
}

/** A page as publishers make them, with everything around the article that is no part of it. */
export function articlePage(body: string): string {
  return `<!doctype html><html><head><title>Headline | Paper</title><script>var x = "<p>script</p>";</script></head>
<body class="single-post">
<header><a href="/">Paper</a><nav><ul><li><a href="/news">News</a></li><li><a href="/sport">Sport</a></li></ul></nav></header>
<div class="cookie-banner"><p>We use cookies to make this site better, and you can read all about them in our policy.</p></div>
<main>
<article>
<h1>Headline</h1>
<p class="byline">By A. Writer, 3 May 2024</p>
<div class="share-buttons"><a href="https://social.example/share">Share this with all of your many friends</a></div>
${body}
<div class="tags">Tags: <a href="/tag/one">one</a>, <a href="/tag/two">two</a></div>
</article>
<section class="related"><h2>Related articles</h2><ul>
<li><a href="/a">Another article about something else</a><p>It has a teaser of its own, with a few words to make it look like prose.</p></li>
<li><a href="/b">One more article about something else</a><p>It has a teaser of its own, with a few words to make it look like prose.</p></li>
</ul></section>
<div id="comments"><p>First! I have an opinion about this that is quite long and that nobody has asked me for at all.</p></div>
</main>
<aside><p>A column beside the article, in which the paper praises its own subscriptions at some length.</p></aside>
<footer><p>Copyright by the paper. All rights reserved. Imprint, privacy, terms and conditions of use.</p></footer>
</body></html>`;
}
