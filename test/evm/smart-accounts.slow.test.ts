import {
  concatHex,
  createWalletClient,
  encodeDeployData,
  getCreate2Address,
  type Hex,
  http,
} from 'viem';
import { entryPoint07Abi, entryPoint07Address, toSmartAccount } from 'viem/account-abstraction';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkSignature, type EvmWallet, isChainError } from '../../src/evm/index.js';
import { compiledContract, type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { waitUntilMined } from './support/chain-actions.js';
import { type Scene, setUpScene } from './support/scene.js';

/** The deployer that anvil has at the same address as most chains. */
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

async function accountKindOf(scene: Scene, wallet: Parameters<Scene['delegateAndCatch']>[0]) {
  const { error } = await scene.delegateAndCatch(wallet);
  expect(error).toMatchObject({ code: 'unsupported_signature', outcome: 'not_sent' });
  expect(await scene.transactionCount()).toBe(0);
  return isChainError(error, 'unsupported_signature') ? error.accountKind : 'another error';
}

/** A contract wallet of the scene's account, as viem knows it, whose address depends on its code. */
async function contractWallet({ account }: Scene) {
  const { abi, bytecode } = compiledContract('SmartAccount');
  const code = encodeDeployData({ abi, bytecode, args: [account.address] });
  const salt: Hex = `0x${'0'.repeat(64)}`;
  const factoryData = concatHex([salt, code]);
  const address = getCreate2Address({ from: DEPLOYER, salt, bytecode: code });
  const smartAccount = await toSmartAccount({
    client: chain.publicClient,
    entryPoint: { abi: entryPoint07Abi, address: entryPoint07Address, version: '0.7' },
    getAddress: async () => address,
    getFactoryArgs: async () => ({ factory: DEPLOYER, factoryData }),
    encodeCalls: async () => '0x',
    getStubSignature: async () => '0x',
    signMessage: ({ message }) => account.signMessage({ message }),
    signTypedData: (typedData) => account.signTypedData(typedData as never),
    signUserOperation: async () => '0x',
  });
  const wallet = createWalletClient({
    account: smartAccount,
    chain: chain.chain,
    transport: http(chain.url),
  });
  const deploy = async () => {
    const { bank } = chain;
    await waitUntilMined(
      chain,
      await bank.sendTransaction({
        account: bank.account,
        chain: chain.chain,
        to: DEPLOYER,
        data: factoryData,
      }),
    );
  };
  return { address, wallet, deploy };
}

describe('a contract wallet is refused before a fee is paid', () => {
  it('as eip-6492 while it is not deployed, and as eip-1271 once it is', async () => {
    const scene = await setUpScene(chain);
    const { address, wallet, deploy } = await contractWallet(scene);
    // It has no coins: somebody else pays for such an account.
    expect(await accountKindOf(scene, { wallet, checkFunds: false })).toBe('eip-6492');
    await deploy();
    expect(await chain.publicClient.getCode({ address })).not.toBeUndefined();
    const message = 'is valid for the contract';
    const signature = await wallet.signMessage({ message });
    expect(await chain.publicClient.verifyMessage({ address, message, signature })).toBe(true);
    expect(await accountKindOf(scene, { wallet })).toBe('eip-1271');
  });

  it('as eip-1271 when its signature is longer than one of a key', async () => {
    const scene = await setUpScene(chain);
    const { address } = await chain.deploy('SmartAccount', [scene.account.address]);
    const wallet: EvmWallet = {
      ...scene.wallet,
      address,
      signMessage: async (text) => {
        const signature = await scene.wallet.signMessage(text);
        return `${signature}${signature.slice(2)}`;
      },
    };
    expect(await accountKindOf(scene, { wallet })).toBe('eip-1271');
  });

  it('without a kind when the node cannot return its code', async () => {
    const scene = await setUpScene(chain);
    const { address } = await chain.deploy('SmartAccount', [scene.account.address]);
    const publicClient = {
      request(call: { method: string; params?: unknown }) {
        const [first] = (call.params ?? []) as (string | { to?: string })[];
        const isOwner = String(first).toLowerCase() === address.toLowerCase();
        const isOfOwner = call.method === 'eth_getCode' && isOwner;
        // A call without a receiver reads the code too.
        const isBatch = call.method === 'eth_call' && Object(first).to === undefined;
        return isOfOwner || isBatch
          ? Promise.reject(new Error('429'))
          : chain.publicClient.request(call as never);
      },
    };
    const wallet = { ...scene.wallet, address };
    const { error } = await scene.delegateAndCatch({
      wallet,
      node: publicClient,
      checkFunds: false,
    });
    expect(error).toMatchObject({ code: 'signer_mismatch', outcome: 'not_sent' });
  });
});

describe('an account that has delegated to a contract (EIP-7702)', () => {
  /** A scene whose account has the code of a contract. */
  async function delegatedScene(): Promise<Scene> {
    const scene = await setUpScene(chain);
    const { account } = scene;
    const { address: contractAddress } = await chain.deploy('SmartAccount', [account.address]);
    const wallet = chain.walletFor(account);
    const authorization = await wallet.signAuthorization({
      account,
      contractAddress,
      executor: 'self',
    });
    const hash = await wallet.sendTransaction({
      account,
      chain: chain.chain,
      to: chain.bank.account.address,
      authorizationList: [authorization],
    });
    await waitUntilMined(chain, hash);
    const code = await chain.publicClient.getCode({ address: account.address });
    expect(code).toBe(`0xef0100${contractAddress.slice(2).toLowerCase()}`);
    return scene;
  }

  it('can delegate with the signature of its own key', async () => {
    const scene = await delegatedScene();
    const result = await scene.delegate();
    expect(result.registration).toBe('accepted');
    expect(scene.prompts).toEqual(['sign', 'send']);
  });

  it.each<[string, (own: string, other: string) => string]>([
    ['of another key', (_, other) => other],
    ['that only its contract understands', (own) => `0x${'00'.repeat(12)}${own.slice(2)}`],
  ])('is refused as eip-7702 with a signature %s', async (_, change) => {
    const scene = await delegatedScene();
    const sessionKey = await chain.newAccount();
    const before = await scene.transactionCount();
    const wallet: EvmWallet = {
      ...scene.wallet,
      signMessage: async (text) =>
        change(
          await scene.wallet.signMessage(text),
          await sessionKey.signMessage({ message: text }),
        ),
    };
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({
      code: 'unsupported_signature',
      outcome: 'not_sent',
      accountKind: 'eip-7702',
    });
    expect((error as Error).message).toContain('EIP-7702');
    expect(await scene.transactionCount()).toBe(before);
  });
});

it('an account without code has no kind: another account signed, or the signature is compact', async () => {
  const scene = await setUpScene(chain);
  const wallet: EvmWallet = {
    ...scene.wallet,
    signMessage: async (text) => (await scene.wallet.signMessage(text)).slice(0, -2),
  };
  expect(await accountKindOf(scene, { wallet })).toBeUndefined();
});

it('checkSignature names an account that is not deployed by its signature alone', async () => {
  const scene = await setUpScene(chain);
  const { wallet, address } = await contractWallet(scene);
  const signature = await wallet.signMessage({ message: 'text' });
  await expect(checkSignature('text', signature, address)).rejects.toMatchObject({
    code: 'unsupported_signature',
    accountKind: 'eip-6492',
  });
});
