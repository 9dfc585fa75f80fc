/** The parts of markdown-it that this plugin uses. */
type Token = { type: string; content: string; children: Token[] | null };
type Parser = {
  core: { ruler: { push(name: string, rule: (state: { tokens: Token[] }) => void): void } };
};

/**
 * Turns code in headings into text: TypeDoc builds anchors from the text alone, GitHub from the
 * code as well.
 */
export function headingText(parser: Parser): void {
  parser.core.ruler.push('heading-text', ({ tokens }) => {
    tokens.forEach((token, index) => {
      if (tokens[index - 1]?.type !== 'heading_open') return;
      token.children = (token.children ?? []).flatMap((part) => {
        if (part.type !== 'code_inline') return [part];
        const tag = (content: string) =>
          Object.assign(copy(part), { type: 'html_inline', content });
        return [tag('<code>'), Object.assign(copy(part), { type: 'text' }), tag('</code>')];
      });
    });
  });
}

const copy = (token: Token): Token => Object.assign(Object.create(token), token);
