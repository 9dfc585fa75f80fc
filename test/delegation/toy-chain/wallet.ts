import { createHash } from 'node:crypto';
import type { ToyChain, ToyTransaction } from './chain.js';

/** The request for an approval, as the wallet shows it to its user. */
export type ApprovalRequest = {
  chainId: string;
  from: string;
  spender: string;
  amount: bigint;
  validUntil: number | undefined;
};

/** The part of the wallet that a page can use. */
export type ToyWallet = {
  chainId(): Promise<string>;
  sign(text: string): Promise<string>;
  sendApproval(request: ApprovalRequest): Promise<string>;
};

/** The errors that wallets throw: a code of EIP-1193, and a message for developers. */
export class ToyWalletError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** The signature of an account over a text. There is no key: only tests make these. */
export function signatureOf(account: string, text: string): string {
  const digest = createHash('sha512').update(`${account}\n${text}`).digest('hex');
  return `0x${digest}1b`;
}

/**
 * The wallet of one user, which keeps its own records, because a page may be closed while a prompt
 * is open.
 */
export class ToyWalletApp {
  account: string;
  /** The chain that the user has chosen. */
  chain: ToyChain;
  /** Everything that it has sent. */
  readonly sent: ToyTransaction[] = [];
  /** For each replacement the first transaction that it replaces, by id. */
  readonly #origins = new Map<string, string>();

  constructor(account: string, chain: ToyChain) {
    this.account = account;
    this.chain = chain;
  }

  sign(text: string): string {
    return signatureOf(this.account, text);
  }

  /** The user confirms a request, perhaps with another limit. Throws if nothing can be sent. */
  confirm(request: ApprovalRequest, amount = request.amount): ToyTransaction {
    const { from, chainId, spender, validUntil } = request;
    if (from !== this.account) throw new ToyWalletError(4100, 'unauthorized account');
    if (chainId !== this.chain.id) throw new ToyWalletError(4902, 'the wallet is on another chain');
    return this.#send({ from, approve: { spender, amount }, validUntil, fee: 1 });
  }

  /** Sends the same call again with the same nonce and a higher fee. */
  speedUp(id: string): ToyTransaction | undefined {
    return this.#replace(id, (pending) => pending.approve);
  }

  /** Replaces a pending transaction with one that does nothing. */
  cancel(id: string): ToyTransaction | undefined {
    return this.#replace(id, () => undefined);
  }

  /** Replaces a pending transaction with another approval. */
  replace(id: string, approve: ToyTransaction['approve']): ToyTransaction | undefined {
    return this.#replace(id, () => approve);
  }

  /** Sends a transaction of the user's own, unknown to any page. */
  sendOwn(approve: ToyTransaction['approve']): ToyTransaction {
    return this.#send({ from: this.account, approve, validUntil: undefined, fee: 1 });
  }

  /**
   * Sends an empty transaction with a nonce that a dropped transaction left free, because later
   * ones wait for it.
   */
  fillGap(): void {
    const { account: from, chain } = this;
    const waiting = [...chain.mempool.values()].filter((pending) => pending.from === from);
    const nonce = chain.nonceOf(from);
    if (waiting.length === 0 || waiting.some((pending) => pending.nonce === nonce)) return;
    this.#send({ from, approve: undefined, validUntil: undefined, fee: 1, nonce });
  }

  #replace(
    id: string,
    call: (pending: ToyTransaction) => ToyTransaction['approve'],
  ): ToyTransaction | undefined {
    const pending = this.chain.mempool.get(id);
    if (pending === undefined) return undefined;
    const approve = call(pending);
    const sent = this.#send({ ...pending, approve, fee: pending.fee + 1 });
    this.#origins.set(sent.id, this.originOf(id));
    return sent;
  }

  /** The first transaction that one replaces, or itself. */
  originOf(id: string): string {
    return this.#origins.get(id) ?? id;
  }

  #send(draft: Omit<ToyTransaction, 'id' | 'nonce'> & { nonce?: number }): ToyTransaction {
    const nonce = draft.nonce ?? this.chain.pendingNonceOf(draft.from);
    const transaction = { ...draft, id: this.chain.newId(), nonce };
    try {
      this.chain.submit(transaction);
    } catch {
      throw new ToyWalletError(-32000, 'the node refused the transaction');
    }
    this.sent.push(transaction);
    return transaction;
  }
}

/** The wallet for a test in which the user confirms every prompt. */
export function willingWallet(app: ToyWalletApp): ToyWallet {
  return {
    chainId: async () => app.chain.id,
    sign: async (text) => app.sign(text),
    sendApproval: async (request) => app.confirm(request).id,
  };
}
