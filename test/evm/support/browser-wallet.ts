import { EventEmitter } from 'node:events';
import type { EIP1193RequestFn, Hex, PrivateKeyAccount } from 'viem';
import type { LocalChain } from '../../chain/local-chain.js';

type Request = { method: string; params?: unknown };

/** Replaces the wallet's behaviour for a request; `next` is the normal behaviour. */
export type Behaviour = (params: never, next: () => Promise<unknown>) => unknown;

/** The error of MetaMask for a chain that it does not know. */
export const unrecognizedChain = {
  code: 4902,
  message:
    'Unrecognized chain ID "0xe708". Try adding the chain using wallet_addEthereumChain first.',
};

/** The error of a wallet whose user declines. */
export const declined = { code: 4001, message: 'User rejected the request.' };

export type BrowserWallet = ReturnType<typeof createBrowserWallet>;

/**
 * Creates a browser wallet (EIP-1193) with an account of its own, on the first of some local chains.
 * It knows only the chains in `known` until others are added. `behaviours` replace methods.
 */
export function createBrowserWallet(
  account: PrivateKeyAccount,
  chains: readonly LocalChain[],
  behaviours: Readonly<Record<string, Behaviour>> = {},
  known: readonly LocalChain[] = chains,
) {
  const events = new EventEmitter();
  const knownIds = new Set(known.map(({ chainId }) => chainId));
  const requests: Request[] = [];
  let current = chains[0] as LocalChain;
  const switchTo = (chainId: number) => {
    current = chains.find((chain) => chain.chainId === chainId) ?? current;
    events.emit('chainChanged', `0x${current.chainId.toString(16)}`);
    return null;
  };
  const methods: Record<string, (params: never) => unknown> = {
    eth_accounts: () => [account.address],
    eth_requestAccounts: () => [account.address],
    eth_chainId: () => `0x${current.chainId.toString(16)}`,
    personal_sign: ([raw]: [Hex]) => account.signMessage({ message: { raw } }),
    eth_sendTransaction: ([call]: [{ to: Hex; data: Hex }]) =>
      current.walletFor(account).sendTransaction({
        account,
        chain: current.chain,
        to: call.to,
        data: call.data,
      }),
    wallet_switchEthereumChain([{ chainId }]: [{ chainId: Hex }]) {
      if (!knownIds.has(Number(chainId))) throw unrecognizedChain;
      return switchTo(Number(chainId));
    },
    wallet_addEthereumChain([{ chainId }]: [{ chainId: Hex }]) {
      knownIds.add(Number(chainId));
      return switchTo(Number(chainId));
    },
  };
  const request = async ({ method, params }: Request): Promise<unknown> => {
    requests.push(params === undefined ? { method } : { method, params });
    const own = methods[method];
    const next = async () =>
      own === undefined
        ? current.bank.request({ method, params } as never)
        : own((params ?? []) as never);
    return behaviours[method] ? behaviours[method](params as never, next) : next();
  };
  return {
    request: request as EIP1193RequestFn,
    on: events.on.bind(events),
    removeListener: events.removeListener.bind(events),
    /** Every request that it received. */
    requests,
    /** The requests that open a prompt, in order. */
    prompts: () =>
      requests.flatMap(({ method }) =>
        /^(personal_sign|eth_sendTransaction|wallet_(switch|add)EthereumChain)$/.test(method)
          ? [method]
          : [],
      ),
    /** Switches the network as its user does in the wallet itself. */
    switchTo,
    /** Makes the wallet know the chain from now on. */
    learn: (chainId: number) => void knownIds.add(chainId),
  };
}
