import { type Base64EncodedWireTransaction, createSolanaRpc } from '@solana/kit';
import { UnsafeBurnerWalletAdapter } from '@solana/wallet-adapter-unsafe-burner';
import { Connection, Keypair, SystemProgram, Transaction } from '@solana/web3.js';
import { type NodeFailure, startFailingNode } from './failing-node.js';
import { describeError, type RecordedError } from './recorded-error.js';
import { versionOf } from './version-of.js';

const BLOCKHASH = 'EETubP5AKHgjPAhzPAFcb8BAY1hMH639CWCFTqi3hq1k';
const RESULTS = {
  getLatestBlockhash: {
    context: { slot: 1 },
    value: { blockhash: BLOCKHASH, lastValidBlockHeight: 100 },
  },
};

function signedTransaction(): Uint8Array {
  const payer = Keypair.generate();
  const transaction = new Transaction({ feePayer: payer.publicKey, recentBlockhash: BLOCKHASH });
  transaction.add(
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: payer.publicKey, lamports: 1 }),
  );
  transaction.sign(payer);
  return Uint8Array.from(transaction.serialize());
}

/** Sends a transaction with each library, as the flow or a wallet does. */
export async function recordSolana(failures: readonly NodeFailure[]): Promise<RecordedError[]> {
  const node = await startFailingNode('sendTransaction', RESULTS);
  const connection = new Connection(node.url, {
    commitment: 'confirmed',
    disableRetryOnRateLimit: true,
  });
  const rpc = createSolanaRpc(node.url);
  const bytes = signedTransaction();
  const wire = Buffer.from(bytes).toString('base64') as Base64EncodedWireTransaction;
  const sendWithKit = () => rpc.sendTransaction(wire, { encoding: 'base64' }).send();
  const libraries: [string, string, () => Promise<unknown>][] = [
    ['@solana/web3.js', 'Connection', () => connection.sendRawTransaction(bytes)],
    [
      '@solana/web3.js',
      'Connection, without preflight',
      () => connection.sendRawTransaction(bytes, { skipPreflight: true }),
    ],
    ['@solana/kit', 'rpc', sendWithKit],
    ['@solana/kit', 'rpc, in production', () => inProduction(sendWithKit)],
    ['@solana/wallet-adapter-base', 'sendTransaction', () => sendWithAdapter(connection)],
  ];
  const found: RecordedError[] = [];
  try {
    for (const failure of failures) {
      node.failure = failure;
      for (const [name, how, send] of libraries) {
        const error = await send().then(
          () => undefined,
          (reason: unknown) => describeError(reason),
        );
        found.push({ library: `${name} ${how}`, version: versionOf(name), failure, error });
      }
    }
  } finally {
    await node.stop();
  }
  return found;
}

/** A page in production has no texts of @solana/kit, only their numbers. */
async function inProduction<T>(work: () => Promise<T>): Promise<T> {
  const { NODE_ENV: before } = process.env;
  process.env['NODE_ENV'] = 'production';
  try {
    return await work();
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
}

async function sendWithAdapter(connection: Connection): Promise<string> {
  const adapter = new UnsafeBurnerWalletAdapter();
  await adapter.connect();
  const { publicKey } = adapter;
  if (publicKey === null) throw new Error('the adapter did not connect');
  const transaction = new Transaction({ feePayer: publicKey, recentBlockhash: BLOCKHASH }).add(
    SystemProgram.transfer({ fromPubkey: publicKey, toPubkey: publicKey, lamports: 1 }),
  );
  return adapter.sendTransaction(transaction, connection);
}
