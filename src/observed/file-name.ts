const LONGEST = 200;

/** The value of `filename*`, which is percent-encoded UTF-8. */
function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the file name of a `Content-Disposition` header, fit for a file system: the last part of a
 * path, without control characters. `undefined` where there is none.
 */
export function fileNameOf(header: string | null): string | undefined {
  if (header === null) return undefined;
  const [, extended] = /;\s*filename\*\s*=\s*utf-8'[^']*'([^;\s]+)/i.exec(header) ?? [];
  const [, quoted, plain] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;"\s]+))/i.exec(header) ?? [];
  const name =
    (extended === undefined ? undefined : decoded(extended)) ??
    quoted?.replace(/\\(.)/g, '$1') ??
    plain ??
    '';
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .replace(/[\p{Cc}<>:"|?*]/gu, '')
    .trim()
    .slice(0, LONGEST);
  return /^\.*$/.test(safe) ? undefined : safe;
}
