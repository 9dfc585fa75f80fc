// Adds the features that the Hermes of React Native has and the Hermes of this test (0.12.0, from
// 2022) lacks. Written without classes, which that one cannot parse. The test sets
// `__isHermesOf088`.
(() => {
  const define = (target, name, value) =>
    Object.defineProperty(target, name, { value, writable: true, configurable: true });

  const isLone = (code) => code >= 0xd800 && code <= 0xdfff;
  /** Returns UTF-8, in a loop that an interpreter runs fast: some texts are a megabyte long. */
  const bytesOf = (text) => {
    const bytes = new Uint8Array(text.length * 3);
    let end = 0;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit < 0x80) {
        bytes[end++] = unit;
        continue;
      }
      if (unit < 0x800) {
        bytes[end++] = 0xc0 | (unit >> 6);
      } else {
        const code = isLone(unit) ? text.codePointAt(i) : unit;
        const point = isLone(code) ? 0xfffd : code;
        if (point < 0x10000) {
          bytes[end++] = 0xe0 | (point >> 12);
        } else {
          i++;
          bytes[end++] = 0xf0 | (point >> 18);
          bytes[end++] = 0x80 | ((point >> 12) & 63);
        }
        bytes[end++] = 0x80 | ((point >> 6) & 63);
        bytes[end++] = 0x80 | (point & 63);
        continue;
      }
      bytes[end++] = 0x80 | (unit & 63);
    }
    return bytes.slice(0, end);
  };

  // 0.76 and later.
  function Encoder() {}
  define(Encoder.prototype, 'encoding', 'utf-8');
  define(Encoder.prototype, 'encode', (text = '') => bytesOf(String(text)));
  define(globalThis, 'TextEncoder', Encoder);

  function at(index) {
    const place = Math.trunc(index) || 0;
    return this[place < 0 ? this.length + place : place];
  }
  const typedArray = Object.getPrototypeOf(Uint8Array.prototype);
  for (const target of [Array.prototype, String.prototype, typedArray]) define(target, 'at', at);

  function Reference(target) {
    define(this, 'deref', () => target);
  }
  define(globalThis, 'WeakRef', Reference);

  if (globalThis.__isHermesOf088) {
    function Decoder(label = 'utf-8', { fatal = false, ignoreBOM = false } = {}) {
      Object.assign(this, { encoding: label, fatal, ignoreBOM });
    }
    define(Decoder.prototype, 'decode', (bytes = new Uint8Array(0)) => {
      const hex = Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`);
      try {
        return decodeURIComponent(hex.join(''));
      } catch (_) {
        throw new TypeError('The encoded data was not valid UTF-8');
      }
    });
    define(globalThis, 'TextDecoder', Decoder);
    define(Symbol, 'asyncIterator', Symbol('Symbol.asyncIterator'));
    define(String.prototype, 'isWellFormed', function isWellFormed() {
      for (const letter of String(this)) if (isLone(letter.codePointAt(0))) return false;
      return true;
    });
    function Registry() {}
    Object.assign(Registry.prototype, { register() {}, unregister() {} });
    define(globalThis, 'FinalizationRegistry', Registry);
  }
  delete globalThis.__isHermesOf088;
})();
