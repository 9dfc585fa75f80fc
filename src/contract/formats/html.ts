/** Whether a text is a page. The service sends none: it comes from a server in front of it. */
export function isHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}
