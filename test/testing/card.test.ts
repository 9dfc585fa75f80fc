import { describe, expect, it } from 'vitest';
import { codeOf, setUp } from './set-up.js';

const VIRTUAL = { type: 'VIRTUAL' } as const;

describe('the card of the mock platform', () => {
  it('is PENDING for three seconds after it was ordered', async () => {
    const { mock, client } = setUp();
    expect(await codeOf(client.card.status())).toBe('card_not_found');
    await client.card.order(VIRTUAL);
    mock.advance(2_999);
    expect((await client.card.status()).status).toBe('PENDING');
    mock.advance(1);
    expect((await client.card.status()).status).toBe('ACTIVE');
  });

  it('becomes ACTIVE at once by cards.provision', async () => {
    const { mock, ada, client } = setUp();
    await client.card.order(VIRTUAL);
    mock.cards.provision(ada);
    expect((await client.card.status()).status).toBe('ACTIVE');
    expect(() => mock.cards.provision(mock.users.add())).toThrow('the user has no card');
  });

  it.each([
    ['PENDING', 'user_already_has_card'],
    ['ACTIVE', 'user_already_has_card'],
    ['FROZEN', 'user_already_has_card'],
    ['INACTIVE', 'user_already_has_card'],
    ['BLOCKED', 'ok'],
  ] as const)('that is %s makes an order end with %s', async (card, code) => {
    const { ada, client } = setUp({ card });
    const { id } = ada.card ?? {};
    expect(await codeOf(client.card.order(VIRTUAL))).toBe(code);
    expect(ada.card?.id === id).toBe(code !== 'ok');
  });

  it('shows its transactions twenty a page, and the first page again after the last', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    for (let paid = 1; paid <= 20; paid++) mock.cards.pay(ada, { amount: '1' });
    const first = await client.card.transactions({ page: 0 });
    expect(first).toHaveLength(20);
    expect(await client.card.transactions({ page: 1 })).toEqual(first);
    const { id } = mock.cards.pay(ada, { amount: '2' });
    const second = await client.card.transactions({ page: 1 });
    expect(second).toHaveLength(1);
    expect(second[0]?.id).not.toBe(id);
  });

  it.each([
    'UNVERIFIED',
    'PENDING',
    'REJECTED',
  ])('cannot be ordered by a user whose verification is %s', async (verificationState) => {
    const { client } = setUp({ verificationState });
    expect(await codeOf(client.card.order(VIRTUAL))).toBe('user_not_verified');
  });

  it('can be frozen and unfrozen', async () => {
    const { client } = setUp({ card: 'ACTIVE' });
    expect(await codeOf(client.card.unfreeze())).toBe('card_not_frozen');
    expect(await client.card.freeze()).toEqual({ success: true });
    expect((await client.card.status()).status).toBe('FROZEN');
    expect(await codeOf(client.card.freeze())).toBe('card_already_frozen');
    expect(await client.card.unfreeze()).toEqual({ success: true });
    expect((await client.card.status()).status).toBe('ACTIVE');
  });

  it('stays BLOCKED after freeze and unfreeze', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const { card } = mock.users.get(ada.id);
    if (card !== null) card.status = 'BLOCKED';
    expect(await codeOf(client.card.freeze())).toBe('bad_request');
    expect(await codeOf(client.card.unfreeze())).toBe('card_not_frozen');
    expect((await client.card.status()).status).toBe('BLOCKED');
  });

  it('is replaced by an order once it is BLOCKED', async () => {
    const { mock, ada, client } = setUp({ card: 'ACTIVE' });
    const { id } = await client.card.status();
    expect(await codeOf(client.card.order({ type: 'VIRTUAL' }))).toBe('user_already_has_card');
    const { card } = mock.users.get(ada.id);
    if (card !== null) card.status = 'BLOCKED';
    await client.card.order({ type: 'VIRTUAL' });
    mock.advance('1 minute');
    const replacement = await client.card.status();
    expect(replacement.status).toBe('ACTIVE');
    expect(replacement.id).not.toBe(id);
  });

  it('gets a new page token each time, and none when the user has no card', async () => {
    const { client } = setUp({ card: 'ACTIVE' });
    const first = await client.card.createDetailsToken();
    const second = await client.card.createPinToken();
    expect(first.token).not.toBe(second.token);
    expect(first.imageUrl).toContain(first.token);
    expect((await client.card.createSetPinToken()).hostedPageUrl).toMatch(/^https:/);
    const none = setUp().client;
    const calls = [
      none.card.createDetailsToken(),
      none.card.createSetPinToken(),
      none.card.freeze(),
      none.card.createPinToken(),
    ];
    for (const code of await Promise.all(calls.map(codeOf))) expect(code).toBe('card_not_found');
  });

  it('returns page 0 of the transactions for a page past the end', async () => {
    const cardTransactions = Array.from({ length: 25 }, (_, index) => ({ id: `t${index}` }));
    const { client } = setUp({ card: 'ACTIVE', cardTransactions });
    expect(await client.card.transactions({ page: 1 })).toHaveLength(5);
    expect((await client.card.transactions({ page: 9 }))[0]?.id).toBe('t0');
  });
});

describe('the verification of the mock platform', () => {
  it.each([
    'VERIFIED',
    'REJECTED',
  ] as const)('is %s ten minutes after the session was completed', async (result) => {
    const { mock, ada, client } = setUp({ verificationState: 'UNVERIFIED' });
    expect((await client.user.startVerification()).sessionUrl).toMatch(/^https:/);
    mock.completeVerification(ada, result, { processing: 'later' });
    mock.advance('9 minutes');
    expect((await client.user.get()).verificationState).toBe('PENDING');
    mock.advance('1 minute');
    expect((await client.user.get()).verificationState).toBe(result);
  });
});

describe('the fields of live responses on the mock platform', () => {
  it('are there for a card', async () => {
    const { client } = setUp({ card: 'ACTIVE' });
    expect(await client.card.status()).toMatchObject({
      isFreezable: true,
      cardAddedToDigitalWallet: false,
    });
    await client.card.freeze();
    expect((await client.card.status()).isFreezable).toBe(false);
  });

  it('are there for a user, and nearly all may be null', async () => {
    const { client } = setUp({ profile: { city: 'Springfield' } });
    expect(Object.keys(await client.user.get()).sort()).toEqual(
      [
        ...['id', 'firstName', 'lastName', 'dateOfBirth', 'email', 'verificationState'],
        ...['phoneNumber', 'phoneCountryCode', 'addressLine1', 'addressLine2', 'city', 'zip'],
        ...['countryOfResidence', 'countryOfNationality', 'usState', 'ssn', 'createdAt'],
      ].sort(),
    );
    expect(await client.user.get()).toMatchObject({ city: 'Springfield', ssn: null });
  });
});
