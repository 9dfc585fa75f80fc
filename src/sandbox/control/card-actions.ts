import { type ControlAction, onUser, textOf, USER, userOf } from './control-action.js';
import { complete, fields, TEXT } from './schema.js';
import { DECIMAL } from './user-schema.js';

/** Actions on cards and orders. */
export const cardActions: Readonly<Record<string, ControlAction>> = {
  provision: {
    summary: 'Activates a pending card at once',
    ...onUser,
    run: (control, input) => control.platform.cards.provision(userOf(control, input)),
  },
  block: {
    summary: 'Blocks the card of a user permanently',
    ...onUser,
    run: (control, input) => control.platform.cards.block(userOf(control, input)),
  },
  pay: {
    summary:
      'Pays with the card of a user; declined unless the card is active and a wallet covers the amount',
    input: fields({ user: USER, amount: DECIMAL, merchant: TEXT }, 'user', 'amount'),
    example: { user: 'ada@example.com', amount: '3.50', merchant: 'Bakery' },
    run(control, input) {
      const payment = {
        amount: textOf(input, 'amount'),
        merchant: textOf(input, 'merchant') || undefined,
      };
      control.platform.cards.pay(userOf(control, input), payment);
    },
  },
  setOrderStatus: {
    summary: 'Sets the status of an order, as the payment gateway does',
    input: complete({ orderId: TEXT, status: TEXT }),
    example: { orderId: 'the orderId of orders.create', status: 'COMPLETED' },
    run: ({ platform }, input) =>
      platform.setOrderStatus(textOf(input, 'orderId'), textOf(input, 'status')),
  },
};
