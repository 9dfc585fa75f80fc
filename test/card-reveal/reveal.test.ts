import { inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import {
  type CardRevealOptions,
  createCardReveal,
  createPinPage,
  type PinPageOptions,
} from '../../src/card-reveal/index.js';
import { twoRegions } from '../sessions/support.js';
import { rejection } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

const URL_OF_PIN = 'https://images.example.com/details-image?token=secret-1';
const PAGE = 'https://pin.example.com/set?token=secret-2';

function visiblePage() {
  const page = Object.assign(new EventTarget(), { visibilityState: 'visible' });
  const hide = () => {
    page.visibilityState = 'hidden';
    page.dispatchEvent(new Event('visibilitychange'));
  };
  return { page, hide };
}

function appState(currentState: string | null = 'active') {
  const listeners = new Set<(state: string) => void>();
  return {
    currentState,
    listeners,
    addEventListener: (_: 'change', listener: (state: string) => void) => {
      listeners.add(listener);
      return { remove: () => void listeners.delete(listener) };
    },
  };
}

function revealWith(options: Partial<CardRevealOptions> = {}) {
  const clock = new FakeClock({ auto: false });
  const load = vi.fn(async (_: { signal: AbortSignal }) => ({ imageUrl: URL_OF_PIN }));
  const reveal = createCardReveal({ load, clock, ...options });
  const states: string[] = [];
  reveal.subscribe(() => {
    const { status, reason } = reveal.getSnapshot();
    states.push(reason === undefined ? status : `${status}: ${reason}`);
  });
  return { clock, load, reveal, states };
}

describe('a card reveal', () => {
  it('loads, shows and hides the image when its time is over', async () => {
    const { clock, reveal, states } = revealWith({ visibleFor: 5_000 });
    expect(reveal.getSnapshot().status).toBe('idle');
    const shown = await reveal.show();
    expect(shown.url).toBe(URL_OF_PIN);
    clock.advance(4_999);
    expect(reveal.getSnapshot()).toBe(shown);
    clock.advance(1);
    expect(states).toEqual(['loading', 'shown', 'gone: timed_out']);
    expect([shown.url, reveal.getSnapshot().url]).toEqual([undefined, undefined]);
  });

  it('shows no URL to a listener that is called because the image is gone', async () => {
    const { clock, reveal } = revealWith({ visibleFor: 5_000 });
    const seen: unknown[] = [];
    const shown = await reveal.show();
    reveal.subscribe(() =>
      seen.push(reveal.getSnapshot().status, reveal.getSnapshot().url, shown.url),
    );
    clock.advance(5_000);
    expect(seen).toEqual(['gone', undefined, undefined]);
  });

  it('hides the image after 30 seconds by default', async () => {
    const { clock, reveal } = revealWith();
    await reveal.show();
    clock.advance(29_999);
    expect(reveal.getSnapshot().status).toBe('shown');
    clock.advance(1);
    expect(reveal.getSnapshot().status).toBe('gone');
  });

  it('requests one image, and none when it is shown a second time', async () => {
    const { load, reveal } = revealWith();
    await Promise.all([reveal.show(), reveal.show()]);
    reveal.close();
    expect((await reveal.show()).status).toBe('gone');
    reveal.close();
    expect(load).toHaveBeenCalledOnce();
  });

  it('requests one image when a listener shows it again', async () => {
    const { load, reveal } = revealWith();
    let again: ReturnType<typeof reveal.show> | undefined;
    reveal.subscribe(() => {
      again ??= reveal.show();
    });
    await reveal.show();
    expect(load).toHaveBeenCalledOnce();
    expect((await again)?.url).toBe(URL_OF_PIN);
  });

  it('that is closed ends the wait for its image, even if the request ignores its signal', async () => {
    const { reveal } = revealWith({ load: () => new Promise(() => {}) });
    const showing = reveal.show();
    reveal.close();
    expect(await showing).toMatchObject({ status: 'gone', reason: 'closed' });
  });

  it.each([
    undefined,
    {},
    { imageUrl: '' },
    { image_url: URL_OF_PIN },
  ])('fails when the request returns no URL: %j', async (result) => {
    const { reveal, states } = revealWith({ load: async () => result as never });
    const error = new TypeError('load returned no URL to show.');
    expect(await reveal.show()).toMatchObject({ reason: 'failed', error });
    expect(states).toEqual(['loading', 'gone: failed']);
  });

  it('that was closed while it loaded discards the image and aborts the request', async () => {
    let respond = (_: { imageUrl: string }) => {};
    const load = vi.fn(
      (_: { signal: AbortSignal }) =>
        new Promise<{ imageUrl: string }>((resolve) => {
          respond = resolve;
        }),
    );
    const { reveal, states, clock } = revealWith({ load });
    const showing = reveal.show();
    reveal.close();
    expect(load.mock.calls[0]?.[0].signal.aborted).toBe(true);
    respond({ imageUrl: URL_OF_PIN });
    expect(await showing).toMatchObject({ status: 'gone', reason: 'closed' });
    expect(states).toEqual(['loading', 'gone: closed']);
    expect(reveal.getSnapshot().url).toBeUndefined();
    expect(clock.pending).toBe(0);
  });

  it('that is closed before it is shown requests nothing', async () => {
    const { load, reveal } = revealWith();
    reveal.close();
    expect(await reveal.show()).toMatchObject({ status: 'gone', reason: 'closed' });
    expect(load).not.toHaveBeenCalled();
  });

  it('that a listener closes as it loads requests nothing', async () => {
    const { load, reveal } = revealWith();
    reveal.subscribe(() => reveal.close());
    expect(await reveal.show()).toMatchObject({ status: 'gone', reason: 'closed' });
    expect(load).not.toHaveBeenCalled();
  });

  it('ends with the reason failed when the request fails, and never rejects', async () => {
    const error = new Error('offline');
    const { reveal } = revealWith({ load: () => Promise.reject(error) });
    expect(await reveal.show()).toMatchObject({ status: 'gone', reason: 'failed', error });
    const throwing = revealWith({
      load: () => {
        throw error;
      },
    });
    expect(await throwing.reveal.show()).toMatchObject({ reason: 'failed', error });
  });

  it('keeps the reason with which it ended first', async () => {
    const { reveal, clock } = revealWith();
    await reveal.show();
    reveal.close();
    clock.advance(60_000);
    expect(reveal.getSnapshot().reason).toBe('closed');
    expect(clock.pending).toBe(0);
  });

  it('has its URL in no printout, copy or JSON', async () => {
    const { reveal } = revealWith();
    const shown = await reveal.show();
    const printed = [
      reveal,
      shown,
      { ...shown },
      Object.entries(shown),
      structuredClone({ ...shown }),
    ].flatMap((value) => [
      inspect(value, { depth: 9, showHidden: true, getters: true }),
      JSON.stringify(value),
      Object.keys(value).join(),
    ]);
    expect(shown.url).toContain('secret-1');
    expect(printed.join('\n')).not.toMatch(/secret|url/i);
  });

  it('calls the other listeners when one throws, and none after it was removed', async () => {
    const { reveal } = revealWith();
    const listener = vi.fn();
    reveal.subscribe(() => {
      throw new Error('listener');
    });
    const stop = reveal.subscribe(listener);
    await reveal.show();
    expect(listener).toHaveBeenCalledTimes(2);
    stop();
    reveal.close();
    expect(listener).toHaveBeenCalledTimes(2);
  });

  it('calls a listener as often as it was added, and no longer than it was', async () => {
    const { reveal } = revealWith();
    const listener = vi.fn();
    const remove = reveal.subscribe(listener);
    reveal.subscribe(listener);
    remove();
    remove();
    reveal.close();
    expect(listener).toHaveBeenCalledOnce();
  });

  it('tells a listener that was added meanwhile only of the next change', async () => {
    const { reveal } = revealWith();
    const told: string[] = [];
    const subscribeAgain = () => {
      const remove = reveal.subscribe(() => {
        told.push(reveal.getSnapshot().status);
        remove();
        subscribeAgain();
      });
    };
    subscribeAgain();
    await reveal.show();
    reveal.close();
    expect(told).toEqual(['loading', 'shown', 'gone']);
  });

  it('shows an image of the mock platform, which works once', async () => {
    const { mock, ada, platforms } = twoRegions();
    const userClient = platforms.global.withAccessToken(mock.accessTokenFor(ada));
    const reveal = createCardReveal({
      load: (options) => userClient.card.createPinToken({}, options),
    });
    const { url = '' } = await reveal.show();
    expect((await mock.fetch(url)).status).toBe(200);
    expect((await mock.fetch(url)).ok).toBe(false);
    reveal.close();
  });
});

describe('a card reveal on a page', () => {
  it('is gone when the page is hidden, and leaves no listener', async () => {
    const { page, hide } = visiblePage();
    const remove = vi.spyOn(page, 'removeEventListener');
    const { reveal, clock } = revealWith({ visibility: page });
    await reveal.show();
    page.dispatchEvent(new Event('visibilitychange'));
    expect(reveal.getSnapshot().status).toBe('shown');
    hide();
    expect(reveal.getSnapshot()).toMatchObject({ status: 'gone', reason: 'hidden' });
    expect(remove).toHaveBeenCalledOnce();
    expect(clock.pending).toBe(0);
  });

  it('requests nothing while the page is hidden', async () => {
    const { page, hide } = visiblePage();
    hide();
    const { reveal, load } = revealWith({ visibility: page });
    expect(await reveal.show()).toMatchObject({ status: 'gone', reason: 'hidden' });
    expect(load).not.toHaveBeenCalled();
  });

  it('uses the document of the page by default', async () => {
    const { page, hide } = visiblePage();
    vi.stubGlobal('document', page);
    const { reveal } = revealWith();
    const ignoring = revealWith({ visibility: false });
    vi.unstubAllGlobals();
    await reveal.show();
    await ignoring.reveal.show();
    hide();
    expect(reveal.getSnapshot().reason).toBe('hidden');
    expect(ignoring.reveal.getSnapshot().status).toBe('shown');
    ignoring.reveal.close();
  });
});

describe('a card reveal in React Native', () => {
  it('requests nothing and leaves no listener when the app is hidden as it starts', async () => {
    const app = appState();
    const visibility = {
      ...app,
      addEventListener: (type: 'change', listener: (state: string) => void) => {
        const subscription = app.addEventListener(type, listener);
        listener('background');
        return subscription;
      },
    };
    const { load, reveal } = revealWith({ visibility });
    expect(await reveal.show()).toMatchObject({ status: 'gone', reason: 'hidden' });
    expect(load).not.toHaveBeenCalled();
    expect(app.listeners.size).toBe(0);
  });

  it.each(['inactive', 'background'])('is gone when the app is %s', async (state) => {
    const app = appState();
    const { reveal } = revealWith({ visibility: app });
    await reveal.show();
    for (const listener of app.listeners) listener('active');
    expect(reveal.getSnapshot().status).toBe('shown');
    for (const listener of app.listeners) listener(state);
    expect(reveal.getSnapshot().reason).toBe('hidden');
    expect(app.listeners.size).toBe(0);
  });

  it.each([
    ['unknown', 'shown'],
    [null, 'shown'],
    ['active', 'shown'],
    ['background', 'gone'],
  ])('started while the app is %s becomes %s', async (state, status) => {
    const { reveal } = revealWith({ visibility: appState(state) });
    expect((await reveal.show()).status).toBe(status);
    reveal.close();
  });

  it('fails when the app cannot report whether it is visible', async () => {
    const error = new Error('there is no native module');
    const visibility = {
      currentState: 'active',
      addEventListener: () => {
        throw error;
      },
    };
    const { load, reveal } = revealWith({ visibility });
    expect(await reveal.show()).toMatchObject({ reason: 'failed', error });
    expect(load).not.toHaveBeenCalled();
  });
});

describe('the page that sets the PIN', () => {
  function pinPage(options: Partial<PinPageOptions> = {}) {
    const clock = new FakeClock({ auto: false });
    const load = vi.fn(async (_: { signal: AbortSignal }) => ({ hostedPageUrl: PAGE }));
    const page = createPinPage({ load, clock, ...options });
    const ended = () => page.getSnapshot().reason;
    return { clock, load, page, ended };
  }

  it('ends when the frame posts its message, and ignores every other message', async () => {
    const { page, ended } = pinPage();
    await page.show();
    const window = new EventTarget();
    const contentWindow = {};
    const frame = { contentWindow, src: '' };
    page.attachFrame(frame, window as never);
    expect(frame.src).toBe(PAGE);
    const post = (origin: string, source: object) =>
      window.dispatchEvent(
        Object.assign(new Event('message'), { origin, source, data: { type: 'abort' } }),
      );
    post('https://evil.example.com', contentWindow);
    post('https://pin.example.com', {});
    expect(ended()).toBeUndefined();
    post('https://pin.example.com', contentWindow);
    expect(ended()).toBe('finished');
  });

  it('ends when it leads to the return URL', async () => {
    const { page, ended } = pinPage({ redirectUrl: 'myapp://pin-set' });
    await page.show();
    expect(page.handleEvent({ url: 'https://pin.example.com/next' })).toBe(false);
    expect(page.handleEvent({ url: 'https://evil.example.com', data: '{"type":"abort"}' })).toBe(
      false,
    );
    expect(page.handleEvent({ url: 'myapp://pin-set?status=ok' })).toBe(true);
    expect(ended()).toBe('finished');
    expect(page.handleEvent({ url: 'myapp://pin-set' })).toBe(false);
  });

  it('ends when a WebView passes its message on', async () => {
    const { page, ended } = pinPage();
    await page.show();
    expect(page.handleEvent({ url: PAGE, data: '{"type":"abort"}' })).toBe(true);
    expect(ended()).toBe('finished');
  });

  it('is loaded once by a frame to which it is attached twice', async () => {
    const { page } = pinPage();
    await page.show();
    const loaded: string[] = [];
    const frame = {
      contentWindow: {},
      get src() {
        return '';
      },
      set src(url: string) {
        loaded.push(url);
      },
    };
    page.attachFrame(frame, new EventTarget() as never);
    page.attachFrame(frame, new EventTarget() as never);
    expect(loaded).toEqual([PAGE]);
  });

  it('is no longer in the frame when it is gone', async () => {
    const { page } = pinPage();
    await page.show();
    const frame = { contentWindow: {}, src: '' };
    page.attachFrame(frame, new EventTarget() as never);
    page.close();
    expect(frame.src).toBe('about:blank');
  });

  it('stops listening to the frame when it is closed', async () => {
    const { page } = pinPage();
    await page.show();
    const window = new EventTarget();
    const remove = vi.spyOn(window, 'removeEventListener');
    page.attachFrame({ contentWindow: {}, src: '' }, window as never);
    page.close();
    expect(remove).toHaveBeenCalledOnce();
  });

  it('puts nothing into a frame before it is shown or after it is gone', async () => {
    const { page } = pinPage();
    const frame = { contentWindow: {}, src: '' };
    page.attachFrame(frame);
    await page.show();
    page.close();
    page.attachFrame(frame);
    expect(frame.src).toBe('');
    expect(page.handleEvent({ url: PAGE, data: 'abort' })).toBe(false);
  });

  it('is gone after ten minutes by default', async () => {
    const { page, clock, ended } = pinPage();
    await page.show();
    clock.advance(10 * 60_000 - 1);
    expect(ended()).toBeUndefined();
    clock.advance(1);
    expect(ended()).toBe('timed_out');
  });
});

const load = () => undefined;

describe('the options of a reveal', () => {
  it.each([
    ['options', undefined],
    ['load', {}],
    ['load', { load: 'url' }],
    ['visibleFor', { load, visibleFor: 0 }],
    ['visibleFor', { load, visibleFor: Number.POSITIVE_INFINITY }],
    ['visibility', { load, visibility: {} }],
    ['visibility', { load, visibility: new EventTarget() }],
    ['clock', { load, clock: {} }],
    ['show', { load, show: true }],
  ])('refuse a wrong %s: %j', (option, options) => {
    for (const create of [createCardReveal, createPinPage]) {
      expect(() => create(options as never)).toThrow(
        expect.objectContaining({ name: 'ConfigurationError', option }),
      );
    }
  });

  it('refuse a redirectUrl for an image', async () => {
    const options = { load, redirectUrl: 'myapp://done' };
    expect(await rejection((async () => createCardReveal(options as never))())).toMatchObject({
      option: 'redirectUrl',
    });
  });
});
