import { expect, it } from 'vitest';
import { encodeBase58 } from '../../src/contract/formats/base58.js';
import { buildSolanaMessage, type DelegationState } from '../../src/solana/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import { describeSavedStates } from '../delegation/support/saved-state-tests.js';
import { completeDelegation } from './support/completed-delegation.js';
import { type Scene, setScene } from './support/scene.js';

describeSavedStates(completeDelegation, async () => (await completeDelegation()).states);

/** A delegation that ended while the chain could not be read: everything is saved but the end. */
async function interrupted() {
  const scene = await setScene();
  const getSignatureStatuses = () => Promise.reject(new Error('down'));
  const { state } = await scene.failing({
    connection: { ...scene.vm.connection, getSignatureStatuses },
  });
  if (!state?.message || !state.token) throw new Error('nothing was saved');
  return { scene, state, message: state.message, token: state.token };
}

it('a note that contradicts the approval is refused', async () => {
  const { scene, state } = await interrupted();
  const other = (await interrupted()).state.notes;
  for (const [name, notes] of [
    ['signature', { ...state.notes, signature: other['signature'], transaction: undefined }],
    ['transaction', { ...state.notes, transaction: other['transaction'] }],
    ['transaction', { ...state.notes, signature: undefined }],
  ] as const) {
    const { error } = await scene.failing({ resume: { ...state, notes } as DelegationState });
    expect(error).toMatchObject({ code: 'state_mismatch', fields: [`notes.${name}`] });
  }
});

/** A message that the wallet's own key has signed, with one thing that the flow does not write. */
async function signedOtherwise(scene: Scene, nonce: string, changes: object, expiresAt: number) {
  const text = buildSolanaMessage({
    domain: 'app.example',
    address: scene.address,
    nonce,
    issuedAt: new Date(scene.mock.now),
    expirationTime: new Date(expiresAt),
    ...changes,
  });
  const signature = await walletFromKeypair(scene.keypair).signMessage(Buffer.from(text));
  return { text, signature: encodeBase58(signature), expiresAt };
}

it.each([
  ['another domain', { domain: 'evil.example', uri: 'https://app.example' }, 0],
  ['another URI', { uri: 'https://evil.example' }, 0],
  ['another statement', { statement: 'Give everything away' }, 0],
  ['an end after that of the token', {}, 86_400_000],
])('a message of the wallet with %s is signed again', async (_, changes, later) => {
  const { scene, state, token } = await interrupted();
  const expiresAt = token.requestedAt + 600_000 + later;
  const message = await signedOtherwise(scene, token.nonce, changes, expiresAt);
  const result = await scene.run({ resume: { ...state, message } });
  expect(result.registration).toBe('accepted');
  expect(scene.asked).toEqual(['message', 'transaction', 'message']);
  const { body } = scene.mock.requests.only({ operation: 'delegation.submitSolanaApproval' });
  expect((body as { sigMessage: string }).sigMessage).not.toBe(message.text);
});

it('the same message, unchanged, is not signed again', async () => {
  const { scene, state, token, message } = await interrupted();
  const again = await signedOtherwise(scene, token.nonce, {}, message.expiresAt ?? 0);
  await scene.run({ resume: { ...state, message: again } });
  expect(scene.asked).toEqual(['message', 'transaction']);
});

it.each([
  Number.NaN,
  -1,
  1.5,
  '5',
])('a block height of %s counts as no answer', async (lastValidBlockHeight) => {
  const scene = await setScene();
  const { connection } = scene.vm;
  const { blockhash } = await connection.getLatestBlockhash();
  const getLatestBlockhash = async () => ({ blockhash, lastValidBlockHeight }) as never;
  const { error } = await scene.failing({ connection: { ...connection, getLatestBlockhash } });
  expect(error).toMatchObject({ code: 'chain_unreadable', outcome: 'not_sent' });
  expect(scene.asked).toEqual(['message']);
});
