import { describe, expect, it } from 'vitest';
import type { SolanaConnection } from '../../../src/solana/index.js';
import { setUpScene } from './scene.js';

const PAGE = '<html>busy</html>';

/** What a method of a connection can return that is not its response. */
const UNUSABLE: readonly (readonly [keyof SolanaConnection, unknown])[] = [
  ['getMultipleAccountsInfo', PAGE],
  ['getMultipleAccountsInfo', []],
  ['getMultipleAccountsInfo', ['a', 'b', 'c', 'd']],
  ['getMultipleAccountsInfo', [{}, {}, {}, {}]],
  ['getLatestBlockhash', PAGE],
  ['getSignatureStatuses', PAGE],
  ['getSignatureStatuses', undefined],
  ['getSignatureStatuses', { value: [] }],
  ['getTransaction', PAGE],
  ['getTransaction', undefined],
  ['getTransaction', { transaction: { message: {} } }],
];

describe('a node that responds with something else', () => {
  it.each(UNUSABLE)('%s: %j once, and the flow goes on', async (method, response) => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    const usual = connection[method];
    Object.assign(connection, {
      [method]: async () => {
        Object.assign(connection, { [method]: usual });
        return response;
      },
    });
    await expect(scene.run()).resolves.toMatchObject({ registration: 'accepted' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it.each(UNUSABLE)('%s: %j always, and the flow says so', async (method, response) => {
    const scene = setUpScene();
    Object.assign(scene.cluster.connection, { [method]: async () => response });
    const { error } = await scene.fail({ confirmationTimeout: 4_000 });
    expect(error).toMatchObject({ code: 'chain_unreadable' });
  });

  it.each([
    [PAGE],
    [['a']],
    [[{}]],
  ])('a history of %j does not show what came before the approval', async (history) => {
    const scene = setUpScene();
    const { connection } = scene.cluster;
    Object.assign(connection, { getSignaturesForAddress: async () => history });
    const { notes } = (await scene.run({ wallet: scene.sendingWallet })).state;
    expect(notes).not.toHaveProperty('newestBefore');
  });
});
