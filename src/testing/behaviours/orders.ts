import { type Behaviours, errorResponse, fieldErrors, ok, textOf } from '../behaviour.js';

/** Behaviours of the order endpoints. */
export const orderBehaviours: Behaviours = {
  'orders.create': (call) => {
    const { state, user, ids } = call;
    const product = state.products.find(({ id }) => id === textOf(call, 'productId'));
    if (product === undefined) {
      return fieldErrors({ field: 'productId', message: 'productId is not known' });
    }
    const order = { orderId: ids.uuid(), requestId: ids.uuid(), status: 'STARTED' };
    user.orders.push({ ...order, productId: product.id });
    const { requestId, orderId } = order;
    const isPaidHere = product.hasPaymentConfig !== false;
    if (!isPaidHere || state.choices.paymentConfig === 'absent') return ok({ requestId, orderId });
    return ok({
      requestId,
      orderId,
      paymentConfig: {
        paymentAmount: 25,
        paymentCurrency: 'USD',
        destinationAddress: ids.evmAddress(),
        destinationChainId: '59144',
        destinationTokenSymbol: 'USDC',
        destinationTokenAddress: ids.evmAddress(),
      },
    });
  },

  'orders.listProducts': ({ state }) =>
    ok(state.products.map(({ hasPaymentConfig, ...shown }) => shown)),

  'orders.get': (call) => {
    const order = call.user.orders.find(({ orderId }) => orderId === textOf(call, 'orderId'));
    if (order === undefined) return errorResponse(404, 'Order not found');
    const { productId, ...shown } = order;
    return ok({ ...shown, metadata: { productId } });
  },
};
