import {
  type CardPlatformClient,
  type Order,
  type PaymentConfig,
  PollingTimeoutError,
} from 'card-platform-sdk';

/** Complete payment details: with any of them missing, nobody could pay. */
export type Payment = { [Key in keyof PaymentConfig]-?: NonNullable<PaymentConfig[Key]> };

/** The result of an attempt to sell a product. */
export type SaleResult =
  | { kind: 'paid' | 'not paid' | 'still open'; orderId: string; status: string }
  | { kind: 'start again' };

/** Asks a person to pay. The wait for the payment starts afterwards. */
export type ShowPayment = (orderId: string, payment: Payment) => void;

// Orders are a preview. In practice these states are final.
const FINAL = ['COMPLETED', 'FAILED', 'EXPIRED', 'REFUNDED'];
const isFinal = ({ status }: Order) => FINAL.includes(status ?? '');

/** Orders a product, shows the payment details, and waits for the payment. */
export async function sellProduct(
  userClient: CardPlatformClient,
  productId: string,
  show: ShowPayment,
  waiting: { timeout: number; interval: number; maxInterval?: number },
): Promise<SaleResult> {
  const created = await userClient.orders
    .create({ productId, paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' })
    .safe();
  if (!created.ok) {
    // The order may exist, but nobody knows its payment address, so it cannot be paid twice.
    if (created.error.outcome === 'unknown') return { kind: 'start again' };
    throw created.error;
  }
  const { orderId, paymentConfig } = created.data;
  show(orderId, requirePayment(paymentConfig));
  return waitForPayment(userClient, orderId, waiting);
}

/** Waits for the payment of an order. It only reads, so it can be called again. */
export async function waitForPayment(
  userClient: CardPlatformClient,
  orderId: string,
  waiting: { timeout: number; interval: number; maxInterval?: number },
): Promise<SaleResult> {
  try {
    const { status } = await userClient.orders.waitFor({ orderId }, isFinal, waiting);
    const kind = status === 'COMPLETED' ? 'paid' : 'not paid';
    return { kind, orderId, status: status ?? '' };
  } catch (error) {
    if (!(error instanceof PollingTimeoutError)) throw error;
    // The payment may still be on its way. Store the id, and check again later.
    const last: Order | undefined = error.lastValue;
    return { kind: 'still open', orderId, status: last?.status ?? '' };
  }
}

function requirePayment(config: PaymentConfig | null | undefined): Payment {
  const values = PAYMENT_FIELDS.map((key) => config?.[key]);
  if (values.some((value) => value === undefined || value === null || value === '')) {
    throw new Error('the payment details are incomplete: do not show them');
  }
  return config as Payment;
}

const PAYMENT_FIELDS = [
  'paymentAmount',
  'paymentCurrency',
  'destinationAddress',
  'destinationChainId',
  'destinationTokenSymbol',
  'destinationTokenAddress',
] as const satisfies (keyof PaymentConfig)[];
