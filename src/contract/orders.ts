import type { NoInput, OpenEnum } from './common.js';
import { defineEndpoint } from './define-endpoint.js';
import {
  code,
  filledText,
  flag,
  freeForm,
  identifier,
  input,
  list,
  oneOf,
  optional,
  pathId,
  price,
  responseBody,
  text,
} from './fields.js';
import type { Listed } from './lists.js';
import { observedResponse, response } from './response.js';
import type { JsonObject } from './schema.js';

/** The product to order, and how to pay for it. */
export type CreateOrderInput = {
  /** From `orders.listProducts()`. */
  productId: string;
  paymentMethod: Listed<'paymentMethods'>;
};

/** The amount to pay, and the address to pay it to. */
export type PaymentConfig = {
  /**
   * In `paymentCurrency`. A JSON number, the one amount that the contract does not document as text:
   * it may have lost digits.
   */
  paymentAmount?: number | null | undefined;
  /** Fiat currency code. */
  paymentCurrency?: string | null | undefined;
  destinationAddress?: string | null | undefined;
  /** EVM chain id, a string. */
  destinationChainId?: string | null | undefined;
  destinationTokenSymbol?: string | null | undefined;
  destinationTokenAddress?: string | null | undefined;
};

/** An order that awaits its payment. */
export type CreatedOrder = {
  orderId: string;
  /** Correlates callbacks of the payment gateway to this order. */
  requestId?: string | null | undefined;
  paymentConfig?: PaymentConfig | null | undefined;
};

/** A product that can be ordered (preview): any field may be absent. */
export type Product = {
  id?: string | null | undefined;
  description?: string | null | undefined;
  isEligible?: boolean | null | undefined;
};

/** The order. */
export type GetOrderInput = {
  /** From the response that created the order. */
  orderId: string;
};

/** An order (preview): any field may be absent. */
export type Order = {
  requestId?: string | null | undefined;
  orderId?: string | null | undefined;
  /** `COMPLETED`, `FAILED`, `EXPIRED` and `REFUNDED` are final. */
  status?:
    | OpenEnum<'STARTED' | 'PENDING' | 'COMPLETED' | 'FAILED' | 'EXPIRED' | 'REFUNDED'>
    | null
    | undefined;
  /** Not ISO 8601, for example `2023-03-27 17:07:12.662+03`. */
  paidAt?: string | null | undefined;
  /** Free-form. */
  metadata?: JsonObject | null | undefined;
};

/** POST /v1/order */
export const createOrder = defineEndpoint<CreateOrderInput, CreatedOrder>({
  id: 'orders.create',
  method: 'POST',
  path: '/v1/order',
  pageAccess: 'on-request',
  credentials: ['clientId', 'accessToken'],
  routing: 'none',
  retry: 'never',
  input: input({ productId: identifier, paymentMethod: code }),
  listed: { paymentMethod: 'paymentMethods' },
  responses: {
    200: response(
      responseBody({
        orderId: filledText,
        requestId: text,
        // Where applicable.
        paymentConfig: optional(
          responseBody({
            paymentAmount: price,
            paymentCurrency: text,
            destinationAddress: text,
            destinationChainId: text,
            destinationTokenSymbol: text,
            destinationTokenAddress: text,
          }),
        ),
      }),
      ['orderId'],
    ),
  },
  errors: [401, 403, 422, 498, 499, 500],
  reconcile: {
    details: ['productId'],
    undecidedBecause:
      'no read lists orders, and the order id was in the lost response; an order that nobody pays expires',
  },
});

/** GET /v1/order/products/available (preview) */
export const listProducts = defineEndpoint<NoInput, readonly Product[]>({
  id: 'orders.listProducts',
  method: 'GET',
  path: '/v1/order/products/available',
  pageAccess: 'on-request',
  credentials: ['clientId', 'accessToken'],
  routing: 'none',
  stability: 'preview',
  retry: 'safe',
  responses: {
    200: observedResponse(list(responseBody({ id: text, description: text, isEligible: flag }))),
  },
});

/** GET /v1/order/{orderId} (preview) */
export const getOrder = defineEndpoint<GetOrderInput, Order>({
  id: 'orders.get',
  method: 'GET',
  path: '/v1/order/{orderId}',
  pageAccess: 'on-request',
  credentials: ['clientId', 'accessToken'],
  routing: 'none',
  stability: 'preview',
  retry: 'safe',
  input: input({ orderId: pathId }),
  responses: {
    200: observedResponse(
      responseBody({
        requestId: text,
        orderId: text,
        status: oneOf(['STARTED', 'PENDING', 'COMPLETED', 'FAILED', 'EXPIRED', 'REFUNDED']),
        paidAt: text,
        metadata: freeForm,
      }),
    ),
  },
});
