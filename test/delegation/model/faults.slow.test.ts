import { beforeAll, describe, expect, it } from 'vitest';
import { ApprovalMismatchError } from '../../../src/delegation/approval-errors.js';
import type { DelegationDriver, DriverContext } from '../../../src/delegation/driver.js';
import { UserRejectedError, WalletError } from '../../../src/delegation/wallet-errors.js';
import { isCardPlatformError } from '../../../src/errors/index.js';
import { openTab, type Tab } from './pages.js';
import { describeFailure, explore } from './run-model.js';
import type { Planted } from './start.js';

/** Enough to find each of the faults below. The seed is fixed, so that no run depends on luck. */
const RUNS = 3_000;

let tabs: Tab[];

beforeAll(async () => {
  tabs = [await openTab(), await openTab()];
});

const withDriver = (change: (driver: DelegationDriver) => Partial<DelegationDriver>): Planted => ({
  driver: (driver) => ({ ...driver, ...change(driver) }),
});

/** A context with one method replaced. */
const withMethod = <Name extends keyof DriverContext>(
  context: DriverContext,
  name: Name,
  method: DriverContext[Name],
): DriverContext =>
  new Proxy(context, {
    get(target, key) {
      if (key === name) return method;
      const value: unknown = Reflect.get(target, key);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

const FAULTS: [what: string, found: RegExp, planted: Planted][] = [
  [
    'takes every approval that it cannot find for one that was not sent',
    /asked again|two approvals/,
    withDriver((driver) => ({
      findApproval: async (context) => {
        const found = await driver.findApproval(context);
        return found === 'unknown' ? 'not-sent' : found;
      },
    })),
  ],
  [
    'never looks for an approval whose id was lost',
    /asked again|two approvals/,
    withDriver(() => ({ findApproval: async () => 'not-sent' })),
  ],
  [
    'takes every sent approval for dropped',
    /asked again|two approvals|denies an approval/,
    withDriver(() => ({ hasDisappeared: async () => true })),
  ],
  [
    'forgets an approval that is not confirmed in time',
    /asked again|two approvals/,
    {
      driver: (driver, { TransactionExpiredError }) => ({
        ...driver,
        confirm: (id, context) =>
          driver.confirm(id, context).catch((error: unknown) => {
            const isLate = isCardPlatformError(error) && error.code === 'confirmation_timeout';
            throw isLate ? new TransactionExpiredError(id) : error;
          }),
      }),
    },
  ],
  [
    'takes a lost response of the wallet for a refusal of the user',
    /asked again|two approvals|user_rejected is not_sent/,
    withDriver((driver) => ({
      approve: (context) =>
        driver.approve(
          withMethod(context, 'promptApproval', (ask) =>
            context.promptApproval(() =>
              ask().catch((error: unknown) => {
                const hasFailed = isCardPlatformError(error) && error.code === 'wallet_failed';
                throw hasFailed ? new UserRejectedError(error) : error;
              }),
            ),
          ),
        ),
    })),
  ],
  [
    'asks the wallet before it saves that it does',
    /asked again|two approvals/,
    withDriver((driver) => ({
      approve: (context) =>
        driver.approve(
          withMethod(context, 'promptApproval', async (ask) => {
            const id = await context.prompt(ask);
            return context.promptApproval(async () => id);
          }),
        ),
    })),
  ],
  [
    'does not compare what was approved with the request',
    /nobody approved this limit/,
    withDriver(() => ({ compare: async () => {}, verify: async () => {} })),
  ],
  [
    'reports a mismatch after one look at a node that is behind',
    /exactly the requested approval|proof is lost/,
    withDriver((driver) => ({
      verify: (id, context) =>
        driver.verify(
          id,
          withMethod(context, 'sleep', () =>
            Promise.reject(new ApprovalMismatchError('spender', id)),
          ),
        ),
    })),
  ],
  [
    'takes the wallet of somebody else in the list for this one',
    /has not registered/,
    withDriver(() => ({ isOwner: () => true })),
  ],
  [
    'takes every failure of the service for a success',
    /has not registered/,
    withDriver(({ submit }) => ({
      submit: (proof, options) =>
        Promise.resolve(submit(proof, options)).catch(() => ({ success: true })),
    })),
  ],
  [
    'names the token in an error',
    /a secret in an error/,
    withDriver((driver) => ({
      signMessage: (token, context) =>
        driver.signMessage(token, context).catch((error: unknown) => {
          throw isCardPlatformError(error) && error.code === 'user_rejected'
            ? new WalletError(`no signature for ${token.token}`, 'not_sent')
            : error;
        }),
    })),
  ],
  [
    'waits for a confirmation for ever',
    /waits for too long|asks too often|does not end/,
    withDriver((driver) => ({
      confirm: async (id, context) => {
        for (;;) {
          try {
            return await driver.confirm(id, context);
          } catch (error) {
            if (!isCardPlatformError(error) || error.code !== 'confirmation_timeout') throw error;
          }
        }
      },
    })),
  ],
  [
    'has a name of its own for each flow, so that two run at once',
    /at once|asked again|two approvals/,
    withDriver((driver) => ({ lockKey: `${driver.lockKey} ${Math.random()}` })),
  ],
  [
    'has locks that two tabs can hold at once',
    /at once|asked again|two approvals/,
    {
      plan: (plan) => {
        const locks = {
          request: (_: string, __: object, hold: (lock: object) => Promise<void>) => hold({}),
        };
        return { ...plan, runtime: { ...plan.runtime, locks } };
      },
    },
  ],
  [
    'runs in a page that saves only finished steps',
    /asked again|two approvals/,
    { saves: ({ status }) => status !== 'waiting' },
  ],
];

describe('the model finds a flow that', () => {
  it.each(FAULTS)('%s', async (_, found, planted) => {
    const report = await explore(tabs, { numRuns: RUNS, seed: 1, endOnFailure: true }, planted);
    expect(describeFailure(report)).toMatch(found);
  });
});
