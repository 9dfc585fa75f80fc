import { describe, expect, it } from 'vitest';
import { setUp } from './set-up.js';

const post = (body: Record<string, string>) => ({
  method: 'POST',
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  body: new URLSearchParams(body).toString(),
});

describe('the single-use card image of the mock platform', () => {
  it('shows the details of a card that cannot be real, once', async () => {
    const { client, mock, ada } = setUp({ card: 'ACTIVE' });
    const { imageUrl } = await client.card.createDetailsToken();
    const first = await mock.fetch(imageUrl);
    expect(first.headers.get('content-type')).toBe('image/svg+xml');
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(await first.text()).toContain(`0000 0000 0000 ${ada.card?.panLast4}`);
    expect((await mock.fetch(imageUrl)).status).toBe(410);
  });

  it('shows the colours of customCss, and the documented defaults without it', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const imageAt = async (url: string) => (await mock.fetch(url)).text();
    const plain = await imageAt((await client.card.createDetailsToken()).imageUrl);
    for (const colour of ['#000000', '#FFFFFF', '#EFEFEF']) expect(plain).toContain(colour);
    const customCss = {
      cardBackgroundColor: '#111111',
      cardTextColor: '#222222',
      panBackgroundColor: '#333333',
      panTextColor: '#444444',
    };
    const styled = await imageAt((await client.card.createDetailsToken({ customCss })).imageUrl);
    for (const colour of Object.values(customCss)) expect(styled).toContain(`"${colour}"`);
    const pin = { backgroundColor: '#555555', textColor: '#666666' };
    const shown = await imageAt((await client.card.createPinToken({ customCss: pin })).imageUrl);
    for (const colour of Object.values(pin)) expect(shown).toContain(`"${colour}"`);
  });

  it('shows the PIN, which no JSON response contains', async () => {
    const { client, mock, ada } = setUp({ card: 'ACTIVE' });
    const { imageUrl } = await client.card.createPinToken();
    expect(await (await mock.fetch(imageUrl)).text()).toContain(`PIN ${ada.card?.pin}`);
    expect(await client.card.status()).not.toHaveProperty('pin');
  });

  it.each([
    [599_999, 200],
    [600_000, 410],
  ])('works for ten minutes: after %i ms it responds %i', async (milliseconds, status) => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const pin = await client.card.createPinToken();
    const details = await client.card.createDetailsToken();
    mock.advance(milliseconds);
    expect((await mock.fetch(pin.imageUrl)).status).toBe(status);
    expect((await mock.fetch(details.imageUrl)).status).toBe(status);
  });

  it('responds 410 to an unknown token', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const { imageUrl } = await client.card.createPinToken();
    expect((await mock.fetch(imageUrl.replace(/token=.*/, 'token=other'))).status).toBe(410);
  });

  it('is not logged as a request to an endpoint', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const { imageUrl } = await client.card.createPinToken();
    await mock.fetch(imageUrl);
    expect(mock.requests).toHaveLength(1);
  });
});

describe('the verification page of the mock platform', () => {
  it('works once and leaves the verification PENDING until its result is due', async () => {
    const { client, mock } = setUp({ verified: false });
    const { sessionUrl } = await client.user.startVerification();
    expect(await (await mock.fetch(sessionUrl)).text()).toContain('identity provider');
    await mock.fetch(sessionUrl, post({ action: 'submit' }));
    expect((await client.user.get()).verificationState).toBe('PENDING');
    expect((await mock.fetch(sessionUrl)).status).toBe(410);
    mock.advance(599_999);
    expect((await client.user.get()).verificationState).toBe('PENDING');
    mock.advance(1);
    expect((await client.user.get()).verificationState).toBe('VERIFIED');
  });

  it('can end in REJECTED, and can be started again', async () => {
    const { client, mock } = setUp({ verified: false });
    const first = await client.user.startVerification();
    await mock.fetch(first.sessionUrl, post({ action: 'reject' }));
    mock.advance('10 minutes');
    expect((await client.user.get()).verificationState).toBe('REJECTED');
    const second = await client.user.startVerification();
    expect((await mock.fetch(second.sessionUrl)).status).toBe(200);
  });

  it.each([
    [86_399_999, 200],
    [86_400_000, 410],
  ])('works for a day: after %i ms it responds %i', async (milliseconds, status) => {
    const { client, mock } = setUp({ verified: false });
    const { sessionUrl } = await client.user.startVerification();
    mock.advance(milliseconds);
    expect((await mock.fetch(sessionUrl)).status).toBe(status);
  });
});

describe('the PIN page of the mock platform', () => {
  it.each([
    [599_999, 200],
    [600_000, 410],
  ])('is open for ten minutes: after %i ms it responds %i', async (milliseconds, status) => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const { hostedPageUrl } = await client.card.createSetPinToken();
    mock.advance(milliseconds);
    expect((await mock.fetch(hostedPageUrl)).status).toBe(status);
  });

  it('sets the PIN and posts the abort message to its parent page', async () => {
    const { client, mock, ada } = setUp({ card: 'ACTIVE' });
    const { hostedPageUrl } = await client.card.createSetPinToken({ isEmbedded: true });
    const form = await (await mock.fetch(hostedPageUrl)).text();
    expect(form).toContain('<form method="post">');
    const wrong = await mock.fetch(hostedPageUrl, post({ pin: '12x4', action: 'set' }));
    expect(wrong.status).toBe(422);
    expect(ada.card?.pin).not.toBe('4321');
    const done = await mock.fetch(hostedPageUrl, post({ pin: '4321', action: 'set' }));
    expect(await done.text()).toContain("parent.postMessage({type:'abort'}");
    expect(mock.users.get(ada.id).card?.pin).toBe('4321');
    expect((await mock.fetch(hostedPageUrl)).status).toBe(410);
  });

  it('has the colours and the radii of customCss', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const customCss = {
      backgroundColor: '#123456',
      pinBorderColor: '#654321',
      buttonBorderRadius: 7,
    };
    const { hostedPageUrl } = await client.card.createSetPinToken({ customCss });
    const form = await (await mock.fetch(hostedPageUrl)).text();
    expect(form).toContain('body{background:#123456}');
    expect(form).toContain('input{border-color:#654321}');
    expect(form).toContain('button{border-radius:7px}');
  });

  it.each([
    ['https://app.example.com/card', 'https://app.example.com/card'],
    ['https://bücher.example/karte', 'https://xn--bcher-kva.example/karte'],
  ])('redirects when it is not embedded, and changes nothing on Cancel: %s', async (redirectUrl, location) => {
    const { client, mock, ada } = setUp({ card: 'ACTIVE' });
    const before = ada.card?.pin;
    const { hostedPageUrl } = await client.card.createSetPinToken({ redirectUrl });
    const left = await mock.fetch(hostedPageUrl, post({ pin: '4321', action: 'cancel' }));
    expect(left.status).toBe(303);
    expect(left.headers.get('location')).toBe(location);
    expect(mock.users.get(ada.id).card?.pin).toBe(before);
  });

  it('does not redirect when it is embedded', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const redirectUrl = 'https://app.example.com/card';
    const { hostedPageUrl } = await client.card.createSetPinToken({
      redirectUrl,
      isEmbedded: true,
    });
    const left = await mock.fetch(hostedPageUrl, post({ action: 'cancel' }));
    expect(left.status).toBe(200);
    expect(await left.text()).toContain("parent.postMessage({type:'abort'}");
  });

  it('shows no colour that could end its style', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const { hostedPageUrl } = await client.card.createSetPinToken();
    const [page] = mock.state.pages;
    if (page === undefined) throw new Error('there is no page');
    page.customCss = { backgroundColor: 'red}</style><script>', textColor: '#123456' };
    const form = await (await mock.fetch(hostedPageUrl)).text();
    expect(form).not.toContain('<script>');
    expect(form).toContain('body{color:#123456}');
  });

  it('shows the result when it has no redirect URL, and is not served as an image', async () => {
    const { client, mock } = setUp({ card: 'ACTIVE' });
    const { hostedPageUrl } = await client.card.createSetPinToken();
    const image = hostedPageUrl.replace('set-pin', 'details-image');
    expect((await mock.fetch(image)).status).toBe(410);
    const left = await mock.fetch(hostedPageUrl, post({ action: 'cancel' }));
    expect(await left.text()).not.toContain('postMessage');
  });
});
