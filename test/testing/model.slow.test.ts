import fc from 'fast-check';
import { expect, it } from 'vitest';
import { eventually } from '../properties/runs.js';
import { signedMessage } from '../support/signed-message.js';
import { Model } from './model.js';
import { codeOf, setUp } from './set-up.js';

const OWN_WALLET = '0x52908400098527886E0F7030069857D2E4169EE7';
const RECIPIENT = '0x8617E340B3D01FA5F11F306F4090FD50E238070D';
const UUID = '3f0e9a52-6f3c-4d59-9d3e-0f6a5c1b2d3e';

const decimal = (units: bigint) =>
  `${units / 1_000_000n}.${String(units % 1_000_000n).padStart(6, '0')}`;
const units = (text: string) => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
};

/** The mock platform and the model that it is compared with. */
class Pair {
  readonly model: Model;
  readonly tokens: { token: string; nonce: string }[] = [];
  readonly #setUp: ReturnType<typeof setUp>;

  constructor(credit: bigint, balances: readonly bigint[]) {
    this.model = new Model(credit);
    this.model.wallets = balances.map((balance) => ({ balance, isLinked: false }));
    const wallets = balances.map((balance) => {
      return { network: 'linea', currency: 'usdc', balance: decimal(balance) } as const;
    });
    this.#setUp = setUp({ creditBalance: decimal(credit), wallets });
  }

  get client() {
    return this.#setUp.client;
  }

  get user() {
    return this.#setUp.mock.users.get(this.#setUp.ada.id);
  }

  advance(ms: number): void {
    this.model.advance(ms);
    this.#setUp.mock.advance(ms);
  }

  walletAt(index: number) {
    const none = { addressId: UUID, address: OWN_WALLET, currency: 'usdc' };
    return this.user.internalWallets[index] ?? none;
  }

  proofOf(index: number) {
    const { token = 'unknown', nonce = 'none1234' } = this.tokens[index] ?? {};
    return {
      token,
      address: OWN_WALLET,
      network: 'linea',
      currency: 'usdc',
      amount: '1',
      txHash: `0x${'a'.repeat(64)}`,
      sigHash: `0x${'b'.repeat(130)}`,
      sigMessage: signedMessage({ address: OWN_WALLET, nonce }),
    };
  }

  /** Properties that hold after every call. */
  check(): void {
    const { user, model } = this;
    expect(units(user.creditWallet.balance)).toBe(model.credit);
    expect(user.internalWallets.map(({ balance }) => units(balance))).toEqual(
      model.wallets.map(({ balance }) => balance),
    );
    expect(user.linkedWallets.length).toBeLessThanOrEqual(5);
    expect(new Set(user.linkedWallets).size).toBe(user.linkedWallets.length);
    for (const { balance } of [...user.internalWallets, user.creditWallet]) {
      expect(balance).not.toContain('-');
      expect(balance).not.toContain('e');
    }
    expect(user.externalWallets).toHaveLength(model.hasOwnWallet ? 1 : 0);
  }
}

type Step = (pair: Pair) => Promise<void>;

const place = fc.nat({ max: 7 });
const amount = fc.bigInt({ min: 1n, max: 3_000_000n });
const step = (play: Step) => fc.constant(play);

const link: fc.Arbitrary<Step> = place.map((index) => async (pair: Pair) => {
  const { addressId } = pair.walletAt(index);
  const call = pair.client.wallets.internal.linkToCard({ addressId });
  expect(await codeOf(call)).toBe(pair.model.link(index));
});

/** Networks with a currency: creating a wallet that exists changes nothing. */
const PAIRS = ['linea', 'ethereum'].flatMap((network) =>
  ['usdc', 'usdt'].map((currency) => [network, currency] as const),
);

const steps: fc.Arbitrary<Step>[] = [
  step(async ({ client, model }) => {
    expect(await codeOf(client.card.order({ type: 'VIRTUAL' }))).toBe(model.order());
  }),
  step(async ({ client, model }) => {
    expect(await codeOf(client.card.freeze())).toBe(model.freeze());
  }),
  step(async ({ client, model }) => {
    expect(await codeOf(client.card.unfreeze())).toBe(model.unfreeze());
  }),
  step(async ({ client, model }) => {
    const { data, error } = await client.card.status().safe();
    expect(data?.status ?? error?.code).toBe(model.status());
  }),
  step(async ({ user, model, client }) => {
    // The platform updates the card when a request reads it.
    await client.card.status().safe();
    model.block();
    if (user.card !== null) user.card.status = 'BLOCKED';
  }),
  fc.integer({ min: 1, max: 400_000 }).map((ms) => async (pair: Pair) => pair.advance(ms)),
  fc
    .tuple(amount, fc.constantFrom(...PAIRS))
    .map(([balance, pair]) => async ({ client, user, model }: Pair) => {
      const [network, currency] = pair;
      const exists = user.internalWallets.some(
        (wallet) => wallet.network === network && wallet.currency === currency,
      );
      await client.wallets.internal.create({ wallets: [{ network, currency }] });
      if (exists) return;
      const created = user.internalWallets.at(-1);
      if (created !== undefined) created.balance = decimal(balance);
      model.wallets.push({ balance, isLinked: false });
    }),
  place.map((index) => async (pair: Pair) => {
    const { addressId } = pair.walletAt(index);
    const call = pair.client.wallets.internal.unlinkFromCard({ addressId });
    expect(await codeOf(call)).toBe(pair.model.unlink(index));
  }),
  fc.tuple(place, amount).map(([index, taken]) => async (pair: Pair) => {
    const { address, currency } = pair.walletAt(index);
    const call = pair.client.wallets.internal.withdraw({
      currency,
      sourceAddress: address,
      recipientAddress: RECIPIENT,
      amount: decimal(taken),
    });
    expect(await codeOf(call)).toBe(pair.model.withdraw(index, taken));
  }),
  amount.map((taken) => async ({ client, model }: Pair) => {
    const call = client.wallets.credit.withdraw({ amount: decimal(taken) });
    expect(await codeOf(call)).toBe(model.withdrawCredit(taken));
  }),
  fc.boolean().map((faucet) => async (pair: Pair) => {
    const asked = faucet ? { faucet, address: OWN_WALLET, network: 'linea' } : {};
    const { token, nonce, faucetOutcome } = await pair.client.delegation.getToken(asked);
    pair.tokens.push({ token, nonce });
    expect(faucetOutcome).toBe(pair.model.takeToken(faucet));
  }),
  place.map((index) => async (pair: Pair) => {
    const call = pair.client.delegation.submitEvmApproval(pair.proofOf(index));
    expect(await codeOf(call)).toBe(pair.model.approve(index));
  }),
];

it('the mock platform agrees with a model of the contract for any sequence of calls', async () => {
  const play = async (credit: bigint, balances: bigint[], sequence: Step[]) => {
    const pair = new Pair(credit, balances);
    for (const next of sequence) {
      await next(pair);
      pair.check();
    }
  };
  // The sixth link needs six wallets, and most of the calls.
  const linking = { arbitrary: link, weight: steps.length };
  const anyStep = fc.oneof(linking, ...steps.map((arbitrary) => ({ arbitrary, weight: 1 })));
  const balances = fc.array(amount, { maxLength: 8, size: 'max' });
  const sequences = fc.array(anyStep, { minLength: 1, maxLength: 60, size: 'max' });
  await eventually([fc.bigInt({ min: 0n, max: 9_000_000n }), balances, sequences], play, 200);
});
