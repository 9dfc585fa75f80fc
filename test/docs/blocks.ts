/** A code block of a page. */
export type Block = {
  /** The page and the number of the block, such as `cards.md 2`. */
  name: string;
  language: string;
  code: string;
  /** The reason given in the page for not executing the block. */
  notExecuted: string | undefined;
};

const FENCED =
  /(?:^<!-- not executed: (.+?) -->\n+)?^```(ts|typescript|js|javascript)\n([\s\S]*?)^```$/gm;

/**
 * Returns the code blocks of a page. A comment right before a block excludes it from execution:
 * `<!-- not executed: it needs a browser -->`.
 */
export function blocksOf(name: string, page: string): Block[] {
  return [...page.matchAll(FENCED)].map(([, notExecuted, language = '', code = ''], index) => ({
    name: `${name} ${index + 1}`,
    language,
    code,
    notExecuted,
  }));
}
