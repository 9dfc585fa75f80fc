import { expect, it } from 'vitest';
import { encodeBase58 } from '../../src/contract/formats/base58.js';
import { buildSolanaMessage } from '../../src/solana/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { resealed } from '../delegation/support/mutations.js';
import { describeSavedStates } from '../delegation/support/saved-state-tests.js';
import { completeDelegation } from './support/completed-delegation.js';
import { type Scene, setUpScene } from './support/scene.js';

describeSavedStates(completeDelegation, async () => (await completeDelegation()).states);

/** Runs a delegation until the status of the sent approval cannot be read. */
async function runUntilChainFails() {
  const scene = await setUpScene();
  const getSignatureStatuses = () => Promise.reject(new Error('down'));
  const { state } = await scene.delegateAndCatch({
    node: { ...scene.vm.connection, getSignatureStatuses },
  });
  if (!state?.message || !state.token) throw new Error('nothing was saved');
  return { scene, state, message: state.message, token: state.token };
}

it('a saved Solana state is refused when its notes contradict its approval', async () => {
  const { scene, state } = await runUntilChainFails();
  const other = (await runUntilChainFails()).state.notes;
  for (const [name, notes] of [
    ['signature', { ...state.notes, signature: other['signature'], transaction: undefined }],
    ['transaction', { ...state.notes, transaction: other['transaction'] }],
    ['transaction', { ...state.notes, signature: undefined }],
  ] as const) {
    const { error } = await scene.delegateAndCatch({
      resume: resealed({ ...state, notes }),
    });
    expect(error).toMatchObject({ code: 'state_mismatch', fields: [`notes.${name}`] });
  }
});

/** Signs a message with the wallet's own key that differs from the message of the flow. */
async function signChangedMessage(scene: Scene, nonce: string, changes: object, expiresAt: number) {
  const fields = {
    domain: 'app.example',
    address: scene.address,
    nonce,
    issuedAt: new Date(scene.mock.now),
    expirationTime: new Date(expiresAt),
    ...changes,
  };
  // A person who changes a saved state does not follow the strict rules.
  const text = buildSolanaMessage(fields, { rules: 'siws' });
  const signature = await walletFromKeypair(scene.keypair).signMessage(Buffer.from(text));
  return { text, signature: encodeBase58(signature), expiresAt };
}

it.each([
  ['another domain', { domain: 'evil.example', uri: 'https://app.example' }, 0],
  ['another URI', { uri: 'https://evil.example' }, 0],
  ['another statement', { statement: 'Give everything away' }, 0],
  ['a later expiration than the token', {}, 86_400_000],
])('a saved Solana message of the wallet with %s is signed again', async (_, changes, later) => {
  const { scene, state, token } = await runUntilChainFails();
  const expiresAt = token.requestedAt + 600_000 + later;
  const message = await signChangedMessage(scene, token.nonce, changes, expiresAt);
  const result = await scene.runDelegation({ resume: resealed({ ...state, message }) });
  expect(result.registration).toBe('accepted');
  expect(scene.prompts).toEqual(['message', 'transaction', 'message']);
  const { body } = scene.mock.requests.only({ operation: 'delegation.submitSolanaApproval' });
  expect((body as { sigMessage: string }).sigMessage).not.toBe(message.text);
});

it('a saved Solana message that is unchanged is not signed again', async () => {
  const { scene, state, token, message } = await runUntilChainFails();
  const again = await signChangedMessage(scene, token.nonce, {}, message.expiresAt ?? 0);
  await scene.runDelegation({ resume: resealed({ ...state, message: again }) });
  expect(scene.prompts).toEqual(['message', 'transaction']);
});

it.each([
  Number.NaN,
  -1,
  1.5,
  '5',
])('delegateSolana fails with chain_unreadable when the block height of the node is %o', async (lastValidBlockHeight) => {
  const scene = await setUpScene();
  const { connection } = scene.vm;
  const { blockhash } = await connection.getLatestBlockhash();
  const getLatestBlockhash = async () => ({ blockhash, lastValidBlockHeight }) as never;
  const { error } = await scene.delegateAndCatch({
    node: { ...connection, getLatestBlockhash },
  });
  expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
  expect(scene.prompts).toEqual(['message']);
});
