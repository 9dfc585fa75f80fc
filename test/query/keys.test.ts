import { hashKey, QueryClient } from '@tanstack/react-query';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ConfigurationError } from '../../src/index.js';
import { createQueries } from '../../src/query/index.js';
import { setUp } from './set-up.js';

const { client } = setUp();
const queriesOf = (user: string | null, region: 'global' | 'us' = 'global') =>
  createQueries({ client, user, region });

describe('the keys of queries', () => {
  it('differ between users and between regions', () => {
    const users = fc.tuple(fc.constantFrom('a', 'b', null), fc.constantFrom('global', 'us'));
    fc.assert(
      fc.property(users, users, (one, other) => {
        const key = ([user, region]: typeof one) =>
          hashKey(queriesOf(user, region).card.status().queryKey);
        const isSame = one[0] === other[0] && one[1] === other[1];
        expect(key(one) === key(other)).toBe(isSame);
      }),
    );
  });

  it('are equal for equal inputs, in any order and with fields that are undefined', () => {
    const { wallets, card } = queriesOf('a');
    const one = { walletId: 'w', walletType: 'CREDIT', page: undefined } as const;
    const other = { walletType: 'CREDIT', walletId: 'w' } as const;
    const text = (input: typeof one | typeof other) =>
      JSON.stringify(wallets.history.list(input).queryKey);
    expect(text(one)).toBe(text(other));
    expect(card.transactions().queryKey).toEqual(card.transactions({}).queryKey);
  });

  it('differ between inputs, and between a list and its pages', () => {
    const { history } = queriesOf('a').wallets;
    const input = { walletId: 'w', walletType: 'CREDIT' } as const;
    const keys = [
      history.list(input).queryKey,
      history.list({ ...input, page: 1 }).queryKey,
      history.list({ ...input, walletId: 'v' }).queryKey,
      history.pages(input).queryKey,
    ];
    expect(new Set(keys.map(hashKey)).size).toBe(4);
  });

  it('keep the input of the moment when they were created', () => {
    const input = { code: 'FRIEND' };
    const { queryKey } = queriesOf('a').referral.validate(input);
    input.code = 'OTHER';
    expect(queryKey.at(-1)).toEqual({ code: 'FRIEND' });
    const wallet = { walletId: 'w', walletType: 'CREDIT' as const };
    const pages = queriesOf('a').wallets.history.pages(wallet);
    wallet.walletId = 'v';
    expect(pages.queryKey.at(-1)).toEqual({ walletId: 'w', walletType: 'CREDIT' });
  });

  it('differ between a field that is null, which the client refuses, and none', () => {
    const { card } = queriesOf('a');
    const input: object = { searchKey: null };
    expect(card.transactions(input).queryKey.at(-1)).toEqual({ searchKey: null });
  });
});

describe('within()', () => {
  it('matches the queries of a namespace, of this user and region only', async () => {
    const queryClient = new QueryClient();
    const mine = queriesOf('a');
    const keys: Record<string, readonly unknown[]> = {
      credit: mine.wallets.credit.get().queryKey,
      external: mine.wallets.external.list().queryKey,
      card: mine.card.status().queryKey,
      otherUser: queriesOf('b').wallets.credit.get().queryKey,
      otherRegion: queriesOf('a', 'us').wallets.credit.get().queryKey,
    };
    for (const key of Object.values(keys)) queryClient.setQueryData(key, {});
    const invalidated = () =>
      Object.entries(keys).flatMap(([name, key]) =>
        queryClient.getQueryState(key)?.isInvalidated ? [name] : [],
      );
    await queryClient.invalidateQueries(mine.within('wallets.credit'));
    expect(invalidated()).toEqual(['credit']);
    await queryClient.invalidateQueries(mine.within('wallets'));
    expect(invalidated()).toEqual(['credit', 'external']);
    await queryClient.invalidateQueries(mine.within());
    expect(invalidated()).toEqual(['credit', 'external', 'card']);
  });
});

describe('createQueries() refuses', () => {
  const valid: object = { client, user: 'a', region: 'global' };
  it.each([
    ['client', undefined],
    ['client', {}],
    ['user', undefined],
    ['user', ''],
    ['user', ' '],
    ['user', 7],
    ['user', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln'],
    ['region', undefined],
    ['region', 'eu'],
  ])('%s %j, without naming the value', (option, value) => {
    const create = () => createQueries({ ...valid, [option]: value } as never);
    expect(create).toThrow(ConfigurationError);
    expect(create).toThrow(expect.objectContaining({ option, outcome: 'not_sent' }));
    expect(create).not.toThrow(/eyJ/);
  });
});
