/** A code block of a page. */
export type Block = {
  /** The page and the number of the block, such as `cards.md 2`. */
  name: string;
  language: string;
  code: string;
  /** The reason given in the page for not executing the block. */
  notExecuted: string | undefined;
  /** The reason given in the page for not executing the block in a browser, as the site does. */
  notInBrowser: string | undefined;
};

const FENCED =
  /(?:^<!-- not executed( in a browser)?: (.+?) -->\n+)?^```(ts|typescript|js|javascript)\n([\s\S]*?)^```$/gm;

/**
 * Returns the code blocks of a page. A comment right before a block excludes it from execution:
 * `<!-- not executed: it needs a browser -->`, or only from execution in the site:
 * `<!-- not executed in a browser: it starts a server -->`.
 */
export function blocksOf(name: string, page: string): Block[] {
  return [...page.matchAll(FENCED)].map(
    ([, inBrowser, reason, language = '', code = ''], index) => ({
      name: `${name} ${index + 1}`,
      language,
      code,
      notExecuted: inBrowser === undefined ? reason : undefined,
      notInBrowser: inBrowser === undefined ? undefined : reason,
    }),
  );
}
