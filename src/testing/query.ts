/** The fields of a query or of a form, read without `URLSearchParams`, which React Native only has in part. */
export type Query = {
  /** Returns the first value of a field; `null` where there is none. */
  get(name: string): string | null;
};

type Pairs = readonly (readonly [name: string, value: string])[];

/** Decodes a part of a URL, or returns it as it is. */
export function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Reads a query, with or without its question mark, or a form: every field as often as it occurs. */
export function pairsOf(text: string): Pairs {
  const pairs = text.replace(/^\?/, '').replaceAll('+', ' ').split('&').filter(Boolean);
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [decode(name), decode(value.join('='))] as const;
  });
}

/** Returns the first value of each field. */
export function queryOf(pairs: Pairs): Query {
  return { get: (name) => pairs.find(([one]) => one === name)?.[1] ?? null };
}

/** Reads a query or a form. */
export const readQuery = (text: string): Query => queryOf(pairsOf(text));
