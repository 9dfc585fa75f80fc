/** The fields of a query or of a form, read without `URLSearchParams`, which React Native only has in part. */
export type Query = {
  /** Returns the first value of a field; `null` where there is none. */
  get(name: string): string | null;
};

function decode(text: string): string {
  const spaced = text.replaceAll('+', ' ');
  try {
    return decodeURIComponent(spaced);
  } catch {
    return spaced;
  }
}

/** Reads a query, with or without its question mark, or a form. */
export function readQuery(text: string): Query {
  const values = new Map<string, string>();
  for (const pair of text.replace(/^\?/, '').split('&')) {
    const [name = '', ...value] = pair.split('=');
    if (!values.has(decode(name))) values.set(decode(name), decode(value.join('=')));
  }
  return { get: (name) => values.get(name) ?? null };
}
