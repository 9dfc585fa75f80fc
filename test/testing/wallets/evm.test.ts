import { createPublicClient, createWalletClient, custom, encodeFunctionData, erc20Abi } from 'viem';
import { linea as lineaChain } from 'viem/chains';
import { describe, expect, it } from 'vitest';
import { delegateEvm, delegationStateOf, revokeEvmDelegation } from '../../../src/evm/index.js';
import { createMockPlatform } from '../../../src/testing/index.js';
import { createMockEvmWallet, createMockWallet } from '../../../src/testing/wallets/index.js';
import { signedMessage } from '../../support/signed-message.js';
import { catchError, setUpWallet } from './support.js';

const UNITS = 100_500_000n;

describe('delegateEvm with a mock wallet', () => {
  it('sets the limit on the mock chain, and the platform accepts the proof of it', async () => {
    const { evmOptions, linea, wallet, registered } = await setUpWallet();
    const result = await delegateEvm(evmOptions);
    expect(result).toMatchObject({ registration: 'accepted', amount: '100.5' });
    expect(linea.allowance('usdc', wallet.evm.address)).toBe(UNITS);
    expect(registered()).toMatchObject([{ address: wallet.evm.address, allowance: '100.5' }]);
    expect(wallet.prompts).toMatchObject([
      { kind: 'sign-message', state: 'accepted', text: expect.stringContaining('app.example') },
      { kind: 'send-transaction', state: 'accepted' },
    ]);
  });

  it('works with the clients of viem over the same provider', async () => {
    const { evmOptions, wallet, linea } = await setUpWallet();
    const transport = custom(wallet.evm);
    const account = wallet.evm.address;
    const publicClient = createPublicClient({ chain: lineaChain, transport });
    const result = await delegateEvm({
      ...evmOptions,
      wallet: createWalletClient({ account, chain: lineaChain, transport }),
      node: publicClient,
    });
    expect(result.registration).toBe('accepted');
    const hash = linea.transactions[0]?.hash ?? '0x';
    expect(await publicClient.waitForTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
    });
    const { address } = linea.tokenOf('usdc');
    const args = [account, linea.spender as `0x${string}`] as const;
    const read = { address: address as `0x${string}`, abi: erc20Abi };
    const functionName = 'allowance';
    expect(await publicClient.readContract({ ...read, functionName, args })).toBe(UNITS);
    expect(await publicClient.readContract({ ...read, functionName: 'symbol' })).toBe('USDC');
  });

  it('sets the old limit of USDT on ethereum to zero first', async () => {
    const { evmOptions, chains, wallet } = await setUpWallet({ network: 'ethereum' });
    const ethereum = chains.evm('ethereum');
    ethereum.setAllowance('usdt', wallet.evm.address, 5n);
    const place = { network: 'ethereum', currency: 'usdt', node: ethereum };
    expect(await delegateEvm({ ...evmOptions, ...place })).toMatchObject({ amount: '100.5' });
    expect(ethereum.transactions).toHaveLength(2);
    expect(ethereum.allowance('usdt', wallet.evm.address)).toBe(UNITS);
  });

  it('revokes the limit', async () => {
    const { evmOptions, linea, wallet } = await setUpWallet();
    await delegateEvm(evmOptions);
    const { amount: _, ...options } = evmOptions;
    await revokeEvmDelegation(options);
    expect(linea.allowance('usdc', wallet.evm.address)).toBe(0n);
  });

  it('has an EVM side at once, for code that cannot wait, and no Solana side', async () => {
    const mock = createMockPlatform();
    const client = mock.clientFor(mock.users.add());
    const wallet = createMockEvmWallet({ platform: mock, network: 'linea', seed: 1 });
    const linea = wallet.chains.evm('linea');
    const both = await createMockWallet({ seed: 1 });
    expect(wallet.evm.address).toBe(both.evm.address);
    const node = createPublicClient({ chain: lineaChain, transport: custom(linea) });
    const read = { address: linea.tokenOf('usdc').address as `0x${string}`, abi: erc20Abi };
    const args = [wallet.evm.address as `0x${string}`] as const;
    const units = await node.readContract({ ...read, functionName: 'balanceOf', args });
    expect(units).toBe(1_000_000_000n);
    const delegated = await delegateEvm({
      ...{ client, wallet: wallet.evm, node: linea, spender: linea.spender },
      ...{ network: 'linea', currency: 'usdc', amount: '5', runtime: wallet.chains.runtime },
      ...{ domain: 'app.example', uri: 'https://app.example' },
    });
    expect(delegated).toMatchObject({ registration: 'accepted' });
    // @ts-expect-error: the type has no Solana side either
    expect(() => wallet.solana).toThrow('use await createMockWallet()');
  });

  it('ends when the user declines the signature or the transaction', async () => {
    const { evmOptions, wallet, linea } = await setUpWallet();
    wallet.declineNext();
    expect(await catchError(delegateEvm(evmOptions))).toMatchObject({ code: 'user_rejected' });
    const prompt = wallet.holdNext();
    wallet.declineNext();
    const flow = catchError(delegateEvm(evmOptions));
    await prompt.opened;
    prompt.accept();
    expect(await flow).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(linea.transactions).toEqual([]);
    expect(wallet.prompts.map(({ state }) => state)).toEqual(['declined', 'accepted', 'declined']);
  });

  it('keeps a prompt open until the flow is aborted', async () => {
    const { evmOptions, wallet, linea } = await setUpWallet();
    const prompt = wallet.holdNext();
    const page = new AbortController();
    const flow = catchError(delegateEvm({ ...evmOptions, signal: page.signal }));
    expect(await prompt.opened).toMatchObject({ kind: 'sign-message', state: 'open' });
    page.abort(new Error('the page was closed'));
    expect(await flow).toMatchObject({ message: 'the page was closed' });
    prompt.accept();
    expect(linea.transactions).toEqual([]);
  });

  it('accepts a slow prompt by the clock of the platform, or too late for promptTimeout', async () => {
    const { evmOptions, wallet, mock } = await setUpWallet();
    wallet.delayNext('30 seconds');
    const before = mock.now;
    const inTime = delegateEvm({ ...evmOptions, promptTimeout: 60_000 });
    expect(await inTime).toMatchObject({ registration: 'accepted' });
    expect(mock.now - before).toBeLessThan(60_000);
    wallet.delayNext('90 seconds');
    const late = delegateEvm({ ...evmOptions, amount: '7', promptTimeout: 60_000 });
    expect(await catchError(late)).toMatchObject({ code: 'prompt_timeout' });
  });

  it('waits for a transaction that is not mined, and resumes with it', async () => {
    const { evmOptions, linea, wallet } = await setUpWallet();
    linea.setAutomaticMining(false);
    const error = await catchError(delegateEvm(evmOptions));
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    linea.mine();
    const state = JSON.parse(JSON.stringify(delegationStateOf(error)));
    const resumed = await delegateEvm({ ...evmOptions, resume: state });
    expect(resumed).toMatchObject({ registration: 'accepted' });
    expect(wallet.prompts.filter(({ kind }) => kind === 'send-transaction')).toHaveLength(1);
  });

  it('asks again for a transaction that was dropped', async () => {
    const { evmOptions, linea, wallet } = await setUpWallet();
    linea.setAutomaticMining(false);
    const options = {
      ...evmOptions,
      onProgress: () => {
        if (linea.transactions.some(({ block }) => block === undefined)) linea.dropPending();
      },
    };
    const error = await catchError(delegateEvm(options));
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    linea.setAutomaticMining(true);
    const resume = delegationStateOf(error);
    expect(await delegateEvm({ ...evmOptions, resume })).toMatchObject({ amount: '100.5' });
    expect(wallet.prompts.filter(({ kind }) => kind === 'send-transaction')).toHaveLength(2);
  });

  it.each([
    ['speed-up', { registration: 'accepted' }],
    ['cancel', { code: 'transaction_cancelled' }],
  ] as const)('follows a transaction that the user replaced: %s', async (how, expected) => {
    const { evmOptions, linea, wallet, chains, mock } = await setUpWallet();
    linea.setAutomaticMining(false);
    let isReplaced = false;
    const sleep = async (milliseconds: number, signal?: AbortSignal) => {
      if (isReplaced) linea.mine();
      else if (linea.transactions.length > 0) await wallet.evm.replacePending(how);
      isReplaced = linea.transactions.length > 0;
      return chains.runtime.sleep(milliseconds, signal);
    };
    const runtime = { now: () => mock.now, sleep };
    const result = await delegateEvm({ ...evmOptions, runtime }).catch((error: unknown) => error);
    expect(result).toMatchObject(expected);
  });

  it('fails with a transaction that reverts on the chain, or a token that refuses a test run', async () => {
    const { evmOptions, linea } = await setUpWallet();
    linea.revertNext();
    const reverted = await catchError(delegateEvm(evmOptions));
    expect(reverted).toMatchObject({ code: 'transaction_reverted' });
    linea.setPaused('usdc', true);
    const refused = await catchError(delegateEvm(evmOptions));
    expect(refused).toMatchObject({ code: 'approval_would_revert', outcome: 'not_sent' });
  });

  it('fails when the wallet cannot pay the fee', async () => {
    const { evmOptions } = await setUpWallet({ isFunded: false });
    const error = await catchError(delegateEvm(evmOptions));
    expect(error).toMatchObject({ code: 'insufficient_funds' });
  });

  it('ends on the wrong chain, and switches or adds the network on request', async () => {
    const { evmOptions, wallet } = await setUpWallet({
      network: 'ethereum',
      knownNetworks: ['ethereum'],
    });
    const wrong = await catchError(delegateEvm(evmOptions));
    expect(wrong).toMatchObject({ code: 'wrong_chain' });
    const unknown = await catchError(delegateEvm({ ...evmOptions, switchNetwork: true }));
    expect(unknown).toMatchObject({ code: 'wrong_chain' });
    const changes: unknown[] = [];
    wallet.evm.on('chainChanged', (chainId) => changes.push(chainId));
    const added = await delegateEvm({ ...evmOptions, switchNetwork: lineaChain });
    expect(added).toMatchObject({ registration: 'accepted' });
    expect(changes).toEqual(['0xe708']);
    wallet.evm.switchTo(1);
    const options = { ...evmOptions, switchNetwork: true, amount: '8' };
    expect(await delegateEvm(options)).toMatchObject({ registration: 'accepted' });
    expect(wallet.prompts.filter(({ kind }) => /network/.test(kind))).toMatchObject([
      { kind: 'add-network' },
      { kind: 'switch-network' },
    ]);
  });

  it('waits for a node that lags some blocks behind', async () => {
    const { evmOptions, linea, wallet } = await setUpWallet();
    linea.lagBehind(3);
    expect(await delegateEvm(evmOptions)).toMatchObject({ registration: 'accepted' });
    expect(linea.allowance('usdc', wallet.evm.address)).toBe(UNITS);
  });

  it('waits for the requested number of confirmations', async () => {
    const { evmOptions, mock } = await setUpWallet();
    const before = mock.now;
    await delegateEvm({ ...evmOptions, confirmations: 5 });
    expect(mock.now - before).toBeGreaterThanOrEqual(8_000);
  });

  it('asks to connect before a page sees the account', async () => {
    const { wallet, evmOptions } = await setUpWallet({ isConnected: false });
    expect(await wallet.evm.request({ method: 'eth_accounts' })).toEqual([]);
    const sign = wallet.evm.request({
      method: 'personal_sign',
      params: ['0x41', wallet.evm.address],
    });
    // Unauthorized, by EIP-1193.
    expect(await catchError(sign)).toMatchObject({ code: 4100 });
    expect(await catchError(delegateEvm(evmOptions))).toMatchObject({ code: 'wallet_failed' });
    wallet.declineNext();
    const connect = () => wallet.evm.request({ method: 'eth_requestAccounts' });
    expect(await catchError(connect())).toMatchObject({ code: 4001 });
    expect(await connect()).toEqual([wallet.evm.address]);
    expect(await wallet.evm.request({ method: 'eth_accounts' })).toEqual([wallet.evm.address]);
  });
});

it.each([
  ['0xe708'],
  [undefined],
])('a mock wallet sends a transaction on the chain of its request, although the user switches meanwhile (chainId %s)', async (chainId) => {
  const { wallet, chains, linea } = await setUpWallet();
  const prompt = wallet.holdNext();
  const params = [{ from: wallet.evm.address, to: linea.tokenOf('usdc').address, chainId }];
  const sending = wallet.evm.request({ method: 'eth_sendTransaction', params });
  await prompt.opened;
  wallet.evm.switchTo(1);
  prompt.accept();
  await sending;
  expect(linea.transactions).toHaveLength(1);
  expect(chains.evm('ethereum').transactions).toEqual([]);
});

it('a mock wallet has one coin for the fees of each chain', async () => {
  const { wallet, linea, solana } = await setUpWallet();
  const params = [wallet.evm.address, 'latest'];
  const wei = await linea.request({ method: 'eth_getBalance', params });
  expect(BigInt(String(wei))).toBe(1_000_000_000_000_000_000n);
  const account = await solana.getAccountInfo({ toBase58: () => wallet.solana.address });
  expect(account?.lamports).toBe(1_000_000_000);
});

it('the seed of a mock wallet is at least 1', () => {
  expect(() => createMockEvmWallet({ seed: 1 })).not.toThrow();
  expect(() => createMockEvmWallet({ seed: 0 })).toThrow(/seed must be a whole number, at least 1/);
});

it('a mock wallet that does not know a chain says so with the code 4902', async () => {
  const { wallet } = await setUpWallet();
  const params = [{ chainId: '0x2105' }];
  const switching = wallet.evm.request({ method: 'wallet_switchEthereumChain', params });
  expect(await catchError(switching)).toMatchObject({ code: 4902 });
});

/** Creates a platform, and returns one of its chains with a function that reads its height. */
async function setUpChain(name: 'linea' | 'solana') {
  const { mock, chains } = await setUpWallet();
  const chain = name === 'linea' ? chains.evm(name) : chains.solana;
  const height = async () =>
    name === 'linea'
      ? Number(await chains.evm(name).request({ method: 'eth_blockNumber' }))
      : chains.solana.getBlockHeight();
  return { mock, chain, height };
}

it.each([
  ['linea', 2_000],
  ['solana', 400],
] as const)('the next block on %s comes after %i ms', async (name, ms) => {
  const { mock, height } = await setUpChain(name);
  const start = await height();
  mock.advance(ms - 1);
  expect(await height()).toBe(start);
  mock.advance(1);
  expect(await height()).toBe(start + 1);
});

it.each([
  ['linea', 5, 1],
  ['solana', 25, 5],
] as const)('the clock of the platform makes blocks on %s while they are mined automatically', async (name, first, last) => {
  const { mock, chain, height } = await setUpChain(name);
  const start = await height();
  mock.advance('10 seconds');
  chain.setAutomaticMining(false);
  expect((await height()) - start).toBe(first);
  mock.advance('10 seconds');
  expect((await height()) - start).toBe(first);
  chain.setAutomaticMining(true);
  mock.advance('2 seconds');
  expect((await height()) - start).toBe(first + last);
});

describe('the platform with mock chains', () => {
  it.each([
    ['signature', 'sigHash', { sigHash: `0x${'12'.repeat(65)}` }],
    ['transaction', 'txHash', { txHash: `0x${'34'.repeat(32)}` }],
    ['amount', 'txHash', { amount: '100.6' }],
    ['currency', 'txHash', { currency: 'usdt' }],
    ['network', 'sigMessage', { network: 'ethereum' }],
  ] as const)('refuses a proof with another %s than the chain has', async (_, field, change) => {
    const { evmOptions, client } = await setUpWallet();
    const submit = client.delegation.submitEvmApproval.bind(client.delegation);
    Object.assign(client.delegation, {
      submitEvmApproval: (proof: Parameters<typeof submit>[0]) =>
        submit({ ...proof, ...change, checkMessage: false }),
    });
    const error = await catchError(delegateEvm(evmOptions));
    expect(JSON.stringify(error)).toContain(field);
  });

  const UNLIMITED = 2n ** 256n - 1n;

  /** Signs a message and sends an approval, and returns how the platform takes the proof of them. */
  async function prove(
    amount: string,
    options: {
      units?: bigint;
      expiresIn?: number;
      expiredMessage?: 'refused';
      spender?: `0x${string}`;
      isReverted?: true;
      isOfAnother?: true;
    } = {},
  ): Promise<string> {
    const { units = UNITS, expiresIn } = options;
    const { client, wallet, linea, mock } = await setUpWallet();
    const { expiredMessage } = options;
    if (expiredMessage !== undefined) mock.state.choices.expiredMessage = expiredMessage;
    const { address, request } = wallet.evm;
    const { token, nonce } = await client.delegation.getToken();
    const issuedAt = new Date(mock.now).toISOString();
    const expirationTime =
      expiresIn === undefined ? undefined : new Date(mock.now + expiresIn).toISOString();
    const sigMessage = signedMessage({ address, nonce, issuedAt, expirationTime });
    const sigHash = await request({ method: 'personal_sign', params: [sigMessage, address] });
    const { spender = linea.spender as `0x${string}` } = options;
    const args = [spender, units] as const;
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args });
    if (options.isReverted) linea.revertNext();
    const sender = options.isOfAnother
      ? (await createMockWallet({ platform: mock })).evm
      : wallet.evm;
    const sent = { from: sender.address, to: linea.tokenOf('usdc').address, data };
    const txHash = await sender.request({ method: 'eth_sendTransaction', params: [sent] });
    mock.advance(60_000);
    const { error } = await client.delegation
      .submitEvmApproval({
        ...{ address, network: 'linea', currency: 'usdc', amount, token, sigMessage },
        sigHash: String(sigHash),
        txHash: String(txHash),
        checkMessage: false,
      })
      .safe();
    return error === undefined ? 'accepted' : JSON.stringify(error);
  }

  it.each([
    ['100.5', UNITS],
    // The contract also calls the amount one in base units.
    ['100500000', UNITS],
    ['100.5', UNLIMITED],
  ])('accepts %s as the amount of an approval of %d', async (amount, units) => {
    expect(await prove(amount, { units })).toBe('accepted');
  });

  it('accepts a message that has expired while its transaction was confirmed', async () => {
    expect(await prove('100.5', { expiresIn: 1_000 })).toBe('accepted');
  });

  it('accepts a message until it expires, and one that never does, when that is chosen', async () => {
    const expiredMessage = 'refused';
    expect(await prove('100.5', { expiresIn: 60_001, expiredMessage })).toBe('accepted');
    expect(await prove('100.5', { expiresIn: 60_000, expiredMessage })).toContain(
      'Message has expired',
    );
    expect(await prove('100.5', { expiredMessage })).toBe('accepted');
  });

  it.each([
    ['Transaction failed', { isReverted: true }],
    ['Transaction is from another address', { isOfAnother: true }],
    ['Transaction approves another spender', { spender: `0x${'12'.repeat(20)}` }],
  ] as const)('refuses a proof because: %s', async (reason, options) => {
    expect(await prove('100.5', options)).toContain(reason);
  });
});
