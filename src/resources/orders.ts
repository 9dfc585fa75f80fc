import {
  type CreatedOrder,
  type CreateOrderInput,
  createOrder,
  type GetOrderInput,
  getOrder,
  listProducts,
  type Order,
  type Product,
} from '../contract/orders.js';
import { poll, type WaitOptions } from '../flows/polling.js';
import type { PlatformPromise } from '../transport/response/platform-promise.js';
import type { RequestOptions, SchemaOption } from '../transport/settings/options.js';
import { Resource } from './resource.js';

/** A person makes the payment. */
const UNTIL_PAID = { timeout: 15 * 60_000, interval: 2_000, maxInterval: 15_000 };

/** Product orders that are paid in crypto. Needs the client option `clientId`. */
export class OrdersResource extends Resource {
  /**
   * Creates an order and returns where to pay. Never sent again once it may have arrived: the user
   * could pay a second order, too. After an `unknown` outcome the journal cannot find out whether the
   * order exists, because no read lists orders. In practice orders can expire (`EXPIRED`).
   *
   * Endpoint: `POST /v1/order`
   *
   * @throws UnprocessableError for a product or payment method that the service refuses
   * @example
   * ```ts
   * const { orderId, paymentConfig } = await userClient.orders.create({
   *   productId: 'product_1',
   *   paymentMethod: 'CRYPTO_EXTERNAL_GATEWAY',
   * });
   * ```
   */
  create(input: CreateOrderInput, options?: RequestOptions): PlatformPromise<CreatedOrder> {
    return this.send(createOrder, input, options);
  }

  /**
   * Returns the products that can be ordered.
   *
   * Endpoint: `GET /v1/order/products/available` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const products = await userClient.orders.listProducts();
   * ```
   */
  listProducts(options?: RequestOptions): PlatformPromise<readonly Product[]>;
  listProducts<Output>(options: RequestOptions & SchemaOption<Output>): PlatformPromise<Output>;
  listProducts(options?: RequestOptions) {
    return this.send(listProducts, {}, options);
  }

  /**
   * Returns an order with its status.
   *
   * Endpoint: `GET /v1/order/{orderId}` (preview)
   *
   * @experimental
   * @example
   * ```ts
   * const { status } = await userClient.orders.get({ orderId: 'order_1' });
   * ```
   */
  get(input: GetOrderInput, options?: RequestOptions): PlatformPromise<Order>;
  get<Output>(
    input: GetOrderInput,
    options: RequestOptions & SchemaOption<Output>,
  ): PlatformPromise<Output>;
  get(input: GetOrderInput, options?: RequestOptions) {
    return this.send(getOrder, input, options);
  }

  /**
   * Waits until `isDone` returns true for an order, by default for 15 minutes. You decide when the
   * wait is over, because the contract does not document the fields of an order.
   *
   * Endpoint: `GET /v1/order/{orderId}` (preview)
   *
   * @experimental
   * @throws ConfigurationError when `timeout`, `interval` or `maxInterval` is not above zero and below
   *   2^31
   * @throws PollingTimeoutError with the last order seen
   * @throws the errors of {@link get}
   * @example
   * ```ts
   * const final = ['COMPLETED', 'FAILED', 'EXPIRED', 'REFUNDED'];
   * const order = await userClient.orders.waitFor(
   *   { orderId: 'order_1' },
   *   ({ status }) => final.includes(status ?? ''),
   * );
   * ```
   */
  async waitFor(
    input: GetOrderInput,
    isDone: (order: Order) => boolean,
    options: WaitOptions<Order> = {},
  ): Promise<Order> {
    // The caller may use the object again for another order.
    const copy = { ...input };
    const read = (signal: AbortSignal) => this.get(copy, { signal });
    const task = { operation: getOrder.id, read, isDone, defaults: UNTIL_PAID };
    return poll(task, options, this.clock);
  }
}
