/** Whether a text is a page. The service sends none: it comes from a server in front of it. */
export function isHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** Whether an error was made from a page. */
export function isErrorPage({ headers }: { readonly headers: Readonly<Record<string, string>> }) {
  return /\bx?html\b/i.test(headers['content-type'] ?? '');
}
