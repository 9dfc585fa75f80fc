import type { Eip1193Provider } from 'card-platform-sdk/evm';

// A test wallet for people and tests without one. It asks before it signs or sends, and the local
// chain does both with one of its accounts. It announces itself as an extension would (EIP-6963).

/** An account whose key the local chain holds. */
const ACCOUNT = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';

const QUESTIONS: Readonly<Record<string, string>> = {
  personal_sign: 'Sign a message?',
  eth_sendTransaction: 'Send a transaction?',
};

function ask(question: string): Promise<void> {
  const dialog = document.createElement('dialog');
  const title = document.createElement('p');
  title.textContent = `Local test wallet: ${question}`;
  dialog.append(title, ...['Decline', 'Approve'].map(choiceButton));
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((resolve, reject) => {
    dialog.addEventListener('close', () => {
      dialog.remove();
      if (dialog.returnValue === 'Approve') resolve();
      else reject(Object.assign(new Error('User rejected the request.'), { code: 4001 }));
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

const provider: Eip1193Provider = {
  async request({ method, params }) {
    if (method === 'eth_accounts' || method === 'eth_requestAccounts') return [ACCOUNT];
    const question = QUESTIONS[method];
    if (question !== undefined) await ask(question);
    return requestChain(method, params);
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
