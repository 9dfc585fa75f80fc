import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import {
  ConfigurationError,
  listenForPinPage,
  PIN_PAGE_SCRIPT,
  RequestValidationError,
  readPinPageEvent,
} from '../../src/index.js';

const hostedPageUrl = 'https://pages.example.com/set-pin?token=secret';
const url = hostedPageUrl;

describe('a message from a WebView', () => {
  it.each([
    '{"type":"abort"}',
    '"abort"',
    'abort',
    { type: 'abort' },
  ])('of the page with %j ends the PIN page', (data) => {
    expect(readPinPageEvent({ url, data }, { hostedPageUrl })).toBe('aborted');
    expect(
      readPinPageEvent({ url: 'https://pages.example.com/done', data }, { hostedPageUrl }),
    ).toBe('aborted');
  });

  it.each([
    '',
    'null',
    'undefined',
    '{"type":"ready"}',
    '{',
    '["abort"]',
    5,
  ])('with %j is ignored', (data) =>
    expect(readPinPageEvent({ url, data }, { hostedPageUrl })).toBeUndefined());

  it.each([
    'https://evil.example/set-pin',
    'https://pages.example.com.evil.example/',
    'https://pages.example.com@evil.example/',
    'http://pages.example.com/set-pin',
    'about:blank',
    '',
    undefined,
  ])('from %s is ignored', (from) => {
    const event = { url: from as string, data: '{"type":"abort"}' };
    expect(readPinPageEvent(event, { hostedPageUrl })).toBeUndefined();
  });
});

describe('an address that a WebView is about to load', () => {
  it.each([
    ['myapp://pin-set', 'myapp://pin-set'],
    ['myapp://pin-set', 'myapp://pin-set/'],
    ['myapp://Pin-Set', 'myapp://pin-set?result=ok#top'],
    ['com.example.app:/pin', 'com.example.app:/pin?x=1'],
    ['https://app.example.com/pin', 'https://app.example.com/pin?status=1'],
    ['https://app.example.com', 'https://app.example.com/'],
    ['https://xn--bcher-kva.example/done', 'https://xn--bcher-kva.example/done?ok=1'],
    ['http://localhost:8081/pin', 'http://localhost:8081/pin'],
  ])('returns to %s with %s', (redirectUrl, address) => {
    expect(readPinPageEvent({ url: address }, { hostedPageUrl, redirectUrl })).toBe('returned');
  });

  it.each([
    ['myapp://pin-set', 'myapp://other'],
    ['myapp://pin-set', 'myapp://pin-set/more'],
    ['myapp://pin-set', 'otherapp://pin-set'],
    ['myapp://pin-set', hostedPageUrl],
    ['https://app.example.com/pin', 'https://app.example.com/pin/2'],
    ['https://app.example.com/pin', 'https://app.example.com@evil.example/pin'],
    ['https://app.example.com/pin', 'https://evil.example/pin'],
    ['https://app.example.com/pin', ''],
  ])('does not return to %s with %s', (redirectUrl, address) => {
    expect(readPinPageEvent({ url: address }, { hostedPageUrl, redirectUrl })).toBeUndefined();
  });

  it('is not a return when no redirectUrl was passed', () => {
    expect(readPinPageEvent({ url: 'myapp://pin-set' }, { hostedPageUrl })).toBeUndefined();
  });
});

it.each([null, undefined, 5, 'abort', {}])('the event %j is ignored', (event) => {
  expect(readPinPageEvent(event as never, { hostedPageUrl })).toBeUndefined();
});

it.each([
  ['hostedPageUrl', { hostedPageUrl: 'http://pages.example.com' }],
  ['hostedPageUrl', { hostedPageUrl: undefined }],
  ['hostedPageUrl', undefined],
  ['redirectUrl', { hostedPageUrl, redirectUrl: 'javascript:alert(1)' }],
  ['redirectUrl', { hostedPageUrl, redirectUrl: 'https://ada@app.example.com' }],
  ['must be written as xn--', { hostedPageUrl, redirectUrl: 'https://bücher.example/done' }],
])('an invalid %s is refused', (path, page) => {
  const read = () => readPinPageEvent({ url }, page as never);
  expect(read).toThrow(RequestValidationError);
  expect(read).toThrow(path);
});

it("PIN_PAGE_SCRIPT passes the page's own messages to the WebView, but none of a frame in the page", () => {
  const passed: string[] = [];
  let listener: (message: object) => void = () => {};
  const window = {
    addEventListener: (_: string, added: typeof listener) => {
      listener = added;
    },
    ReactNativeWebView: { postMessage: (text: string) => passed.push(text) },
  };
  expect(runInNewContext(PIN_PAGE_SCRIPT, { window })).toBe(true);
  listener({ source: window, data: { type: 'abort' } });
  listener({ source: {}, data: { type: 'abort' } });
  listener({ source: window, data: 'abort' });
  expect(passed).toEqual(['{"type":"abort"}', '"abort"']);
  for (const data of passed) {
    expect(readPinPageEvent({ url, data }, { hostedPageUrl })).toBe('aborted');
  }
});

it('the error of listenForPinPage names readPinPageEvent when there is no window', () => {
  const frame = { contentWindow: {} };
  const listen = () =>
    listenForPinPage({ frame, origin: url, onAbort: () => {}, target: {} as never });
  expect(listen).toThrow(ConfigurationError);
  expect(listen).toThrow('readPinPageEvent');
});
