/**
 * Returns the page with headings that skip no level: none is more than one level below the previous
 * one.
 */
function withHeadingOrder(html: string): string {
  let before = 0;
  return html.replace(/<h([1-6])\b([^>]*>[\s\S]*?)<\/h\1>/g, (_, level: string, rest: string) => {
    before = Math.min(Number(level), before + 1);
    return `<h${before}${rest}</h${before}>`;
  });
}

/**
 * Returns a TypeDoc page with improvements: landmarks, headings in order, tables, code and drawings
 * that the keyboard can scroll, and no link in a button or to a folder. The icons are part of the
 * page, because a page opened from disk may not use those of another file. The search index is
 * loaded when somebody searches, and `client/navigation.ts` fills the navigation.
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
