import { PublicKey, Transaction, TransactionInstruction } from '@solana/web3.js';
import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../../../src/index.js';
import {
  delegateSolana,
  delegationStateOf,
  revokeSolanaDelegation,
} from '../../../src/solana/index.js';
import { createMockWallet } from '../../../src/testing/wallets/index.js';
import { catchError, setUpWallet } from './support.js';

const UNITS = 100_500_000n;

describe('delegateSolana with a mock wallet', () => {
  it('sets the limit on the mock chain, and the platform accepts the proof of it', async () => {
    const { solanaOptions, solana, wallet, registered } = await setUpWallet();
    const result = await delegateSolana(solanaOptions);
    expect(result).toMatchObject({ registration: 'accepted', amount: '100.5' });
    expect(await solana.delegation('usdc', wallet.solana.address)).toEqual({
      delegate: solana.delegate,
      delegatedAmount: UNITS,
    });
    expect(registered()).toMatchObject([{ address: wallet.solana.address, network: 'solana' }]);
    expect(wallet.prompts).toMatchObject([
      { kind: 'sign-message', text: expect.stringContaining('app.example') },
      { kind: 'sign-transaction' },
    ]);
  });

  it('waits until the approval is final', async () => {
    const { solanaOptions, mock } = await setUpWallet();
    const before = mock.now;
    await delegateSolana({ ...solanaOptions, commitment: 'finalized' });
    expect(mock.now - before).toBeGreaterThanOrEqual(32 * 400);
  });

  it('works with a wallet that only sends by itself', async () => {
    const { solanaOptions, wallet } = await setUpWallet();
    const { accounts, features } = wallet.solana;
    const { 'solana:signTransaction': _, ...sending } = features;
    const result = await delegateSolana({
      ...solanaOptions,
      wallet: { accounts, features: sending },
    });
    expect(result.registration).toBe('accepted');
    expect(wallet.prompts.at(-1)?.kind).toBe('send-transaction');
  });

  it('pays a priority fee, and revokes the limit', async () => {
    const { solanaOptions, solana, wallet } = await setUpWallet();
    await delegateSolana({ ...solanaOptions, computeUnitLimit: 20_000, computeUnitPrice: 50_000 });
    const { amount: _, ...options } = solanaOptions;
    await revokeSolanaDelegation(options);
    expect(await solana.delegation('usdc', wallet.solana.address)).toMatchObject({
      delegate: null,
    });
  });

  it('ends when the user declines, and nothing is sent', async () => {
    const { solanaOptions, wallet, solana } = await setUpWallet();
    wallet.declineNext();
    const error = await catchError(delegateSolana(solanaOptions));
    expect(error).toMatchObject({ code: 'user_rejected', outcome: 'not_sent' });
    expect(solana.transactions).toEqual([]);
  });

  it('keeps a prompt open until the flow is aborted, and never sends what is signed later', async () => {
    const { solanaOptions, wallet, solana, chains } = await setUpWallet();
    const page = new AbortController();
    const message = wallet.holdNext();
    const transaction = wallet.holdNext();
    const flow = catchError(delegateSolana({ ...solanaOptions, signal: page.signal }));
    await message.opened;
    message.accept();
    const opened = await transaction.opened;
    expect(opened).toMatchObject({ kind: 'sign-transaction', state: 'open' });
    page.abort(new Error('the page was closed'));
    expect(await flow).toMatchObject({ message: 'the page was closed' });
    transaction.accept();
    await chains.runtime.sleep(1_000);
    expect(opened.state).toBe('accepted');
    expect(solana.transactions).toEqual([]);
  });

  it('ends when a dropped transaction has expired, and resumes with another one', async () => {
    const { solanaOptions, solana, wallet } = await setUpWallet();
    solana.setAutomaticMining(false);
    const onProgress = () => {
      if (solana.transactions.length === 0) return;
      solana.dropPending();
      solana.mine(200);
    };
    const error = await catchError(delegateSolana({ ...solanaOptions, onProgress }));
    expect(error).toMatchObject({ code: 'transaction_expired' });
    solana.setAutomaticMining(true);
    const state = JSON.parse(JSON.stringify(delegationStateOf(error)));
    const resumed = await delegateSolana({ ...solanaOptions, resume: state });
    expect(resumed).toMatchObject({ registration: 'accepted' });
    expect(wallet.prompts.filter(({ kind }) => kind === 'sign-transaction')).toHaveLength(2);
  });

  it('waits for a transaction that is not executed, and resumes with it', async () => {
    const { solanaOptions, solana, wallet } = await setUpWallet();
    solana.setAutomaticMining(false);
    const error = await catchError(delegateSolana(solanaOptions));
    expect(error).toMatchObject({ code: 'confirmation_timeout' });
    solana.mine();
    const resume = delegationStateOf(error);
    expect(await delegateSolana({ ...solanaOptions, resume })).toMatchObject({ amount: '100.5' });
    expect(wallet.prompts.filter(({ kind }) => kind === 'sign-transaction')).toHaveLength(1);
  });

  it('fails with a transaction that fails on the chain', async () => {
    const { solanaOptions, solana } = await setUpWallet();
    solana.revertNext();
    const error = await catchError(delegateSolana(solanaOptions));
    expect(error).toMatchObject({ code: 'transaction_reverted' });
  });

  it('fails for a frozen token account, and for a wallet without SOL', async () => {
    const { solanaOptions, solana, wallet } = await setUpWallet();
    const { address } = wallet.solana;
    solana.setBalance(address, 0n);
    const poor = await catchError(delegateSolana(solanaOptions));
    expect(poor).toMatchObject({ code: 'insufficient_funds' });
    solana.setBalance(address, 1_000_000_000n);
    await solana.setTokenBalance('usdc', address, 5n, { isFrozen: true });
    const frozen = await catchError(delegateSolana(solanaOptions));
    expect(frozen).toMatchObject({ code: 'token_account_unusable' });
  });

  it('waits for a node that lags some blocks behind', async () => {
    const { solanaOptions, solana } = await setUpWallet();
    solana.lagBehind(10);
    solana.mine(10);
    expect(await delegateSolana(solanaOptions)).toMatchObject({ registration: 'accepted' });
  });

  it('asks to connect before a page sees the account', async () => {
    const { wallet } = await setUpWallet({ isConnected: false });
    const { features } = wallet.solana;
    const changes: number[] = [];
    const events = features['standard:events'] as {
      on(event: 'change', listener: (change: { accounts: readonly unknown[] }) => void): void;
    };
    events.on('change', ({ accounts }) => changes.push(accounts.length));
    expect(wallet.solana.accounts).toEqual([]);
    const { signMessage } = features['solana:signMessage'] as {
      signMessage(input: object): Promise<unknown>;
    };
    const sign = signMessage({ message: new Uint8Array([65]) });
    expect(await catchError(sign)).toMatchObject({ code: 4100 });
    wallet.declineNext();
    const { connect } = features['standard:connect'] as { connect(): Promise<unknown> };
    expect(await catchError(connect())).toMatchObject({ code: 4001 });
    await connect();
    expect(wallet.solana.accounts).toMatchObject([{ address: wallet.solana.address }]);
    const { disconnect } = features['standard:disconnect'] as { disconnect(): Promise<void> };
    await disconnect();
    expect(changes).toEqual([1, 0]);
  });

  it('shows no prompt to a page that connects silently', async () => {
    const { wallet } = await setUpWallet({ isConnected: false });
    const { connect } = wallet.solana.features['standard:connect'] as {
      connect(input?: object): Promise<{ accounts: readonly unknown[] }>;
    };
    expect(await connect({ silent: true })).toEqual({ accounts: [] });
    expect(wallet.prompts).toEqual([]);
    await connect({ silent: false });
    expect(wallet.prompts).toHaveLength(1);
    expect((await connect({ silent: true })).accounts).toHaveLength(1);
  });

  it.each([
    ['signature', 'sigHash', { sigHash: '2'.repeat(88) }],
    ['transaction', 'txHash', { txHash: '3'.repeat(88) }],
    ['amount', 'txHash', { amount: '100.6' }],
    ['currency', 'txHash', { currency: 'usdt' }],
  ] as const)('refuses a proof with another %s than the chain has', async (_, field, change) => {
    const { solanaOptions, client } = await setUpWallet();
    const submit = client.delegation.submitSolanaApproval.bind(client.delegation);
    Object.assign(client.delegation, {
      submitSolanaApproval: (proof: Parameters<typeof submit>[0]) =>
        submit({ ...proof, ...change }),
    });
    const error = await catchError(delegateSolana(solanaOptions));
    expect(JSON.stringify(error)).toContain(field);
  });
});

describe('the platform with a mock chain of Solana', () => {
  const TOKEN_PROGRAM = new PublicKey('TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA');
  const approveOf = (units: bigint) => {
    const data = Buffer.alloc(9, 4);
    data.writeBigUInt64LE(units, 1);
    return data;
  };
  type Scene = Awaited<ReturnType<typeof setUpWallet>> & { accountOf(currency: string): string };
  type Part = readonly [data: Buffer, accounts: readonly string[]];

  const approval =
    (currency: string, units = UNITS) =>
    ({ solana, accountOf }: Scene): Part => [
      approveOf(units),
      [accountOf(currency), solana.delegate],
    ];
  const revocation =
    (currency: string) =>
    ({ accountOf }: Scene): Part => [Buffer.of(5), [accountOf(currency)]];

  const reverted = (scene: Scene): Part => {
    scene.solana.revertNext();
    return approval('usdc')(scene);
  };

  type Changes = {
    isOfAnother?: true;
    expiredMessage?: 'refused';
    message?: (nonce: string, now: number) => string;
  };

  /** Sends a transaction with these instructions, and returns how the platform takes its proof. */
  async function prove(
    amount: string,
    parts: readonly ((scene: Scene) => Part)[],
    changes: Changes = {},
  ): Promise<string> {
    const { isOfAnother, expiredMessage } = changes;
    const { message = (nonce: string) => `Prove address ownership. Nonce: ${nonce}` } = changes;
    const setUp = await setUpWallet();
    const { client, solana, wallet, mock } = setUp;
    if (expiredMessage !== undefined) mock.state.choices.expiredMessage = expiredMessage;
    const sender = isOfAnother
      ? (await createMockWallet({ platform: mock })).solana
      : wallet.solana;
    const { address, features } = sender;
    const accounts = new Map<string, string>();
    for (const currency of solana.currencies) {
      accounts.set(currency, await solana.setTokenBalance(currency, address, 1n));
    }
    const scene = { ...setUp, accountOf: (currency: string) => accounts.get(currency) ?? '' };
    const owner = new PublicKey(address);
    const { blockhash } = await solana.getLatestBlockhash();
    const transaction = new Transaction({ feePayer: owner, recentBlockhash: blockhash }).add(
      ...parts.map((part) => {
        const [data, names] = part(scene);
        const keys = names.map((name) => ({
          pubkey: new PublicKey(name),
          isSigner: false,
          isWritable: true,
        }));
        const signer = { pubkey: owner, isSigner: true, isWritable: true };
        return new TransactionInstruction({
          programId: TOKEN_PROGRAM,
          keys: [...keys, signer],
          data,
        });
      }),
    );
    const { signAndSendTransaction } = features['solana:signAndSendTransaction'] as {
      signAndSendTransaction(input: object): Promise<[{ signature: Uint8Array }]>;
    };
    const [{ signature }] = await signAndSendTransaction({
      transaction: new Uint8Array(transaction.serialize({ verifySignatures: false })),
    });
    const { token, nonce } = await client.delegation.getToken();
    const sigMessage = message(nonce, mock.now);
    const { signMessage } = wallet.solana.features['solana:signMessage'] as {
      signMessage(input: object): Promise<[{ signature: Uint8Array }]>;
    };
    const [signed] = await signMessage({ message: new TextEncoder().encode(sigMessage) });
    mock.advance(60_000);
    const { error } = await client.delegation
      .submitSolanaApproval({
        ...{
          address: wallet.solana.address,
          network: 'solana',
          currency: 'usdc',
          amount,
          token,
          sigMessage,
        },
        sigHash: encodeBase58(signed.signature),
        txHash: encodeBase58(signature),
        isRevocation: amount === '0',
      })
      .safe();
    return error === undefined ? 'accepted' : JSON.stringify(error);
  }

  it.each([
    ['100.5', 'accepted', [approval('usdc')]],
    ['100.5', 'Transaction is for another token', [approval('usdt')]],
    ['100.5', 'Transaction is not one approval', [approval('usdc'), approval('usdc')]],
    ['100.5', 'Transaction failed', [reverted]],
    ['0', 'accepted', [revocation('usdc')]],
    ['0', 'Transaction is for another token', [revocation('usdt')]],
    ['100.5', 'Nothing is approved', [revocation('usdc')]],
  ] as const)('takes the proof of %s as: %s', async (amount, result, parts) => {
    expect(await prove(amount, parts)).toContain(result);
  });

  const expiring = (after: number) => (nonce: string, now: number) =>
    `Nonce: ${nonce}\nExpiration Time: ${new Date(now + after).toISOString()}`;

  it.each<[string, Changes]>([
    ['accepted', { message: expiring(1_000) }],
    ['accepted', { message: expiring(60_001), expiredMessage: 'refused' }],
    ['Message has expired', { message: expiring(60_000), expiredMessage: 'refused' }],
    ['Nonce does not match the token', { message: () => 'Prove address ownership.' }],
    ['Transaction is from another address', { isOfAnother: true }],
  ])('takes the proof of an approval as: %s', async (result, changes) => {
    expect(await prove('100.5', [approval('usdc')], changes)).toContain(result);
  });

  it('refuses the proof of an approval of another delegate', async () => {
    const ofAnother = ({ accountOf, wallet }: Scene): Part => [
      approveOf(UNITS),
      [accountOf('usdc'), wallet.solana.address],
    ];
    expect(await prove('100.5', [ofAnother])).toContain('Transaction approves another delegate');
  });
});
