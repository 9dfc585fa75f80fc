import {
  type CardPlatformClient,
  type Order,
  type PaymentConfig,
  PollingTimeoutError,
} from 'card-platform-sdk';

/** What the contract says of a payment: all of it, or there is nothing that a payer could do. */
export type Payment = { [Key in keyof PaymentConfig]-?: NonNullable<PaymentConfig[Key]> };

/** How an attempt to sell something ended. */
export type Ending =
  | { ending: 'paid' | 'not paid' | 'still open'; orderId: string; status: string }
  | { ending: 'start again' };

/** Asks a person to pay; the wait for the payment begins when it is shown. */
export type ShowPayment = (orderId: string, payment: Payment) => void;

// An order is a preview of the contract: these states were seen, and you may know better.
const FINAL = ['COMPLETED', 'FAILED', 'EXPIRED', 'REFUNDED'];
const isFinal = ({ status }: Order) => FINAL.includes(status ?? '');

/** Orders a product, shows what to pay, and waits for the payment. */
export async function sell(
  user: CardPlatformClient,
  productId: string,
  show: ShowPayment,
  waiting: { timeout: number; interval: number; maxInterval?: number },
): Promise<Ending> {
  const created = await user.orders
    .create({ productId, paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY' })
    .safe();
  if (!created.ok) {
    // There may be an order, but nobody knows where to pay for it: nothing can be paid twice.
    if (created.error.outcome === 'unknown') return { ending: 'start again' };
    throw created.error;
  }
  const { orderId, paymentConfig } = created.data;
  show(orderId, requirePayment(paymentConfig));
  return follow(user, orderId, waiting);
}

/** Waits for an order, or goes on waiting: only reads are sent. */
export async function follow(
  user: CardPlatformClient,
  orderId: string,
  waiting: { timeout: number; interval: number; maxInterval?: number },
): Promise<Ending> {
  try {
    const { status } = await user.orders.waitFor({ orderId }, isFinal, waiting);
    const ending = status === 'COMPLETED' ? 'paid' : 'not paid';
    return { ending, orderId, status: status ?? '' };
  } catch (error) {
    if (!(error instanceof PollingTimeoutError)) throw error;
    // Not a no: the payment may be on its way. Keep the id, and look again later.
    const last: Order | undefined = error.lastValue;
    return { ending: 'still open', orderId, status: last?.status ?? '' };
  }
}

function requirePayment(config: PaymentConfig | null | undefined): Payment {
  const values = NEEDED.map((key) => config?.[key]);
  if (values.some((value) => value === undefined || value === null || value === '')) {
    throw new Error('the service does not say where to pay: show no payment');
  }
  return config as Payment;
}

const NEEDED = [
  'paymentAmount',
  'paymentCurrency',
  'destinationAddress',
  'destinationChainId',
  'destinationTokenSymbol',
  'destinationTokenAddress',
] as const satisfies (keyof PaymentConfig)[];
