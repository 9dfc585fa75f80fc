/** Whether a text is a page. The service sends none: it comes from a server in front of it. */
export function isHtml(text: string): boolean {
  return text.trimStart().startsWith('<');
}

/** What an error of the service shows of its response. */
type ShownResponse = {
  readonly status: number;
  readonly next: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serverMessage: string | undefined;
};

/** Whether an error was made from a page. */
export function isErrorPage({ status, next, headers, serverMessage }: ShownResponse): boolean {
  // The next step after a 401 follows from the text of the response, whatever type its header names.
  if (status === 401) return next === 'contact';
  return /\bx?html\b/i.test(headers['content-type'] ?? '') && serverMessage === undefined;
}
