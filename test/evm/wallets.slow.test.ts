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
import { SPENDER, setUpScene } from './support/scene.js';

let chain: LocalChain;

beforeAll(async () => {
  chain = await startLocalChain(59144);
});

afterAll(() => chain.stop());

/** An EIP-1193 provider, as of a browser wallet. The unlocked accounts of the node sign. */
function createProvider(methods: string[] = []): Eip1193Provider & { request: EIP1193RequestFn } {
  const { request } = chain.bank;
  const forward = (call: { method: string; params?: unknown }) => {
    methods.push(call.method);
    return request(call as never);
  };
  return { request: forward as EIP1193RequestFn };
}

async function unlockedAccounts(): Promise<Address[]> {
  const accounts = (await createProvider().request({ method: 'eth_accounts' })) as Address[];
  return accounts.map((account) => getAddress(account));
}

describe('delegateEvm works with', () => {
  it('a viem wallet client with a local account', async () => {
    const scene = await setUpScene(chain);
    const result = await scene.delegate({ wallet: chain.walletFor(scene.account) });
    expect(result).toMatchObject({ registration: 'accepted', address: scene.account.address });
  });

  it('a viem wallet client of a browser wallet, and uses the chosen account', async () => {
    const scene = await setUpScene(chain);
    const [, second, third] = await unlockedAccounts();
    const wallet = createWalletClient({ chain: chain.chain, transport: custom(createProvider()) });
    const withChosenAddress = await scene.delegate({ wallet, address: second });
    expect(withChosenAddress.address).toBe(second);
    const clientWithAccount = createWalletClient({
      account: third ?? '0x',
      transport: custom(createProvider()),
    });
    const withClientAccount = await (await setUpScene(chain)).delegate({
      wallet: clientWithAccount,
    });
    expect(withClientAccount.address).toBe(third);
  });

  it('a viem wallet client with its own chain, which viem then checks too', async () => {
    const scene = await setUpScene(chain);
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
    await (await setUpScene(chain)).delegateAndCatch({ wallet: recording(mainnet), amount: '1' });
    expect(sent).toEqual([chain.chain, null]);
  });

  it('an EIP-1193 provider, and never requests a connection', async () => {
    const scene = await setUpScene(chain);
    const [, , , fourth] = await unlockedAccounts();
    const methods: string[] = [];
    const result = await scene.delegate({ wallet: createProvider(methods), address: fourth });
    expect(result).toMatchObject({ registration: 'accepted', address: fourth });
    expect(methods.filter((method) => method === 'personal_sign')).toHaveLength(1);
    expect(methods.filter((method) => method === 'eth_sendTransaction')).toHaveLength(1);
    expect(methods).not.toContain('eth_requestAccounts');
  });

  it('a provider without an address, and uses its first connected account', async () => {
    const scene = await setUpScene(chain);
    const [first] = await unlockedAccounts();
    const result = await scene.delegate({ wallet: createProvider() });
    expect(result.address).toBe(first);
    const empty = { request: async () => [] };
    const { error } = await scene.delegateAndCatch({ wallet: empty });
    expect(error).toMatchObject({ code: 'wallet_failed', outcome: 'not_sent' });
  });

  it('an EIP-1193 provider as the node', async () => {
    const scene = await setUpScene(chain);
    const result = await scene.delegate({ node: createProvider() });
    expect(result.registration).toBe('accepted');
  });
});

describe('delegateEvm refuses', () => {
  it('a viem wallet client without an account', async () => {
    const scene = await setUpScene(chain);
    const wallet: WalletClient = createWalletClient({ transport: http(chain.url) });
    const { error } = await scene.delegateAndCatch({ wallet });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'address' }] });
  });

  it('an address that differs from the address of a plain wallet', async () => {
    const scene = await setUpScene(chain);
    const { error } = await scene.delegateAndCatch({ address: SPENDER });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'address' }] });
  });

  it('an account that can only sign', async () => {
    const scene = await setUpScene(chain);
    const { error } = await scene.delegateAndCatch({ wallet: scene.account as never });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'wallet' }] });
  });

  it('a viem wallet client on another chain', async () => {
    const scene = await setUpScene(chain);
    const { account } = scene;
    const fork = { ...mainnet, rpcUrls: chain.chain.rpcUrls };
    const wallet = createWalletClient({ account, chain: fork, transport: http(chain.url) });
    const walletOnOtherChain = { ...wallet, getChainId: async () => 1 };
    const { error } = await scene.delegateAndCatch({ wallet: walletOnOtherChain });
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
  ])('an invalid option %s before anything is sent: %o', async (path, changes) => {
    const scene = await setUpScene(chain);
    const { error } = await scene.delegateAndCatch(changes);
    expect(error).toMatchObject({
      code: 'request_invalid',
      outcome: 'not_sent',
      issues: [{ path }],
    });
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.prompts).toEqual([]);
  });
});

describe('a spender of delegateEvm from chain-config', () => {
  const confirmed = { spender: 'chain-config', confirmSpender: () => true };
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

  it('is used when the caller requests it', async () => {
    const scene = await setUpScene(chain);
    scene.mock.state.chainConfig = config();
    const result = await scene.delegate(confirmed);
    expect(result.registration).toBe('accepted');
    expect(await scene.allowance()).toBe(100_500_000n);
  });

  it.each<[string, object]>([
    ['no delegation contract', { delegationContract: null }],
    ['another chain', { chainId: '1' }],
    ['another network', { network: 'base' }],
    ['another token', { tokens: { usdc: { address: SPENDER } } }],
    ['other tokens only', { tokens: { usdt: { decimals: 6, address: SPENDER } } }],
    ['no tokens', { tokens: undefined }],
    ['other decimals', { tokens: { usdc: { decimals: 18 } } }],
    ['other decimals as a text', { tokens: { usdc: { decimals: '18' } } }],
    ['decimals that are not a number', { tokens: { usdc: { decimals: 'six' } } }],
  ])('is refused when chain-config has %s', async (_, changes) => {
    const scene = await setUpScene(chain);
    scene.mock.state.chainConfig = config(changes);
    const { error } = await scene.delegateAndCatch(confirmed);
    expect(error).toMatchObject({ code: 'chain_config_unusable', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    ['us', 'true'],
    [undefined, undefined],
  ] as const)('is read from the region of the token and the proof when the option region is %s', async (region, header) => {
    const scene = await setUpScene(chain, region && { environment: region });
    scene.mock.state.chainConfig = config();
    const result = await scene.delegate({ ...confirmed, region });
    expect(result.registration).toBe('accepted');
    const { headers } = scene.mock.requests.only({ operation: 'delegation.chainConfig' });
    expect(headers['x-us-env']).toBe(header);
  });

  it('is the contract of the mock platform and works with the built-in tokens', async () => {
    const scene = await setUpScene(chain);
    const bytecode = await chain.publicClient.getCode({ address: chain.usdc.address });
    const { address } = EVM_NETWORKS.linea.tokens.usdc;
    await chain.testClient.setCode({ address, bytecode: bytecode ?? '0x' });
    const { delegationContract } = scene.mock.state.chainConfig.networks?.[0] ?? {};
    await chain.testClient.setCode({ address: delegationContract as Address, bytecode: '0x00' });
    // The verifier of this scene then refuses the proof: it expects another spender and token.
    await scene.delegateAndCatch({ ...confirmed, networks: undefined });
    expect(scene.prompts).toEqual(['sign', 'send']);
    const owner = scene.account.address;
    const spender = scene.mock.state.chainConfig.networks?.[0]?.delegationContract ?? '';
    const asset = { network: 'linea', currency: 'usdc', owner, spender };
    expect(await readAllowance({ node: chain.publicClient, ...asset })).toBe(100_500_000n);
  });

  it('is refused when the client has no chainConfig method', async () => {
    const scene = await setUpScene(chain);
    const { getToken, submitEvmApproval } = scene.client.delegation;
    const client = { delegation: { getToken, submitEvmApproval } };
    const { error } = await scene.delegateAndCatch({ ...confirmed, client });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'client' }] });
  });
});

it('readAllowance returns the allowance, and fails with chain_unreadable when the node fails', async () => {
  const scene = await setUpScene(chain);
  const { address: owner } = scene.account;
  const asset = { network: 'linea', currency: 'usdc', networks: chain.networks };
  const read = (publicClient: Parameters<typeof readAllowance>[0]['node']) =>
    readAllowance({ ...asset, node: publicClient, owner, spender: SPENDER });
  expect(await read(chain.publicClient)).toBe(0n);
  await scene.delegate();
  const publicClient = createPublicClient({ transport: http(chain.url) });
  expect(await read(publicClient)).toBe(100_500_000n);
  const broken = { request: () => Promise.reject(new Error('secret')) };
  await expect(read(broken)).rejects.toMatchObject({ code: 'chain_unreadable' });
});

it('delegateEvm sends nothing when the signal is already aborted', async () => {
  const scene = await setUpScene(chain);
  const signal = AbortSignal.abort(new Error('gone'));
  await expect(delegateEvm(scene.options({ signal }))).rejects.toThrow('gone');
  expect(scene.mock.requests).toHaveLength(0);
});
