const rest = (count: number) => String(count).padStart(3, '0');

function luhn(prefix: string): string {
  const sum = [...prefix].reverse().reduce((total, digit, index) => {
    const doubled = Number(digit) * (index % 2 === 0 ? 2 : 1);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return `${prefix}${(10 - (sum % 10)) % 10}`;
}

const KINDS: readonly ((count: number) => string)[] = [
  (count) => `eyJhbGciOi.pl4nted${rest(count)}.QxZ`,
  (count) => `pl4nted${rest(count)}@mail.example`,
  (count) => `Pl4nted${rest(count)} Q${rest(count)}uxley`,
  (count) => `+4479${rest(count)}88${rest(count)}`,
  (count) => luhn(`4929177${rest(count)}83651`),
  (count) => `7b3e9a52-6f3c-4d59-9d3e-a5c1b2d${rest(count)}77`,
  (count) => `https://pin.example/details-image?token=pl4nted${rest(count)}`,
  (count) => `whk_Pl4nted${rest(count)}kEy`,
  (count) => `pl4nted ${rest(count)} ö"\\/pässword`,
  (count) => `98${rest(count)}7`,
  (count) => `0x${rest(count)}${'9f3b7'.repeat(8).slice(0, 37)}`,
  (count) => `PL4NTED_${rest(count)}`,
];

/** Creates secrets, each one different, and remembers them. */
export class PlantedSecrets {
  readonly all: string[] = [];

  next(kind?: number): string {
    const count = this.all.length + 100;
    const make = KINDS[(kind ?? count) % KINDS.length];
    const secret = make?.(count) ?? '';
    this.all.push(secret);
    return secret;
  }

  /** A text that is a header value. */
  nextPlain(): string {
    return this.next(0);
  }
}

/** The forms in which a secret may end up somewhere. */
export function spellingsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [
    secret,
    secret.toLowerCase(),
    secret.toUpperCase(),
    [...secret].reverse().join(''),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    encodeURIComponent(encodeURIComponent(secret)),
    inJson,
    JSON.stringify(inJson).slice(1, -1),
    // Returns the rest of a text whose beginning or end was cut off.
    ...(secret.length > 12 ? [secret.slice(0, 12), secret.slice(-12)] : []),
  ];
}

const WINDOW = 4;

/** Returns a search in a long text that is fast for thousands of words that it does not contain. */
export function searchIn(text: string): (word: string) => boolean {
  const windows = new Set<string>();
  for (let at = 0; at + WINDOW <= text.length; at++) windows.add(text.slice(at, at + WINDOW));
  return (word) => {
    for (let at = 0; at + WINDOW <= word.length; at++) {
      if (!windows.has(word.slice(at, at + WINDOW))) return false;
    }
    return text.includes(word);
  };
}
