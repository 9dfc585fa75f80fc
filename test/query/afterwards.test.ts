import { describe, expect, it } from 'vitest';
import { CardPlatformClient, CardPlatformError } from '../../src/index.js';
import { afterwards } from '../../src/query/index.js';
import { settled, setUp } from './set-up.js';

const withdraw = ({ client }: ReturnType<typeof setUp>, amount = '25') =>
  settled(client.wallets.credit.withdraw({ amount }));

describe('afterwards()', () => {
  it.each([
    ['not_sent', 'retry'],
    ['rejected', 'leave'],
    ['unknown', 'look'],
    ['executed', 'leave'],
  ] as const)('of an error with outcome %s is %s', (outcome, next) => {
    const error = new CardPlatformError({ message: 'failed', code: 'timeout', outcome });
    expect(afterwards(error)).toBe(next);
  });

  it('is leave when the service refuses a withdrawal', async () => {
    expect(afterwards(await withdraw(setUp(), '5000'))).toBe('leave');
  });

  it('is look when the response of a withdrawal is lost', async () => {
    const scene = setUp();
    scene.mock.drop('wallets.credit.withdraw', 'after-processing');
    expect(afterwards(await withdraw(scene))).toBe('look');
  });

  it('is retry for an invalid input, because nothing was sent', async () => {
    expect(afterwards(await withdraw(setUp(), 'ten'))).toBe('retry');
  });

  it('is retry for a read that failed, because reading again is safe', async () => {
    const { client, mock } = setUp();
    mock.fail('card.status', 503, { times: 10 });
    expect(afterwards(await settled(client.card.status()))).toBe('retry');
  });

  it('is known for the reason of an abort before and after the request left', async () => {
    const early = new Error('left the page');
    const late = new Error('left the page');
    const controller = new AbortController();
    const client = new CardPlatformClient({
      baseUrl: 'https://api.example.com',
      clientKey: 'client-key',
      accessToken: 'access-token',
      // The request is in flight when the user leaves.
      fetch: () => {
        controller.abort(late);
        return new Promise(() => {});
      },
    });
    const leave = (signal: AbortSignal) =>
      settled(client.wallets.credit.withdraw({ amount: '1' }, { signal }));
    expect(afterwards(await leave(AbortSignal.abort(early)))).toBe('retry');
    expect(afterwards(await leave(controller.signal))).toBe('look');
  });

  it.each([
    undefined,
    null,
    'text',
    0,
    {},
    new Error('foreign'),
    Symbol('odd'),
  ])('is look for a value that no call rejected with (%#)', (value) => {
    expect(afterwards(value)).toBe('look');
  });
});
