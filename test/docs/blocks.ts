/** A block of code of a page. */
export type Block = {
  /** The page, and the how manyth block of it. */
  name: string;
  language: string;
  code: string;
  /** Why it is not executed, where the page says so. */
  notExecuted: string | undefined;
};

const FENCED =
  /(?:^<!-- not executed: (.+?) -->\n+)?^```(ts|typescript|js|javascript)\n([\s\S]*?)^```$/gm;

/**
 * The code blocks of a page. A comment right before a block says why it is not executed:
 * `<!-- not executed: it needs a browser -->`.
 */
export function blocksOf(name: string, page: string): Block[] {
  return [...page.matchAll(FENCED)].map(([, notExecuted, language = '', code = ''], index) => ({
    ...{ name: `${name} ${index + 1}`, language, code, notExecuted },
  }));
}
