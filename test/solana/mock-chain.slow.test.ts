import { describe, expect, it } from 'vitest';
import {
  associatedTokenAccount,
  delegateSolana,
  revokeSolanaDelegation,
  type SolanaConnection,
  type SolanaDelegationOptions,
} from '../../src/solana/index.js';
import { partOf, shapeOf } from '../testing/wallets/shape.js';
import { setUpWallet } from '../testing/wallets/support.js';
import { setUpScene } from './support/scene.js';

// The mock chain of the testing kit has no VM, so its responses are compared with those of litesvm.

async function onLitesvm() {
  const { vm, runDelegation, address, mint, tokenAccount } = await setUpScene();
  const { transactionId } = await runDelegation();
  return {
    connection: vm.connection,
    signature: String(transactionId),
    address,
    mint,
    tokenAccount,
  };
}

async function onMock() {
  const { solanaOptions, solana, wallet } = await setUpWallet();
  const { transactionId } = await delegateSolana(solanaOptions);
  const mint = { address: solana.tokenOf('usdc').mint };
  const { address } = wallet.solana;
  const tokenAccount = associatedTokenAccount({ owner: address, mint: mint.address });
  const connection: SolanaConnection = solana;
  return { connection, signature: String(transactionId), address, mint, tokenAccount };
}

type Place = Awaited<ReturnType<typeof onMock>>;

const at = (text: string) => ({ toBase58: () => text });
const nobody = at('De1egate11111111111111111111111111111111112');
const history = { searchTransactionHistory: true };
const executed = { commitment: 'confirmed', maxSupportedTransactionVersion: 0 } as const;

const READS: readonly (readonly [title: string, read: (place: Place) => unknown])[] = [
  ['a mint', ({ connection, mint }) => connection.getAccountInfo(at(mint.address))],
  [
    'a token account',
    ({ connection, tokenAccount }) => connection.getAccountInfo(at(tokenAccount)),
  ],
  ['no account', ({ connection }) => connection.getAccountInfo(nobody)],
  ['a blockhash', ({ connection }) => connection.getLatestBlockhash()],
  ['the block height', ({ connection }) => connection.getBlockHeight()],
  [
    'the status of a transaction',
    ({ connection, signature }) => connection.getSignatureStatuses([signature], history),
  ],
  [
    'the status of an unknown transaction',
    ({ connection }) => connection.getSignatureStatuses(['2'.repeat(88)], history),
  ],
  [
    'an executed transaction',
    async ({ connection, signature }) => {
      const found = await connection.getTransaction(signature, executed);
      // The message of @solana/web3.js has getters for them.
      const { staticAccountKeys, compiledInstructions } = found?.transaction.message ?? {};
      return { staticAccountKeys, compiledInstructions };
    },
  ],
  ['no transaction', ({ connection }) => connection.getTransaction('2'.repeat(88), executed)],
  [
    'the history of an account',
    ({ connection, tokenAccount }) =>
      connection.getSignaturesForAddress?.(at(tokenAccount), { limit: 10 }, 'confirmed'),
  ],
];

describe('the mock Solana chain responds as the real programs do', () => {
  it('to each read that the flow makes', async () => {
    const [real, mock] = [await onLitesvm(), await onMock()];
    for (const [title, read] of READS) {
      const shapeAtReal = shapeOf(await read(real));
      // The mock chain returns more fields of a real node than the litesvm connection of these
      // tests.
      const shape = partOf(shapeOf(await read(mock)), shapeAtReal);
      expect(shape, title).toEqual(shapeAtReal);
    }
  });

  it('with the same bytes of a token account and of a mint, except for the addresses', async () => {
    const [real, mock] = [await onLitesvm(), await onMock()];
    const bytesOf = async ({ connection, tokenAccount, mint }: Place) => {
      const account = await connection.getAccountInfo(at(tokenAccount));
      const token = await connection.getAccountInfo(at(mint.address));
      return { account: account?.data ?? [], token: token?.data ?? [] };
    };
    const [one, other] = [await bytesOf(real as Place), await bytesOf(mock)];
    // After mint, owner and balance: the delegate's flag, the state, and the delegated amount.
    expect(one.account.slice(72, 76)).toEqual(other.account.slice(72, 76));
    expect(one.account.slice(108)).toEqual(other.account.slice(108));
    expect(one.token.slice(44, 46)).toEqual(other.token.slice(44, 46));
  });

  it.each<[string, (options: SolanaDelegationOptions) => Promise<unknown>]>([
    ['an approval', delegateSolana],
    ['a revocation', ({ amount: _, ...options }) => revokeSolanaDelegation(options)],
  ])('to %s for a frozen account, whose refusal the flow understands', async (_, flow) => {
    const scene = await setUpScene();
    const mock = await setUpWallet();
    await scene.vm.freeze(scene.tokenAccount, scene.mint);
    const { address } = mock.wallet.solana;
    await mock.solana.setTokenBalance('usdc', address, 5n, { isFrozen: true });
    const sent: Uint8Array[] = [];
    for (const { connection, options } of [
      { connection: scene.vm.connection, options: scene.options() },
      { connection: mock.solana as SolanaConnection, options: mock.solanaOptions },
    ]) {
      // Frozen accounts are found before the wallet is asked, so the account is shown as it was.
      const lying: SolanaConnection = {
        getAccountInfo: async (account, commitment) => {
          const info = await connection.getAccountInfo(account, commitment);
          if (info?.data.length !== 165) return info;
          return { ...info, data: Uint8Array.from(info.data).fill(1, 108, 109) };
        },
        getLatestBlockhash: (commitment) => connection.getLatestBlockhash(commitment),
        getBlockHeight: (commitment) => connection.getBlockHeight(commitment),
        getSignatureStatuses: (ids, config) => connection.getSignatureStatuses(ids, config),
        getTransaction: (id, config) => connection.getTransaction(id, config),
        sendRawTransaction: (bytes, config) => {
          sent.push(bytes);
          return connection.sendRawTransaction(bytes, config);
        },
      };
      const error = await flow({ ...options, node: lying }).catch((reason: unknown) => reason);
      expect(error).toMatchObject({ code: 'token_account_unusable', outcome: 'not_sent' });
    }
    expect(sent).toHaveLength(2);
  });
});
