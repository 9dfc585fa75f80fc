import { type ControlAction, onUser, textOf, USER, userOf } from './control-action.js';
import { fields } from './schema.js';
import { DECIMAL } from './user-actions.js';

/** Actions on the state that the observed calls use. The sandbox must have been started with `--observed`. */
export const observedActions: Readonly<Record<string, ControlAction>> = {
  creditReward: {
    summary: 'Credits a reward to a user; the first one opens the reward wallet',
    input: fields(
      {
        user: USER,
        amount: DECIMAL,
        isWithdrawable: {
          type: 'boolean',
          description: 'Whether withdrawals are allowed from now on. Default: unchanged.',
        },
      },
      'user',
      'amount',
    ),
    example: { user: 'ada@example.com', amount: '2.50' },
    async run(control, input) {
      const { isWithdrawable } = input;
      const observed = control.platform.observed;
      observed.creditReward(userOf(control, input), {
        amount: textOf(input, 'amount'),
        ...(typeof isWithdrawable === 'boolean' && { isWithdrawable }),
      });
    },
  },
  endSessions: {
    summary: 'Ends the OAuth sessions of a user, as a revocation elsewhere does',
    ...onUser,
    async run(control, input) {
      const observed = control.platform.observed;
      observed.endSessions(userOf(control, input));
    },
  },
};
