import { describe, expect, it } from 'vitest';
import { associatedTokenAccount, createDelegation } from '../../../src/solana/index.js';
import { memoryStore } from '../../../src/stores/index.js';
import { failureOf } from '../../delegation/scripted-world.js';
import { MINT, OTHER, TOKEN_2022, TOKEN_PROGRAM } from './cluster.js';
import { OWNER, type Scene, setUpScene } from './scene.js';

/** Stops the first transaction on its way to the chain, until the test sends it on. */
function holdFirst({ cluster }: Scene) {
  const { connection } = cluster;
  const send = connection.sendRawTransaction;
  const held: { send?: () => void } = {};
  const isHeld = new Promise<void>((resolve) => {
    connection.sendRawTransaction = (...given) => {
      connection.sendRawTransaction = send;
      return new Promise((sent) => {
        held.send = () => sent(send(...given));
        resolve();
      });
    };
  });
  return { isHeld, send: () => held.send?.() };
}

describe.each([
  ['SPL-Token', TOKEN_PROGRAM],
  ['Token-2022', TOKEN_2022],
])('the associated token account of %s and its address', (_, programAddress) => {
  const tokenAccount = associatedTokenAccount({ owner: OWNER, mint: MINT, programAddress });

  it('are one delegation: a second one with another amount waits', async () => {
    const scene = setUpScene(programAddress);
    const held = holdFirst(scene);
    const first = scene.run();
    await held.isHeld;
    const second = await scene.fail({ tokenAccount, amount: '7' });
    held.send();
    expect(second.error).toMatchObject({ code: 'delegation_in_progress' });
    expect(await first).toMatchObject({ registration: 'accepted' });
    expect(scene.countOf('transaction')).toBe(1);
  });

  it('are one saved delegation', async () => {
    for (const isNamedFirst of [true, false]) {
      const scene = setUpScene(programAddress);
      const { client: _, onProgress: __, ...options } = scene.options();
      const page = createDelegation({ client: scene.client, store: memoryStore() });
      const named = { ...options, tokenAccount };
      scene.cluster.lands = undefined;
      const start = { ...(isNamedFirst ? named : options), confirmationTimeout: 4_000 };
      const { error } = await failureOf(page.start(start));
      expect(error).toMatchObject({ code: 'confirmation_timeout' });
      scene.cluster.lands = 'confirmed';
      const finished = await page.resume(isNamedFirst ? options : named);
      expect(finished).toMatchObject({ registration: 'accepted' });
      expect(scene.countOf('transaction')).toBe(1);
    }
  });
});

it('another token account is another delegation', async () => {
  const scene = setUpScene();
  const { state } = await scene.fail({ tokenAccount: OTHER });
  expect(state?.request).toMatchObject({ tokenAccount: OTHER });
});
