import { encodeBase58 } from '../../contract/formats/base58.js';
import { invalid } from '../../delegation/check-values.js';
import { ConfigurationError } from '../../errors/index.js';
import { firstSignature, signedMessage } from '../transaction.js';
import { signWith } from './ed25519.js';
import type { SolanaWallet } from './wallet.js';

/**
 * A local key, for servers, tests and examples. A `Keypair` of @solana/web3.js 1.x has this form. For a
 * key file, pass `{ secretKey: Uint8Array.from(JSON.parse(text)) }`. Needs a runtime whose WebCrypto
 * has ed25519: Node 20 and later, and current browsers.
 */
export type SolanaKeypair = {
  /** 64 bytes: the seed, then the public key. */
  readonly secretKey: Uint8Array;
};

function requireWebCrypto(): void {
  const { crypto } = globalThis as { crypto?: Crypto };
  if (crypto?.subtle !== undefined) return;
  throw new ConfigurationError(
    'wallet',
    'wallet is a key pair, and signing with one needs crypto.subtle, which this runtime lacks: a secret ' +
      'key belongs on a server. In an app, pass the wallet of the user.',
  );
}

/**
 * A wallet of a local key. Needs a runtime whose WebCrypto has ed25519.
 *
 * @throws ConfigurationError where the runtime has no WebCrypto, as in React Native
 */
export function walletFromKeypair(keypair: SolanaKeypair): SolanaWallet {
  requireWebCrypto();
  const { secretKey } = keypair;
  if (secretKey.length !== 64) return invalid('secretKey', 'must be 64 bytes');
  const sign = (message: Uint8Array) => signWith(secretKey.subarray(0, 32), message);
  return {
    address: encodeBase58(secretKey.subarray(32)),
    signMessage: sign,
    async signTransaction(transaction) {
      const signed = transaction.slice();
      firstSignature(signed).set(await sign(signedMessage(transaction)));
      return signed;
    },
  };
}
