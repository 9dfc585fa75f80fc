import {
  type Address,
  createPublicClient,
  createWalletClient,
  custom,
  type EIP1193RequestFn,
  getAddress,
  http,
  type WalletClient,
} from 'viem';
import { mainnet } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  delegateEvm,
  type Eip1193Provider,
  EVM_NETWORKS,
  readAllowance,
} from '../../src/evm/index.js';
import { type LocalChain, startLocalChain } from '../chain/local-chain.js';
import { SPENDER, setScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

/** A browser wallet: the node's own unlocked accounts sign. */
function provider(asked: string[] = []): Eip1193Provider & { request: EIP1193RequestFn } {
  const { request } = chain.bank;
  const forward = (call: { method: string; params?: unknown }) => {
    asked.push(call.method);
    return request(call as never);
  };
  return { request: forward as EIP1193RequestFn };
}

async function unlocked(): Promise<Address[]> {
  const accounts = (await provider().request({ method: 'eth_accounts' })) as Address[];
  return accounts.map((account) => getAddress(account));
}

describe('delegateEvm accepts', () => {
  it('a viem wallet client with a local account', async () => {
    const scene = await setScene(chain);
    const result = await scene.delegate({ wallet: chain.walletFor(scene.account) });
    expect(result).toMatchObject({ registration: 'accepted', address: scene.account.address });
  });

  it('a viem wallet client over a browser wallet, with the chosen account', async () => {
    const scene = await setScene(chain);
    const [, second, third] = await unlocked();
    const wallet = createWalletClient({ chain: chain.chain, transport: custom(provider()) });
    const chosen = await scene.delegate({ wallet, address: second });
    expect(chosen.address).toBe(second);
    const hoisted = createWalletClient({ account: third ?? '0x', transport: custom(provider()) });
    const own = await (await setScene(chain)).delegate({ wallet: hoisted });
    expect(own.address).toBe(third);
  });

  it('a viem wallet client with its own chain, which viem checks too', async () => {
    const scene = await setScene(chain);
    const client = chain.walletFor(scene.account);
    const sent: unknown[] = [];
    const recording = (own: { id: number } | undefined) => ({
      account: scene.account,
      chain: own,
      getChainId: () => client.getChainId(),
      signMessage: (input: never) => client.signMessage(input),
      sendTransaction(input: never) {
        sent.push((input as { chain: unknown }).chain);
        return client.sendTransaction(input);
      },
    });
    await scene.delegate({ wallet: recording(chain.chain) });
    await (await setScene(chain)).failing({ wallet: recording(mainnet), amount: '1' });
    expect(sent).toEqual([chain.chain, null]);
  });

  it('an EIP-1193 provider, which is never asked to connect', async () => {
    const scene = await setScene(chain);
    const [, , , fourth] = await unlocked();
    const asked: string[] = [];
    const result = await scene.delegate({ wallet: provider(asked), address: fourth });
    expect(result).toMatchObject({ registration: 'accepted', address: fourth });
    expect(asked.filter((method) => method === 'personal_sign')).toHaveLength(1);
    expect(asked.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
    expect(asked).not.toContain('eth_requestAccounts');
  });

  it('the first connected account of a provider by default', async () => {
    const scene = await setScene(chain);
    const [first] = await unlocked();
    const result = await scene.delegate({ wallet: provider() });
    expect(result.address).toBe(first);
    const empty = { request: async () => [] };
    const { error } = await scene.failing({ wallet: empty });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
  });

  it('a provider as the node too', async () => {
    const scene = await setScene(chain);
    const result = await scene.delegate({ publicClient: provider() });
    expect(result.registration).toBe('accepted');
  });
});

describe('delegateEvm refuses', () => {
  it('a viem wallet client without an account', async () => {
    const scene = await setScene(chain);
    const wallet: WalletClient = createWalletClient({ transport: http(chain.url) });
    const { error } = await scene.failing({ wallet });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'address' }] });
  });

  it('an address that is not the plain wallet’s', async () => {
    const scene = await setScene(chain);
    const { error } = await scene.failing({ address: SPENDER });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'address' }] });
  });

  it('an account that can only sign', async () => {
    const scene = await setScene(chain);
    const { error } = await scene.failing({ wallet: scene.account as never });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'wallet' }] });
  });

  it('a viem wallet client that is on another chain', async () => {
    const scene = await setScene(chain);
    const { account } = scene;
    const fork = { ...mainnet, rpcUrls: chain.chain.rpcUrls };
    const wallet = createWalletClient({ account, chain: fork, transport: http(chain.url) });
    const elsewhere = { ...wallet, getChainId: async () => 1 };
    const { error } = await scene.failing({ wallet: elsewhere });
    expect(error).toMatchObject({ code: 'wrong_chain', actual: '1' });
  });

  it.each([
    ['spender', { spender: 'linea' }],
    ['spender', { spender: '0x0000000000000000000000000000000000000000' }],
    ['network', { network: 'base' }],
    ['currency', { currency: 'toString' }],
    ['domain', { domain: 'app.example\nURI: https://evil.example' }],
    ['uri', { uri: 'https://app.example/\n' }],
    ['statement', { statement: 'two\nlines' }],
    ['amount', { amount: '0' }],
    ['amount', { amount: '1.0000001' }],
    ['amount', { amount: '11', cap: '10.5' }],
    ['confirmations', { confirmations: 0 }],
    ['messageLifetime', { messageLifetime: Number.NaN }],
  ])('a wrong %s before anything is sent', async (path, changes) => {
    const scene = await setScene(chain);
    const { error } = await scene.failing(changes);
    expect(error).toMatchObject({
      code: 'request_invalid',
      outcome: 'not_sent',
      issues: [{ path }],
    });
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.asked).toEqual([]);
  });
});

describe('a spender from chain-config', () => {
  const config = (changes: object = {}) => ({
    networks: [
      {
        network: 'LINEA',
        chainId: '0xe708',
        delegationContract: SPENDER,
        tokens: { USDC: { decimals: 6, address: chain.usdc.address.toLowerCase() } },
        ...changes,
      },
    ],
  });

  it('is used when the caller asks for it', async () => {
    const scene = await setScene(chain);
    scene.mock.state.chainConfig = config();
    const result = await scene.delegate({ spender: 'chain-config' });
    expect(result.registration).toBe('accepted');
    expect(await scene.allowance()).toBe(100_500_000n);
  });

  it.each<[string, object]>([
    ['no contract', { delegationContract: null }],
    ['another chain', { chainId: '1' }],
    ['another network', { network: 'base' }],
    ['another token', { tokens: { usdc: { address: SPENDER } } }],
    ['other decimals', { tokens: { usdc: { decimals: 18 } } }],
  ])('is refused rather than guessed: %s', async (_, changes) => {
    const scene = await setScene(chain);
    scene.mock.state.chainConfig = config(changes);
    const { error } = await scene.failing({ spender: 'chain-config' });
    expect(error).toMatchObject({ code: 'chain_config_unusable', outcome: 'not_sent' });
    expect(scene.asked).toEqual([]);
  });

  it.each([
    ['us', 'true'],
    [undefined, undefined],
  ] as const)('comes from the region of token and proof: %s', async (region, header) => {
    const scene = await setScene(chain, region && { environment: region });
    scene.mock.state.chainConfig = config();
    const result = await scene.delegate({ spender: 'chain-config', region });
    expect(result.registration).toBe('accepted');
    const { headers } = scene.mock.requests.only({ operation: 'delegation.chainConfig' });
    expect(headers['x-us-env']).toBe(header);
  });

  it('of the mock platform works with the built-in tokens', async () => {
    const scene = await setScene(chain);
    const bytecode = await chain.publicClient.getCode({ address: chain.usdc.address });
    const { address } = EVM_NETWORKS.linea.tokens.usdc;
    await chain.testClient.setCode({ address, bytecode: bytecode ?? '0x' });
    // The verifier of this scene then refuses the proof: it knows another spender and token.
    await scene.failing({ spender: 'chain-config', networks: undefined });
    expect(scene.asked).toEqual(['sign', 'send']);
    const owner = scene.account.address;
    const spender = scene.mock.state.chainConfig.networks?.[0]?.delegationContract ?? '';
    const asset = { network: 'linea', currency: 'usdc', owner, spender };
    expect(await readAllowance({ publicClient: chain.publicClient, ...asset })).toBe(100_500_000n);
  });

  it('needs a client with chainConfig', async () => {
    const scene = await setScene(chain);
    const { getToken, submitEvmApproval } = scene.client.delegation;
    const client = { delegation: { getToken, submitEvmApproval } };
    const { error } = await scene.failing({ spender: 'chain-config', client });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'client' }] });
  });
});

it('reads an allowance', async () => {
  const scene = await setScene(chain);
  const { address: owner } = scene.account;
  const asset = { network: 'linea', currency: 'usdc', networks: chain.networks };
  const read = (publicClient: Parameters<typeof readAllowance>[0]['publicClient']) =>
    readAllowance({ ...asset, publicClient, owner, spender: SPENDER });
  expect(await read(chain.publicClient)).toBe(0n);
  await scene.delegate();
  const publicClient = createPublicClient({ transport: http(chain.url) });
  expect(await read(publicClient)).toBe(100_500_000n);
  const broken = { request: () => Promise.reject(new Error('secret')) };
  await expect(read(broken)).rejects.toMatchObject({ code: 'chain_unreadable' });
});

it('does nothing when the signal is already aborted', async () => {
  const scene = await setScene(chain);
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(delegateEvm(scene.options({ signal }))).rejects.toThrow('gone');
  expect(scene.mock.requests).toHaveLength(0);
});
