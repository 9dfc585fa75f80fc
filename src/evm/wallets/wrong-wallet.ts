import { isObject } from '../../contract/formats/is-object.js';

type Fields = Readonly<Record<string, unknown>>;

const ETHERS = 'await walletFromEthers(signer) from card-platform-sdk/evm/ethers';

/**
 * What an object is that looks like a wallet and is not one, and what to pass in its place, as part of
 * a sentence; `undefined` for anything else. Some of them can sign and send too, but in another form:
 * the transaction would be sent, and its hash lost.
 */
export function describeWrongWallet(wallet: unknown): string | undefined {
  if (!isObject(wallet) && typeof wallet !== 'function') return undefined;
  const has = (...names: string[]) => names.every((name) => name in Object(wallet));
  // A proxy for an object in a worker seems to have everything.
  if (has('aFieldThatNoWalletHas')) return undefined;
  const fields = wallet as Fields;
  if (wallet instanceof Promise) return 'is a promise: await it';
  if (has('getAddress', 'signMessage')) return `is an ethers signer: pass ${ETHERS}`;
  if (has('getSigner')) {
    return 'is an ethers provider: pass await walletFromEthers(await provider.getSigner()) from card-platform-sdk/evm/ethers';
  }
  if (has('connectors', 'chains', 'state') || has('getProvider', 'getAccounts', 'connect')) {
    return 'is a part of wagmi: pass await getWalletClient(config)';
  }
  if (has('data', 'isPending') || has('data', 'isLoading')) {
    return 'is the result of a hook: pass its data, once it is there';
  }
  if (fields['type'] === 'publicClient' || (has('readContract') && !has('signMessage'))) {
    return 'is a viem public client, which cannot sign: pass a wallet client, such as await getWalletClient(config) of wagmi';
  }
  if (fields['type'] === 'local' && has('address')) {
    return 'is a viem account: pass createWalletClient({ account, chain, transport })';
  }
  if (has('publicKey') || has('features', 'accounts')) {
    return 'is a Solana wallet: use delegateSolana of card-platform-sdk/solana';
  }
  return undefined;
}

/** The same for the node that reads the chain; `undefined` if nothing is known against it. */
export function describeWrongNode(node: unknown): string | undefined {
  if (typeof node === 'string') {
    return 'is a URL: pass createPublicClient({ chain, transport }) of viem';
  }
  const has = (...names: string[]) => names.every((name) => name in Object(node));
  if (has('request')) return undefined;
  if (node instanceof Promise) return 'is a promise: await it';
  if (has('send')) {
    return 'is an ethers provider: pass nodeFromEthers(provider) from card-platform-sdk/evm/ethers';
  }
  return has('connectors', 'chains', 'state')
    ? 'is a wagmi config: pass getPublicClient(config)'
    : undefined;
}
