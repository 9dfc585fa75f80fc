import type { Eip1193Provider } from 'card-platform-sdk/evm';

// A test wallet for people and tests without one. It asks before it signs, sends or changes its
// network, and the local chain signs and sends with one of its accounts. It announces itself as an
// extension would (EIP-6963). Like most wallets, it starts on Ethereum and does not know Linea.

/** An account whose key the local chain holds. */
const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const ETHEREUM = 1;
/** The only network that this wallet can reach. */
const LINEA = 59144;
/** A reload keeps the network, as in other wallets. */
const NETWORK_KEY = 'local-wallet-network';

let network = Number(sessionStorage.getItem(NETWORK_KEY) ?? ETHEREUM);
const knownNetworks = new Set([ETHEREUM, network]);

const walletError = (code: number, message: string) => Object.assign(new Error(message), { code });

function ask(question: string): Promise<void> {
  const dialog = document.createElement('dialog');
  const title = document.createElement('p');
  title.id = 'local-wallet-question';
  title.textContent = `Local test wallet: ${question}`;
  dialog.setAttribute('aria-labelledby', title.id);
  dialog.append(title, ...['Decline', 'Approve'].map(choiceButton));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (dialog.returnValue === 'Approve') resolve();
      else reject(walletError(4001, 'User rejected the request.'));
    });
  });

  function choiceButton(text: string): HTMLButtonElement {
    const button = document.createElement('button');
    button.textContent = text;
    button.addEventListener('click', () => dialog.close(text));
    return button;
  }
}

async function requestChain(method: string, params: unknown): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: params ?? [] });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch('/chain', { method: 'POST', headers, body });
  const { result, error } = await response.json();
  if (error) throw Object.assign(new Error(error.message), error);
  return result;
}

async function useNetwork(id: number, question: string): Promise<null> {
  if (id === network) return null;
  await ask(question);
  knownNetworks.add(id);
  network = id;
  sessionStorage.setItem(NETWORK_KEY, String(id));
  return null;
}

/** The methods that do more than pass a request to the chain. */
const METHODS: Readonly<Record<string, (params: unknown) => unknown>> = {
  eth_accounts: () => [ACCOUNT],
  eth_requestAccounts: () => [ACCOUNT],
  eth_chainId: () => `0x${network.toString(16)}`,
  wallet_switchEthereumChain(params) {
    const [{ chainId }] = params as [{ chainId: string }];
    const id = Number(chainId);
    if (!knownNetworks.has(id)) throw walletError(4902, 'Unrecognized chain ID.');
    return useNetwork(id, `Switch to network ${id}?`);
  },
  wallet_addEthereumChain(params) {
    const [{ chainId, chainName }] = params as [{ chainId: string; chainName: string }];
    return useNetwork(Number(chainId), `Add the network ${chainName} and switch to it?`);
  },
  async personal_sign(params) {
    await ask('Sign a message?');
    return requestChain('personal_sign', params);
  },
  async eth_sendTransaction(params) {
    if (network !== LINEA) throw walletError(4901, 'The wallet cannot reach this network.');
    await ask('Send a transaction?');
    return requestChain('eth_sendTransaction', params);
  },
};

const provider: Eip1193Provider = {
  async request({ method, params }) {
    return METHODS[method]?.(params) ?? requestChain(method, params);
  },
};

function announce(): void {
  const info = {
    uuid: '6d1f4c1e-4c55-4d53-9d0b-0f2f2b6c7a10',
    name: 'Local test wallet',
    icon: 'data:image/svg+xml,<svg/>',
    rdns: 'test.local.wallet',
  };
  const detail = Object.freeze({ info, provider });
  dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }));
}

addEventListener('eip6963:requestProvider', announce);
announce();
