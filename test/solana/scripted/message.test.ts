import { Keypair } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import type { SolanaWallet } from '../../../src/solana/index.js';
import { walletFromKeypair } from '../../../src/solana/wallets/keypair.js';
import { resealed } from '../../delegation/support/mutations.js';
import { type Scene, setUpScene } from './scene.js';

const OTHER_KEY = walletFromKeypair(Keypair.fromSeed(new Uint8Array(32).fill(9)));

const withSignature = (scene: Scene, sign: SolanaWallet['signMessage']): SolanaWallet => ({
  ...scene.wallet,
  signMessage: sign,
});

/** Runs a flow that stops after the message: the user declines the approval. */
async function stopAfterMessage(scene: Scene) {
  const wallet = {
    ...scene.wallet,
    signTransaction: () => Promise.reject(new Error('User rejected the request.')),
  };
  const { error, state } = await scene.fail({ wallet });
  expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
  expect(state?.message).toBeDefined();
  return state;
}

describe('the signature of the message', () => {
  it.each([0, 63, 65])('of %i bytes is not accepted', async (length) => {
    const scene = setUpScene();
    const wallet = withSignature(scene, async () => new Uint8Array(length));
    const { error } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(scene.countOf('transaction')).toBe(0);
  });

  it('by another key ends the flow before the approval', async () => {
    const scene = setUpScene();
    const wallet = withSignature(scene, OTHER_KEY.signMessage);
    const { error } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
    expect(scene.countOf('transaction')).toBe(0);
  });

  it.each<[string, (text: Uint8Array, signer: Uint8Array) => number[]]>([
    [
      'version 0 of the specification',
      (text, signer) => [0, ...Array<number>(32).fill(0), 0, 1, ...signer, ...sizeOf(text)],
    ],
    ['version 0 of the first devices', (text) => [0, 1, ...sizeOf(text)]],
    ['version 1', (_, signer) => [1, 1, ...signer]],
  ])('of a hardware wallet over an off-chain message is named as that: %s', async (_, header) => {
    const scene = setUpScene();
    const { publicKey } = Keypair.fromSeed(new Uint8Array(32).fill(7));
    const wallet = withSignature(scene, (text) =>
      scene.wallet.signMessage(
        Uint8Array.from([
          0xff,
          ...new TextEncoder().encode('solana offchain'),
          ...header(text, publicKey.toBytes()),
          ...text,
        ]),
      ),
    );
    const { error } = await scene.fail({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(String(error)).toContain('off-chain');
  });

  const sizeOf = (text: Uint8Array) => [text.length & 255, text.length >> 8];

  it('is over a text with the nonce, the times of the token and the page', async () => {
    const scene = setUpScene();
    let text = '';
    const wallet = withSignature(scene, (bytes) => {
      text = new TextDecoder().decode(bytes);
      return scene.wallet.signMessage(bytes);
    });
    await scene.run({ wallet, uri: 'https://app.example/pay', statement: 'Pay with USDC' });
    expect(text.split('\n')).toEqual([
      'app.example wants you to sign in with your Solana account:',
      scene.wallet.address,
      '',
      'Pay with USDC',
      '',
      'URI: https://app.example/pay',
      'Version: 1',
      'Nonce: nonce00001',
      'Issued At: 2026-01-01T12:00:00.000Z',
      'Expiration Time: 2026-01-01T12:10:00.000Z',
    ]);
    expect(scene.proofs[0]).toMatchObject({ sigMessage: text });
  });

  it.each([
    'two words',
    'line\nbreak',
    'null\u0000',
  ])('is not asked for with the nonce %j, which would break out of its line', async (nonce) => {
    const scene = setUpScene();
    const getToken = async () => ({ token: 'token', nonce });
    const client = { ...scene.client, delegation: { ...scene.client.delegation, getToken } };
    const { error, state } = await scene.fail({ client });
    expect(error).toMatchObject({ code: 'nonce_not_allowed', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    // A resumed flow gets another token.
    expect(state?.token).toBeUndefined();
    await scene.run({ resume: state });
    expect(scene.proofs).toHaveLength(1);
  });
});

describe('a signed message of an earlier run', () => {
  it('is used again while its token is valid', async () => {
    const scene = setUpScene();
    const resume = await stopAfterMessage(scene);
    await scene.run({ resume });
    expect(scene.countOf('message')).toBe(1);
    expect(scene.tokens.issued).toBe(1);
    expect(scene.proofs).toHaveLength(1);
  });

  // A token is valid for ten minutes, and the approval needs five of them.
  it.each([
    [300_000, 1],
    [300_001, 2],
  ])('after %i ms is asked for %i times', async (later, times) => {
    const scene = setUpScene();
    const resume = await stopAfterMessage(scene);
    scene.clock.now += later;
    await scene.run({ resume });
    expect(scene.countOf('message')).toBe(times);
    expect(scene.tokens.issued).toBe(times);
  });

  // The text of a message has no fractions of a millisecond, so one more is allowed.
  it.each([
    [1, 1],
    [2, 2],
  ])('that expires %i ms after its token is asked for %i times', async (later, times) => {
    const scene = setUpScene();
    const state = await stopAfterMessage(scene);
    const token = state?.token;
    const requestedAt = (token?.requestedAt ?? 0) - later;
    await scene.run({ resume: resealed({ ...state, token: { ...token, requestedAt } }) });
    expect(scene.countOf('message')).toBe(times);
    expect(scene.tokens.issued).toBe(1);
  });

  type Message = { text: string; signature: string; expiresAt?: number | undefined };
  it.each<[string, (message: Message) => Partial<Message>]>([
    ['another statement', ({ text }) => ({ text: text.replace('Prove', 'Give up') })],
    ['another nonce', ({ text }) => ({ text: text.replace('nonce00001', 'nonce00002') })],
    ['another page', ({ text }) => ({ text: text.replace(/app\.example/g, 'evil.example') })],
    ['another time', ({ text }) => ({ text: text.replace('12:00:00', '12:00:01') })],
    ['no time', ({ text }) => ({ text: text.replace(/^Issued At: .*$/m, '') })],
    ['a later end', ({ expiresAt = 0 }) => ({ expiresAt: expiresAt + 2 })],
    ['an end in the past', () => ({ expiresAt: 1 })],
    ['no end', () => ({ expiresAt: undefined })],
    ['a short signature', () => ({ signature: '2'.repeat(86) })],
    ['a signature of nothing', () => ({ signature: '2'.repeat(88) })],
    [
      'a changed signature',
      ({ signature }) => ({
        signature: `${signature.slice(0, -1)}${signature.endsWith('2') ? '3' : '2'}`,
      }),
    ],
  ])('with %s is not used', async (_, change) => {
    const scene = setUpScene();
    const state = await stopAfterMessage(scene);
    const message = state?.message as Message;
    const resume = resealed({ ...state, message: { ...message, ...change(message) } });
    const { error } = await scene.fail({ resume });
    // Either the state is refused as a whole, or the wallet signs again.
    if (error === undefined) expect(scene.countOf('message')).toBe(2);
    else expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
    for (const { sigMessage } of scene.proofs) {
      expect(sigMessage).toContain('Prove address ownership');
      expect(sigMessage).toContain('nonce00001');
    }
  });
});
