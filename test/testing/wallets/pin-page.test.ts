import { describe, expect, it, vi } from 'vitest';
import { CardPlatformClient, listenForPinPage, readPinPageEvent } from '../../../src/index.js';
import { createMockPlatform } from '../../../src/testing/index.js';
import { endPinPage } from '../../../src/testing/wallets/index.js';

async function setUpPage(options: { isEmbedded?: true; redirectUrl?: string }) {
  const mock = createMockPlatform();
  const user = mock.users.add({ card: 'ACTIVE' });
  const client = new CardPlatformClient({
    baseUrl: mock.baseUrl,
    fetch: mock.fetch,
    ...mock.credentials,
    accessToken: mock.accessTokenFor(user),
  });
  const { hostedPageUrl } = await client.card.createSetPinToken(options);
  const pinOf = () => mock.users.get(user.id).card?.pin;
  return { mock, user, hostedPageUrl, pinOf };
}

describe('endPinPage', () => {
  it.each([
    'set',
    'cancel',
  ] as const)('posts what the embedded page posts to listenForPinPage: %s', async (how) => {
    const { mock, user, hostedPageUrl, pinOf } = await setUpPage({ isEmbedded: true });
    const before = pinOf();
    const target = new EventTarget();
    const frame = { contentWindow: new EventTarget() };
    const onAbort = vi.fn();
    const window = target as unknown as NonNullable<
      Parameters<typeof listenForPinPage>[0]['target']
    >;
    listenForPinPage({ frame, origin: hostedPageUrl, onAbort, target: window });
    await endPinPage(mock, user, how, { pin: '1234', frame, target });
    expect(onAbort).toHaveBeenCalledOnce();
    expect(pinOf()).toBe(how === 'set' ? '1234' : before);
  });

  it('returns what a WebView reports to readPinPageEvent', async () => {
    const embedded = await setUpPage({ isEmbedded: true });
    const aborted = await endPinPage(embedded.mock, embedded.user, 'set');
    expect(readPinPageEvent(aborted.webViewEvent ?? { url: '' }, embedded)).toBe('aborted');

    const redirectUrl = 'https://app.example/pin-set';
    const { mock, user, hostedPageUrl } = await setUpPage({ redirectUrl });
    const { webViewEvent, message } = await endPinPage(mock, user, 'cancel');
    const page = { hostedPageUrl, redirectUrl };
    expect(readPinPageEvent(webViewEvent ?? { url: '' }, page)).toBe('returned');
    expect(message).toBeUndefined();
  });

  it('lets a page expire, which then posts nothing and is gone', async () => {
    const { mock, user, hostedPageUrl, pinOf } = await setUpPage({ isEmbedded: true });
    const before = pinOf();
    const ended = await endPinPage(mock, user, 'expire');
    expect(ended).toEqual({ message: undefined, webViewEvent: undefined });
    expect((await mock.fetch(hostedPageUrl)).status).toBe(410);
    expect(pinOf()).toBe(before);
    await expect(endPinPage(mock, user, 'set')).rejects.toThrow('no open page');
  });

  it('refuses unknown options and ends, and leaves the page open', async () => {
    const { mock, user, pinOf } = await setUpPage({ isEmbedded: true });
    const before = pinOf();
    await expect(endPinPage(mock, user, 'sett' as 'set')).rejects.toThrow(
      'how must be one of set, cancel, expire. The nearest is "set"',
    );
    await expect(endPinPage(mock, user, 'set', { pni: '1234' } as object)).rejects.toThrow(
      'pni is not a known option. Did you mean pin?',
    );
    expect(pinOf()).toBe(before);
    expect((await endPinPage(mock, user, 'set')).message?.data).toEqual({ type: 'abort' });
  });

  it('fails for a PIN that the page refuses, and leaves the page open', async () => {
    const { mock, user } = await setUpPage({ isEmbedded: true });
    await expect(endPinPage(mock, user, 'set', { pin: '12' })).rejects.toThrow('4 digits');
    expect((await endPinPage(mock, user, 'set')).message?.data).toEqual({ type: 'abort' });
  });

  it('fails for a page that has ended, and for the page of another user', async () => {
    const { mock, user } = await setUpPage({ isEmbedded: true });
    await expect(endPinPage(mock, mock.users.add(), 'set')).rejects.toThrow('no open page');
    await endPinPage(mock, user, 'set');
    await expect(endPinPage(mock, user, 'set')).rejects.toThrow('no open page');
  });
});
