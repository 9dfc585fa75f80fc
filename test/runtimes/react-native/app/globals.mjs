// Whether this environment has the globals of an app: a check of the client proves nothing if a
// global exists that a phone lacks.
import { expectSame } from '../../suite/expect.mjs';

const ALWAYS_ABSENT = [
  'structuredClone',
  'DOMException',
  'ReadableStream',
  'crypto',
  'Buffer',
  'document',
  'location',
  'print',
];
/** Present from the React Native on whose Hermes or start-up code has them. */
const LATER = ['TextDecoder', 'Event', 'EventTarget', 'FinalizationRegistry'];

const absent = (names) => names.filter((name) => globalThis[name] === undefined);

function searchParamsWork() {
  try {
    return new URLSearchParams('a=1').get('a') === '1';
  } catch {
    return false;
  }
}

function urlHasGetters() {
  try {
    return new URL('https://a.example/b').hostname === 'a.example';
  } catch {
    return false;
  }
}

function reasonOfAbort() {
  const controller = new AbortController();
  controller.abort('left');
  return controller.signal.reason;
}

/** Checks of the globals of this environment. */
export const globals = {
  'lacks what React Native lacks': () => expectSame(absent(ALWAYS_ABSENT), ALWAYS_ABSENT),

  'lacks what only a later React Native has': ({ reactNative: { minor } }) => {
    expectSame(absent(LATER), minor >= 88 ? [] : LATER);
    expectSame(typeof Symbol.asyncIterator, minor >= 84 ? 'symbol' : 'undefined');
    // Not the `typeof` of a literal, because Metro would compute it with its own Node.
    expectSame(typeof String.prototype.isWellFormed, minor >= 84 ? 'function' : 'undefined');
    expectSame(typeof AbortSignal.any, minor >= 88 ? 'function' : 'undefined');
    expectSame(typeof AbortSignal.timeout, minor >= 88 ? 'function' : 'undefined');
    expectSame(reasonOfAbort(), minor >= 88 ? 'left' : undefined);
    expectSame([urlHasGetters(), searchParamsWork()], [minor >= 81, minor >= 81]);
  },

  'has the URL and the responses of React Native': async ({ scripted }) => {
    expectSame(typeof new URL('not a url'), 'object');
    expectSame(typeof URL.canParse, 'undefined');
    expectSame(typeof Response.json, 'undefined');
    const response = await fetch(`${scripted}/json/globals`);
    expectSame([typeof response.body, response.url], ['undefined', `${scripted}/json/globals`]);
    expectSame([navigator.product, typeof navigator.userAgent], ['ReactNative', 'undefined']);
    expectSame(typeof process.versions, 'undefined');
  },
};
