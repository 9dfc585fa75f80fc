import { type Hex, serializeSignature } from 'viem';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EvmWallet } from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { type Scene, setUpScene } from './support/scene.js';

let linea: LocalChain;

beforeAll(async () => {
  linea = await startLocalChain(59144);
});

afterAll(() => linea.stop());

describe('a wallet signature', () => {
  const walletChangingSignature = (scene: Scene, change: (signature: Hex) => Hex): EvmWallet => ({
    ...scene.wallet,
    signMessage: async (text) => change((await scene.wallet.signMessage(text)) as Hex),
  });
  const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const toMalleableTwin = (signature: Hex): Hex => {
    const r: Hex = `0x${signature.slice(2, 66)}`;
    const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
    const yParity = signature.endsWith('1b') ? 1 : 0;
    return serializeSignature({ r, s: `0x${s.toString(16).padStart(64, '0')}`, yParity });
  };

  it.each<[string, (signature: Hex) => Hex]>([
    ['that has the length of a smart account’s', (signature) => `${signature}${'00'.repeat(900)}`],
    ['of 64 bytes', (signature) => signature.slice(0, -2) as Hex],
    ['with a high s value', toMalleableTwin],
    ['that is empty', () => '0x'],
    ['with an invalid last byte', (signature) => `${signature.slice(0, -2)}1d` as Hex],
  ])('%s is refused before a fee is paid', async (_, change) => {
    const scene = await setUpScene(linea);
    const { error } = await scene.delegateAndCatch({
      wallet: walletChangingSignature(scene, change),
    });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect(scene.prompts).toEqual(['sign']);
    expect(await scene.transactionCount()).toBe(0);
  });

  it('by the owner of a smart account is refused for the account', async () => {
    const scene = await setUpScene(linea);
    const { address } = await linea.deploy('SmartAccount', [scene.account.address]);
    const wallet = { ...scene.wallet, address };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
    expect((error as Error).message).toContain('is a contract');
    expect(scene.prompts).toEqual([]);
  });

  it('by another account is refused before a fee is paid', async () => {
    const scene = await setUpScene(linea);
    const stranger = await linea.newAccount();
    const wallet = {
      ...scene.wallet,
      signMessage: (message: string) => stranger.signMessage({ message }),
    };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
    expect(await scene.transactionCount()).toBe(0);
  });

  it('with a last byte of 0 or 1 is normalized and accepted', async () => {
    const scene = await setUpScene(linea);
    const change = (signature: Hex) =>
      `${signature.slice(0, -2)}0${signature.endsWith('1b') ? 0 : 1}` as Hex;
    const result = await scene.delegate({ wallet: walletChangingSignature(scene, change) });
    expect(result.registration).toBe('accepted');
  });
});

describe('a token nonce that EIP-4361 does not allow', () => {
  const clientWithInvalidNonce = ({ client }: Scene, proofs: string[]) => ({
    delegation: {
      getToken: async () => ({
        ...(await client.delegation.getToken()),
        nonce: 'q83vEjRWeJA/+w==',
      }),
      submitEvmApproval: async ({ sigMessage }: { sigMessage: string }) => {
        proofs.push(sigMessage);
        return { success: true };
      },
    },
  });

  it('is refused before the wallet is prompted, and accepted with allowAnyNonce', async () => {
    const scene = await setUpScene(linea);
    const proofs: string[] = [];
    const { error } = await scene.delegateAndCatch({
      client: clientWithInvalidNonce(scene, proofs),
    });
    expect(error).toMatchObject({ code: 'nonce_not_allowed', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
    await scene.delegate({ client: clientWithInvalidNonce(scene, proofs), allowAnyNonce: true });
    expect(proofs[0]).toContain('\nNonce: q83vEjRWeJA/+w==\n');
  });
});
