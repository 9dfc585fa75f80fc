/**
 * Loads the functions of viem that sign and check signatures. It is an optional peer of the package,
 * so it is loaded with the first EVM wallet.
 *
 * @throws Error when viem is not installed
 */
export async function loadViem() {
  try {
    const [accounts, viem] = await Promise.all([import('viem/accounts'), import('viem')]);
    return { ...accounts, ...viem };
  } catch (cause) {
    throw new Error(
      'The EVM side of card-platform-sdk/testing/wallets signs with viem, which could not be loaded. Run `npm install -D viem`. The Solana side works without it.',
      { cause },
    );
  }
}
