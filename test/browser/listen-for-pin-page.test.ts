import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import {
  listenForPinPage,
  type MessageTarget,
  type PinPageListener,
  RequestValidationError,
  type WindowMessage,
} from '../../src/index.js';

const ORIGIN = 'https://pages.example.com';

function setUp(changes: Partial<PinPageListener> = {}) {
  const listeners = new Set<(message: WindowMessage) => void>();
  const target: MessageTarget = {
    addEventListener: (_, listener) => listeners.add(listener),
    removeEventListener: (_, listener) => listeners.delete(listener),
  };
  const frame = { contentWindow: { name: 'the page' } };
  let aborted = 0;
  const stop = listenForPinPage({
    ...{ frame, target, origin: ORIGIN, onAbort: () => void aborted++ },
    ...changes,
  });
  const say = (message: Partial<WindowMessage>) => {
    const whole = { origin: ORIGIN, source: frame.contentWindow, data: { type: 'abort' } };
    for (const listener of listeners) listener({ ...whole, ...message });
  };
  return { listeners, stop, say, aborted: () => aborted };
}

it.each([[{ type: 'abort' }], ['abort']])('calls onAbort once for the message %j', (data) => {
  const { say, aborted, listeners } = setUp();
  say({ data });
  say({ data });
  expect(aborted()).toBe(1);
  expect(listeners.size).toBe(0);
});

it('has stopped when it calls onAbort, so that one that throws is not called again', () => {
  let calls = 0;
  const onAbort = () => {
    calls++;
    throw new Error('onAbort failed');
  };
  const { say, listeners } = setUp({ onAbort });
  expect(() => say({})).toThrow('onAbort failed');
  expect(listeners.size).toBe(0);
  say({});
  expect(calls).toBe(1);
});

it('accepts the whole URL of the page as origin', () => {
  const { say, aborted } = setUp({ origin: `${ORIGIN}/set-pin?token=secret` });
  say({});
  expect(aborted()).toBe(1);
});

describe('ignores', () => {
  it.each<[string, Partial<WindowMessage>]>([
    ['another origin', { origin: 'https://evil.example' }],
    ['an origin that begins alike', { origin: `${ORIGIN}.evil.example` }],
    ['another window of the same origin', { source: { name: 'the page' } }],
    ['no window', { source: null }],
    ['another type', { data: { type: 'resize' } }],
    ['no data', { data: null }],
    ['a text', { data: 'aborted' }],
  ])('a message of %s', (_, message) => {
    const { say, aborted, listeners } = setUp();
    say(message);
    expect(aborted()).toBe(0);
    expect(listeners.size).toBe(1);
  });

  it('a message without a source while the frame has no window', () => {
    const { say, aborted } = setUp({ frame: { contentWindow: null } });
    say({ source: null });
    expect(aborted()).toBe(0);
  });
});

describe('the listener for the PIN page', () => {
  it('is removed by the returned function', () => {
    const { stop, say, aborted, listeners } = setUp();
    stop();
    say({});
    expect(aborted()).toBe(0);
    expect(listeners.size).toBe(0);
  });

  it('is removed when the signal aborts, and leaves no listener on the signal', () => {
    const page = new AbortController();
    const { listeners, say } = setUp({ signal: page.signal });
    page.abort();
    expect(listeners.size).toBe(0);
    expect(getEventListeners(page.signal, 'abort')).toHaveLength(0);
    const other = new AbortController();
    setUp({ signal: other.signal }).say({});
    expect(getEventListeners(other.signal, 'abort')).toHaveLength(0);
    say({});
  });

  it('is not added when the signal was already aborted', () => {
    expect(setUp({ signal: AbortSignal.abort() }).listeners.size).toBe(0);
  });
});

it.each([
  '',
  'pages.example.com',
  '*',
  'null',
  'about:blank',
  'data:text/html,x',
  'http://pages.example.com',
  'http://localhost.evil.example',
])('the origin "%s" is refused', (origin) => {
  expect(() => setUp({ origin })).toThrow(RequestValidationError);
});
