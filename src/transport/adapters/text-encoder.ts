/** UTF-8 for Jest's jsdom, which lacks a `TextEncoder`. */
export class Utf8Encoder {
  encode(text: string): Uint8Array {
    const escaped = encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'));
    const characters = escaped.match(/%..|./g) ?? [];
    return Uint8Array.from(characters, (character) =>
      character.length > 1 ? Number.parseInt(character.slice(1), 16) : character.charCodeAt(0),
    );
  }
}

/** Takes the place of the global in the CommonJS build: ky needs one when it is loaded. */
const Encoder = globalThis.TextEncoder ?? Utf8Encoder;

export { Encoder as TextEncoder };
