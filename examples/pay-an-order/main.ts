import { deepEqual, equal } from 'node:assert/strict';
import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { type Ending, follow, type Payment, sell } from './payment.js';

// A user orders a product and pays for it in crypto, at a gateway outside the service: `payment.ts`.
// The platform in memory settles the orders. Run it with `npx tsx examples/pay-an-order/main.ts`.
const mock = createMockPlatform();
const ada = mock.users.add();
const platform = new CardPlatformClient({
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  ...mock.credentials, // Orders take the client id, and not the client key.
});
const user = platform.withAccessToken(mock.accessTokenFor(ada));
const products = await user.orders.listProducts();
const productId = products.find(({ isEligible }) => isEligible)?.id ?? '';

// Yours are minutes and seconds; here nobody waits.
const waiting = { timeout: 2_000, interval: 10, maxInterval: 50 };

/** What the payer sees. Show all of it, and one payment at a time. */
function show(orderId: string, payment: Payment): void {
  console.log(`   Order ${orderId}`);
  console.log(`   Pay ${payment.paymentAmount} ${payment.paymentCurrency}`);
  console.log(`   in ${payment.destinationTokenSymbol} (${payment.destinationTokenAddress})`);
  console.log(`   on chain ${payment.destinationChainId}, to ${payment.destinationAddress}`);
}

/** Stops the example where an ending is not the one that the scene leads to. */
function tell(ending: Ending, expected: Partial<Ending>): void {
  console.log(`   -> ${ending.ending}`);
  deepEqual({ ...ending, ...expected }, ending);
}

console.log('1. The payer pays');
const paid = await sell(
  user,
  productId,
  (orderId, payment) => {
    show(orderId, payment);
    mock.settleOrder(orderId, 'COMPLETED');
  },
  waiting,
);
tell(paid, { ending: 'paid', status: 'COMPLETED' });

console.log('2. The payer takes too long for the gateway');
const late = await sell(
  user,
  productId,
  (orderId) => mock.settleOrder(orderId, 'EXPIRED'),
  waiting,
);
tell(late, { ending: 'not paid', status: 'EXPIRED' });

console.log('3. The payer takes longer than anybody waits: look again later');
const open = await sell(user, productId, show, waiting);
tell(open, { ending: 'still open', status: 'STARTED' });
const { orderId } = open as Extract<Ending, { orderId: string }>;
mock.settleOrder(orderId, 'COMPLETED');
tell(await follow(user, orderId, waiting), { ending: 'paid', orderId });

console.log('4. The answer to the order is lost: no payment is shown, and nothing is sent twice');
const before = mock.requests.matching({ operation: 'orders.create' }).length;
mock.drop('orders.create', 'after-processing');
const lost = await sell(user, productId, () => process.exit(1), waiting);
tell(lost, { ending: 'start again' });
equal(mock.requests.matching({ operation: 'orders.create' }).length, before + 1);
