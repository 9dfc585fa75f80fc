import { hexToString } from 'viem';
import type { Eip1193Provider } from '../../../src/evm/index.js';
import { CHAIN_ID } from './chain.js';
import type { Scene } from './scene.js';

/** Replaces what the wallet does for a method; `usual` is its usual behaviour. */
export type Behaviour = (params: readonly unknown[], usual: () => unknown) => unknown;

const PROMPTS = /^(personal_sign|eth_sendTransaction|wallet_(switch|add)EthereumChain)$/;

/** A browser wallet (EIP-1193) over a scene. It is on ethereum, and may not know linea. */
export function browserWallet(
  scene: Scene,
  behaviours: Readonly<Record<string, Behaviour>> = {},
  knows: readonly number[] = [1, CHAIN_ID],
) {
  const known = new Set(knows);
  const requests: { method: string; params: readonly unknown[] }[] = [];
  const state = { chainId: 1 };
  const goTo = ([input]: readonly unknown[]) => {
    state.chainId = Number((input as { chainId: string }).chainId);
    return null;
  };
  const methods: Record<string, (params: readonly unknown[]) => unknown> = {
    eth_accounts: () => [scene.wallet.address],
    eth_chainId: () => `0x${state.chainId.toString(16)}`,
    personal_sign: ([text]) => scene.wallet.signMessage(hexToString(text as `0x${string}`)),
    eth_sendTransaction: ([call]) => scene.wallet.sendTransaction(call as never),
    wallet_switchEthereumChain(params) {
      const { chainId } = params[0] as { chainId: string };
      if (known.has(Number(chainId))) return goTo(params);
      throw Object.assign(new Error('Unrecognized chain ID'), { code: 4902 });
    },
    wallet_addEthereumChain(params) {
      known.add(Number((params[0] as { chainId: string }).chainId));
      return goTo(params);
    },
  };
  const provider: Eip1193Provider = {
    async request({ method, params = [] }) {
      const list = params as readonly unknown[];
      requests.push({ method, params: list });
      const usual = () => {
        const own = methods[method];
        if (own === undefined) throw new Error(`no such method: ${method}`);
        return own(list);
      };
      return behaviours[method] ? behaviours[method](list, usual) : usual();
    },
  };
  return {
    ...provider,
    state,
    requests,
    learn: (chainId: number) => known.add(chainId),
    prompts: () => requests.map(({ method }) => method).filter((name) => PROMPTS.test(name)),
  };
}
