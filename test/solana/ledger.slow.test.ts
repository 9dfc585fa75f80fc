import solanaModule from '@ledgerhq/hw-app-solana';
import {
  address,
  compileOffchainMessageV0Envelope,
  offchainMessageApplicationDomain,
  offchainMessageContentUtf8Of1232BytesMax,
} from '@solana/kit';
import { describe, expect, it } from 'vitest';
import {
  delegationStateOf,
  next,
  revokeSolanaDelegation,
  type SolanaWallet,
  say,
} from '../../src/solana/index.js';
import { walletFromKeypair } from '../../src/solana/wallets/keypair.js';
import {
  classOf,
  type DeviceState,
  LedgerDevice,
  solanaApp,
} from '../delegation/support/ledger-device.js';
import { setUpNodeScene } from './support/node-scene.js';
import { afterReload } from './support/scene.js';

const PATH = "44'/501'/0'";

/** The form in which the app signs a text. */
function envelopeOf(text: Uint8Array, owner: string): Buffer {
  const { content } = compileOffchainMessageV0Envelope({
    version: 0,
    applicationDomain: offchainMessageApplicationDomain('1'.repeat(32)),
    content: offchainMessageContentUtf8Of1232BytesMax(new TextDecoder().decode(text)),
    requiredSignatories: [{ address: address(owner) }],
  });
  return Buffer.from(content);
}

/** A device with the key of a user, as a wallet with Ledger's library uses it. */
async function setUp() {
  const scene = await setUpNodeScene();
  const { signMessage: sign } = walletFromKeypair(scene.keypair);
  const app = solanaApp(scene.keypair.publicKey.toBytes(), sign);
  const transport = new LedgerDevice('Solana', app);
  const ledger = new (classOf(solanaModule))(transport);
  const found = await ledger.getAddress(PATH);
  expect([...found.address]).toEqual([...scene.keypair.publicKey.toBytes()]);
  const wallet: SolanaWallet = {
    address: scene.address,
    async signMessage(text) {
      const { signature } = await ledger.signOffchainMessage(PATH, envelopeOf(text, scene.address));
      return Uint8Array.from(signature);
    },
    async signTransaction(transaction) {
      // One empty signature, and then the message.
      const message = transaction.subarray(65);
      const { signature } = await ledger.signTransaction(PATH, Buffer.from(message));
      return Uint8Array.from([1, ...signature, ...message]);
    },
  };
  return { scene, transport, device: transport.device, wallet };
}

const READY: DeviceState = {
  isLocked: false,
  app: 'Solana',
  signsBlindly: true,
  isDeclining: false,
};

const FAILURES: [string, Partial<DeviceState>, string, string][] = [
  ['is locked', { isLocked: true }, '5515', 'wallet_failed'],
  ['has no app open', { app: undefined }, '6511', 'wallet_failed'],
  ['has another app open', { app: 'Bitcoin' }, '6e00', 'wallet_failed'],
  ['is declined by its user', { isDeclining: true }, '6985', 'user_rejected'],
];

describe('a Ledger device with hw-app-solana', () => {
  it('signs only off-chain messages, so that a delegation ends before a fee is paid', async () => {
    const { scene, transport, wallet } = await setUp();
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect((error as Error).message).toContain('hardware wallet');
    expect(transport.refusals()).toEqual([]);
    expect(scene.node.count('sendTransaction')).toBe(0);
  });

  it.each(
    FAILURES,
  )('that %s before it signs the message has sent nothing', async (_, state, word, code) => {
    const { scene, transport, device, wallet } = await setUp();
    Object.assign(device, state);
    const { error, state: saved } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(next(error)).toBe('retry');
    expect(say(error)).not.toContain('our side');
    expect(transport.refusals()).toEqual([word]);
    expect(saved?.approval).toBeUndefined();
    expect(scene.node.count('sendTransaction')).toBe(0);
  });

  it.each([
    ...FAILURES,
    ['may not sign blindly', { signsBlindly: false }, '6808', 'wallet_failed'],
  ] as typeof FAILURES)('that %s revokes nothing, and then revokes', async (_, state, word, code) => {
    const { scene, transport, device, wallet } = await setUp();
    await scene.runDelegation();
    const { amount: _amount, ...options } = scene.options({ node: scene.connection, wallet });
    const before = scene.node.count('sendTransaction');
    Object.assign(device, state);
    const error: unknown = await revokeSolanaDelegation({ ...options, submit: false }).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(transport.refusals()).toEqual([word]);
    expect(scene.node.count('sendTransaction')).toBe(before);
    expect(await scene.currentDelegation()).toMatchObject({ amount: 100_500_000n });
    Object.assign(device, READY);
    const saved = delegationStateOf(error);
    expect(saved?.approval).toBeUndefined();
    const resume = saved && afterReload(saved);
    const result = await revokeSolanaDelegation({ ...options, submit: false, resume });
    expect(result.registration).toBe('not-submitted');
    expect(await scene.currentDelegation()).toMatchObject({ delegate: null, amount: 0n });
  });
});
