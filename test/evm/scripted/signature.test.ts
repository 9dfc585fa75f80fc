import { recoverMessageAddress } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, it } from 'vitest';
import { checkSignature } from '../../../src/evm/index.js';
import { resealed } from '../../delegation/support/mutations.js';
import { OWNER, type Scene, setUpScene } from './scene.js';

const OTHER_KEY = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The twin of a signature on the other side of the order of the curve. */
const twin = (signature: string) => {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const recovery = signature.endsWith('1b') ? '1c' : '1b';
  return `${signature.slice(0, 66)}${s.toString(16).padStart(64, '0')}${recovery}`;
};

describe('the signature of the message', () => {
  it.each<[string, string, (signature: string, text: string) => unknown]>([
    ['unsupported_signature', 'is not hex', () => 'signed'],
    ['unsupported_signature', 'has a byte fewer', (signature) => signature.slice(0, -2)],
    ['unsupported_signature', 'has a byte more', (signature) => `${signature}00`],
    ['unsupported_signature', 'is malleable', twin],
    ['unsupported_signature', 'ends with 2', (signature) => `${signature.slice(0, -2)}02`],
    ['unsupported_signature', 'ends with 26', (signature) => `${signature.slice(0, -2)}1a`],
    ['unsupported_signature', 'ends with 29', (signature) => `${signature.slice(0, -2)}1d`],
    ['unsupported_signature', 'is wrapped', (signature) => `${signature}${'6492'.repeat(16)}`],
    ['signer_mismatch', 'is of another key', (_, text) => OTHER_KEY.signMessage({ message: text })],
    ['signer_mismatch', 'is of nobody', () => `0x${'00'.repeat(64)}1b`],
  ])('ends the flow with %s if it %s', async (code, _, change) => {
    const scene = setUpScene();
    const sign = scene.wallet.signMessage;
    scene.wallet.signMessage = async (text) => String(await change(await sign(text), text));
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code, outcome: 'not_sent' });
    expect(scene.countOf('send')).toBe(0);
  });

  it.each([
    [16, 'eip-6492'],
    [15, undefined],
  ])('that ends with 6492, %i times, names the kind %s', async (times, accountKind) => {
    const scene = setUpScene();
    const sign = scene.wallet.signMessage;
    scene.wallet.signMessage = async (text) => `${await sign(text)}${'6492'.repeat(times)}`;
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'unsupported_signature', accountKind });
  });

  it('is malleable above half of the order, and not at it', async () => {
    // Whatever s is, it is the signature of some key, with the generator of the curve as its r.
    const r = '79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
    const half =
      `0x${r}7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a01b` as const;
    const above =
      `0x${r}7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a11b` as const;
    const signerOf = (signature: `0x${string}`) =>
      recoverMessageAddress({ message: 'text', signature });
    expect(await checkSignature('text', half, await signerOf(half))).toBe(half);
    await expect(checkSignature('text', above, await signerOf(above))).rejects.toMatchObject({
      code: 'unsupported_signature',
    });
  });

  it('of a hardware wallet, which ends with 0 or 1, is sent as 27 or 28', async () => {
    const scene = setUpScene();
    const sign = scene.wallet.signMessage;
    let usual = '';
    scene.wallet.signMessage = async (text) => {
      usual = await sign(text);
      return `${usual.slice(0, -2)}${usual.endsWith('1b') ? '00' : '01'}`;
    };
    await scene.run();
    expect(scene.proofs).toMatchObject([{ sigHash: usual }]);
  });

  it.each([
    ['0x60', 'eip-1271'],
    [`0xEF0100${'11'.repeat(20)}`, 'eip-7702'],
    ['0x', undefined],
  ])('of an account with the code %s names its kind', async (code, accountKind) => {
    for (const length of [64, 65]) {
      const scene = setUpScene();
      scene.chain.code.set(OWNER.toLowerCase(), code);
      scene.wallet.signMessage = async (text) => {
        const signature = await OTHER_KEY.signMessage({ message: text });
        return signature.slice(0, 2 + length * 2);
      };
      const { error } = await scene.fail();
      const isMismatch = accountKind === undefined && length === 65;
      expect(error).toMatchObject(
        isMismatch ? { code: 'signer_mismatch' } : { code: 'unsupported_signature', accountKind },
      );
    }
  });

  it('of an account whose code cannot be read is reported as it is', async () => {
    const scene = setUpScene();
    scene.wallet.signMessage = async (text) => {
      scene.chain.script('eth_getCode', () => {
        throw new Error('503');
      });
      return OTHER_KEY.signMessage({ message: text });
    };
    const { error } = await scene.fail();
    expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
  });
});

describe('a signed message of an earlier run', () => {
  /** Runs a flow that stops after the message: the user declines the approval. */
  async function stopAfterMessage(scene: Scene, messageLifetime?: number) {
    const send = scene.wallet.sendTransaction;
    scene.wallet.sendTransaction = () => Promise.reject(new Error('User rejected the request.'));
    const { error, state } = await scene.fail({ messageLifetime });
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    scene.wallet.sendTransaction = send;
    return state;
  }

  // A message is valid for two minutes.
  it.each([
    [0, 1],
    [119_999, 1],
    [120_000, 2],
  ])('after %i ms is asked for %i times', async (later, times) => {
    const scene = setUpScene();
    const resume = await stopAfterMessage(scene);
    scene.clock.now += later;
    await scene.run({ resume });
    expect(scene.countOf('sign')).toBe(times);
    expect(scene.tokens.issued).toBe(1);
  });

  // The text of a message has no fractions of a millisecond, so one more is allowed.
  it.each([
    [1, 1],
    [2, 2],
  ])('that expires %i ms after its token is asked for %i times', async (later, times) => {
    const scene = setUpScene();
    const state = await stopAfterMessage(scene, 600_000);
    const token = state?.token;
    const requestedAt = (token?.requestedAt ?? 0) - later;
    const resume = resealed({ ...state, token: { ...token, requestedAt } });
    await scene.run({ resume, messageLifetime: 600_000 });
    expect(scene.countOf('sign')).toBe(times);
    expect(scene.tokens.issued).toBe(1);
  });

  type Message = { text: string; signature: string; expiresAt?: number | undefined };
  it.each<[string, (message: Message) => Partial<Message>]>([
    ['another statement', ({ text }) => ({ text: text.replace('Prove', 'Give up') })],
    ['another nonce', ({ text }) => ({ text: text.replace('nonce00001', 'nonce00002') })],
    ['another page', ({ text }) => ({ text: text.replace(/app\.example/g, 'evil.example') })],
    ['another chain', ({ text }) => ({ text: text.replace('59144', '1') })],
    ['another time', ({ text }) => ({ text: text.replace('12:00:00', '12:00:01') })],
    ['another end', ({ text }) => ({ text: text.replace('12:02:00', '12:02:01') })],
    ['another end beside it', ({ expiresAt = 0 }) => ({ expiresAt: expiresAt + 1 })],
    ['no end', () => ({ expiresAt: undefined })],
    ['the other form of the signature', ({ signature }) => ({ signature: twin(signature) })],
    ['the signature of nobody', () => ({ signature: `0x${'00'.repeat(64)}1b` })],
  ])('with %s is not used', async (_, change) => {
    const scene = setUpScene();
    const state = await stopAfterMessage(scene);
    const message = state?.message as Message;
    const resume = resealed({ ...state, message: { ...message, ...change(message) } });
    const { error } = await scene.fail({ resume });
    // Either the state is refused as a whole, or the wallet signs again.
    if (error === undefined) expect(scene.countOf('sign')).toBe(2);
    else expect(error).toMatchObject({ code: 'state_mismatch', outcome: 'not_sent' });
    for (const { sigMessage } of scene.proofs) expect(sigMessage).toBe(message.text);
  });
});

describe('a message for a network that the caller has given another chain', () => {
  it('is not checked by the client again', async () => {
    const scene = setUpScene();
    const networks = {
      linea: {
        chainId: 59_141,
        tokens: { usdc: { address: '0x176211869cA2b568f2A7D4EE941E073a821EE1ff', decimals: 6 } },
      },
    };
    scene.chain.chainId = 59_141;
    scene.walletDoes.chainId = 59_141;
    await scene.run({ networks });
    expect(scene.proofs).toMatchObject([{ checkMessage: false }]);
    expect(scene.proofs[0]?.['sigMessage']).toContain('Chain ID: 59141');
    const usual = setUpScene();
    await usual.run();
    expect(usual.proofs[0]).not.toHaveProperty('checkMessage');
  });
});
