import { deepEqual, equal } from 'node:assert/strict';
import { CardPlatformClient } from 'card-platform-sdk';
import { createMockPlatform } from 'card-platform-sdk/testing';
import { type Payment, type SaleResult, sellProduct, waitForPayment } from './payment.js';

// A user orders a product and pays for it in crypto, at a gateway outside the service: `payment.ts`.
// The mock platform plays the gateway. Run it with `npx tsx examples/pay-an-order/main.ts`.
const mock = createMockPlatform();
const ada = mock.users.add();
const client = new CardPlatformClient({
  baseUrl: mock.baseUrl,
  fetch: mock.fetch,
  ...mock.credentials, // Orders need the client id instead of the client key.
});
const userClient = client.withAccessToken(mock.accessTokenFor(ada));
const products = await userClient.orders.listProducts();
const productId = products.find(({ isEligible }) => isEligible)?.id ?? '';

// In production, use minutes and seconds.
const polling = { timeout: 2_000, interval: 10, maxInterval: 50 };

/** Shows a payment to the payer. Show all of it, and one payment at a time. */
function showPayment(orderId: string, payment: Payment): void {
  console.log(`   Order ${orderId}`);
  console.log(`   Pay ${payment.paymentAmount} ${payment.paymentCurrency}`);
  console.log(`   in ${payment.destinationTokenSymbol} (${payment.destinationTokenAddress})`);
  console.log(`   on chain ${payment.destinationChainId}, to ${payment.destinationAddress}`);
}

/** Prints a result, and exits with an error when it is not the expected one. */
function expectResult(result: SaleResult, expected: Partial<SaleResult>): void {
  console.log(`   -> ${result.kind}`);
  deepEqual({ ...result, ...expected }, result);
}

console.log('1. The payer pays');
const paid = await sellProduct(
  userClient,
  productId,
  (orderId, payment) => {
    showPayment(orderId, payment);
    mock.setOrderStatus(orderId, 'COMPLETED');
  },
  polling,
);
expectResult(paid, { kind: 'paid', status: 'COMPLETED' });

console.log('2. The payer is too late, and the order expires');
const late = await sellProduct(
  userClient,
  productId,
  (orderId) => mock.setOrderStatus(orderId, 'EXPIRED'),
  polling,
);
expectResult(late, { kind: 'not paid', status: 'EXPIRED' });

console.log('3. The payer takes longer than the timeout: check again later');
const open = await sellProduct(userClient, productId, showPayment, polling);
expectResult(open, { kind: 'still open', status: 'STARTED' });
const { orderId } = open as Extract<SaleResult, { orderId: string }>;
mock.setOrderStatus(orderId, 'COMPLETED');
expectResult(await waitForPayment(userClient, orderId, polling), { kind: 'paid', orderId });

console.log('4. The response to the order is lost: no payment is shown, and nothing is sent twice');
const before = mock.requests.matching({ operation: 'orders.create' }).length;
mock.drop('orders.create', 'after-processing');
const lost = await sellProduct(userClient, productId, () => process.exit(1), polling);
expectResult(lost, { kind: 'start again' });
equal(mock.requests.matching({ operation: 'orders.create' }).length, before + 1);
