import { TOKEN_PROGRAM_ADDRESS } from '@solana-program/token';
import { describe, expect, it } from 'vitest';
import { CardPlatformClient, type RequestValidationError } from '../../src/index.js';
import type { SolanaConnection, SolanaWallet } from '../../src/solana/index.js';
import { type NodeScene, setUpNodeScene } from './support/node-scene.js';

describe('the decimals of a token', () => {
  it.each([
    18, 9, 5, 0,
  ])('are refused before any prompt when they are %j and the mint has 6', async (decimals) => {
    const scene = await setUpNodeScene();
    const token = { mint: scene.mint.address, decimals: decimals as number };
    const { error } = await scene.delegateAndCatch({ token, amount: '1' });
    expect(error).toMatchObject({ reason: 'wrong_decimals', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });

  it.each([
    undefined,
    null,
    Number.NaN,
    -1,
    6.5,
    256,
    '',
    '6',
    ' 6',
    '6.0',
    '-6',
    '06',
    '0x6',
    '1e1',
    'six',
  ])('are refused before anything happens when they are %o', async (decimals) => {
    const scene = await setUpNodeScene();
    const token = { mint: scene.mint.address, decimals: decimals as number };
    const { error } = await scene.delegateAndCatch({ token });
    expect(error).toMatchObject({ code: 'request_invalid', issues: [{ path: 'decimals' }] });
    expect(scene.node.requests).toHaveLength(0);
    expect(scene.mock.requests).toHaveLength(0);
  });
});

describe('a delegate that can never spend', () => {
  it.each<[string, (scene: NodeScene) => Promise<string> | string]>([
    ['a program', () => TOKEN_PROGRAM_ADDRESS],
    ['the mint', ({ mint }) => mint.address],
    ['another mint', async ({ vm }) => (await vm.newMint()).address],
    ['the token account', ({ tokenAccount }) => tokenAccount],
    [
      'the token account of another wallet',
      ({ vm, mint }) => vm.fund(vm.newWallet().publicKey.toBase58(), mint, 1n),
    ],
  ])('is refused before any prompt when it is %s', async (_, choose) => {
    const scene = await setUpNodeScene();
    const { error } = await scene.delegateAndCatch({ spender: await choose(scene) });
    expect(error).toMatchObject({ reason: 'unusable_delegate', outcome: 'not_sent' });
    expect(scene.prompts).toEqual([]);
  });
});

describe('the requests of one delegation to the node', () => {
  const methodsOf = (scene: NodeScene) => scene.node.requests.map(({ method }) => method);

  it('are seven with @solana/web3.js: accounts, blockhash, sending, status and transaction', async () => {
    const scene = await setUpNodeScene();
    await scene.runDelegation();
    expect(methodsOf(scene)).toEqual([
      'getMultipleAccounts',
      'getMultipleAccounts',
      'getLatestBlockhash',
      'sendTransaction',
      'getSignatureStatuses',
      'getTransaction',
      'getMultipleAccounts',
    ]);
  });

  it('are at most eight with a wallet that sends by itself, its own request included', async () => {
    const scene = await setUpNodeScene();
    const { address, signMessage, signTransaction } = scene.wallet;
    const wallet: SolanaWallet = {
      address,
      signMessage,
      sendTransaction: async (transaction) =>
        scene.connection.sendRawTransaction(await signTransaction(transaction)),
    };
    await scene.runDelegation({ wallet });
    expect(methodsOf(scene).length).toBeLessThanOrEqual(8);
    expect(scene.node.count('getSignaturesForAddress')).toBe(1);
  });

  it('read each account on its own where the connection cannot read several', async () => {
    const scene = await setUpNodeScene();
    const { connection } = scene;
    const plain: SolanaConnection = {
      getAccountInfo: (...call) => connection.getAccountInfo(call[0] as never, call[1]),
      getLatestBlockhash: (commitment) => connection.getLatestBlockhash(commitment),
      getBlockHeight: (commitment) => connection.getBlockHeight(commitment),
      sendRawTransaction: (...call) => connection.sendRawTransaction(...call),
      getSignatureStatuses: (...call) => connection.getSignatureStatuses(...call),
      getTransaction: (...call) => connection.getTransaction(...call),
    };
    const result = await scene.runDelegation({ node: plain });
    expect(result.registration).toBe('accepted');
    expect(scene.node.count('getMultipleAccounts')).toBe(0);
  });
});

describe('a limit that was spent before a resume', () => {
  it.each([
    'requested again',
    'already registered',
  ])('is a success when its proof was %s', async (kind) => {
    const scene = await setUpNodeScene();
    const { vm, mint, platformKey, tokenAccount, client } = scene;
    const lost = await scene.delegateAndCatch({
      client: {
        delegation: {
          getToken: (input, options) => client.delegation.getToken(input, options),
          async submitSolanaApproval(proof) {
            if (kind === 'already registered') await client.delegation.submitSolanaApproval(proof);
            throw new Error('socket hang up');
          },
        },
      },
    });
    expect(lost.error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
    await vm.spend(platformKey, tokenAccount, mint, 100_500_000n);
    expect(await scene.currentDelegation()).toEqual({ delegate: null, amount: 0n });
    const result = await scene.runDelegation({ resume: lost.state });
    expect(result.registration).toBe(
      kind === 'already registered' ? 'found-in-wallets' : 'accepted',
    );
    expect(scene.prompts).toEqual(['message', 'transaction']);
    expect(scene.registeredWallets()).toHaveLength(1);
  });

  it('is a success when the delegation was complete', async () => {
    const scene = await setUpNodeScene();
    const { vm, mint, platformKey, tokenAccount } = scene;
    const { state } = await scene.runDelegation();
    await vm.spend(platformKey, tokenAccount, mint, 100_500_000n);
    const result = await scene.runDelegation({ resume: state });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });
});

describe('a token account that is frozen after the approval', () => {
  /** The wallet sends the approval, and the issuer freezes the account right after it. */
  const freezing = (scene: NodeScene): SolanaWallet => {
    const { address, signMessage, signTransaction } = scene.wallet;
    return {
      address,
      signMessage,
      sendTransaction: async (transaction) => {
        const signed = await signTransaction(transaction);
        const signature = await scene.connection.sendRawTransaction(signed);
        await scene.vm.freeze(scene.tokenAccount, scene.mint);
        return signature;
      },
    };
  };

  it('is not reported as if nothing was sent', async () => {
    const scene = await setUpNodeScene();
    const { error, state } = await scene.delegateAndCatch({ wallet: freezing(scene) });
    expect(error).toMatchObject({
      code: 'token_account_unusable',
      reason: 'frozen',
      outcome: 'unknown',
    });
    expect(String(error)).toContain('may be on the chain');
    expect(state?.approval).toMatchObject({ status: 'confirmed' });
    expect(await scene.currentDelegation()).toMatchObject({ amount: 100_500_000n });
    expect(scene.registeredWallets()).toEqual([]);
    const again = await scene.delegateAndCatch({ resume: state });
    expect(again.error).toMatchObject({ reason: 'frozen', outcome: 'unknown' });
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });

  it('does not undo the registration of a wallet whose response was lost', async () => {
    const scene = await setUpNodeScene();
    const { client } = scene;
    const lost = await scene.delegateAndCatch({
      client: {
        delegation: {
          getToken: (input, options) => client.delegation.getToken(input, options),
          async submitSolanaApproval(proof) {
            await client.delegation.submitSolanaApproval(proof);
            throw new Error('socket hang up');
          },
        },
      },
    });
    await scene.vm.freeze(scene.tokenAccount, scene.mint);
    const result = await scene.runDelegation({ resume: lost.state });
    expect(result.registration).toBe('found-in-wallets');
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });
});

describe('a currency that the caller adds', () => {
  const token = (scene: NodeScene) => ({ mint: scene.mint.address, decimals: 6 });

  it.each([
    'eurc',
    'EURC',
    'my token',
    '',
    'x'.repeat(33),
  ])('is refused before anything happens when the client would not submit %j', async (currency) => {
    const scene = await setUpNodeScene();
    const { error } = await scene.delegateAndCatch({ currency, token: token(scene) });
    expect(error).toMatchObject({ code: 'request_invalid' });
    const { issues } = error as RequestValidationError;
    expect(issues.map(({ path }) => path)).toContain('currency');
    expect(scene.prompts).toEqual([]);
    expect(scene.mock.requests).toHaveLength(0);
    expect(scene.node.requests).toHaveLength(0);
  });

  it('is delegated when the client has it in its additions', async () => {
    const scene = await setUpNodeScene();
    const { mock, owner } = scene;
    const client = new CardPlatformClient({
      baseUrl: mock.baseUrl,
      fetch: mock.fetch,
      ...mock.credentials,
      accessToken: mock.accessTokenFor(owner),
      additions: { delegationCurrencies: ['eurc'] },
    });
    const { error } = await scene.delegateAndCatch({
      client,
      currency: 'eurc',
      token: token(scene),
    });
    // The mock platform knows no such currency, so only the service refuses it.
    expect(error).toMatchObject({ status: 422 });
    expect(scene.prompts).toEqual(['message', 'transaction']);
  });
});
