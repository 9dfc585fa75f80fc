/** Returns the headings of a page without jumps: none is more than one level below the one before. */
function withHeadingOrder(html: string): string {
  let before = 0;
  return html.replace(/<h([1-6])\b([^>]*>[\s\S]*?)<\/h\1>/g, (_, level: string, rest: string) => {
    before = Math.min(Number(level), before + 1);
    return `<h${before}${rest}</h${before}>`;
  });
}

/**
 * Returns a page of TypeDoc with what it leaves out: landmarks, headings in order, tables, code and drawings
 * that the keyboard can scroll, and no link in a button or to a folder. Its icons are those in the page itself, because a
 * page on disk may not use those of a file, the index of the search is loaded when somebody searches, and
 * `client/navigation.ts` fills the navigation.
 */
export function improveHtml(html: string): string {
  const improved = html
    .replace('<div class="col-content">', '<div class="col-content" role="main">')
    .replace(
      '<div class="page-menu">',
      '<div class="page-menu" role="complementary" aria-label="This page">',
    )
    .replace('id="tsd-nav-container"', 'id="site-nav"')
    .replace('<nav id="tsd-sidebar-links"', '<nav id="tsd-sidebar-links" aria-label="Links"')
    .replace(/<(table|pre)>/g, '<$1 tabindex="0">')
    .replace(/<p>(?=<img [^>]*\.svg")/g, '<p class="picture" tabindex="0">')
    .replace(/<summary[\s\S]*?<\/summary>/g, (summary) =>
      summary.replace(/<a [^>]*tsd-anchor-icon[\s\S]*?<\/a>/g, ''),
    )
    .replace(/href="((?:\.\.\/)+|\.\/)"/g, 'href="$1index.html"')
    .replace(/href="[^"]*icons\.svg#/g, 'href="#')
    .replace(/(<script async) src(="[^"]+search\.js")/, '$1 data-src$2');
  return withHeadingOrder(improved);
}
