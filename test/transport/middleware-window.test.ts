import { expect, it } from 'vitest';
import { clientFor, json, scriptedFetch } from '../support/clients.js';
import { FakeClock } from '../support/fake-clock.js';

it('a freeze is not sent again after 10 seconds because a middleware waited', async () => {
  const clock = new FakeClock();
  const { fetch, requests } = scriptedFetch(json({}, 503), json({ success: true }));
  const client = clientFor('https://api.example.com', {
    clock,
    fetch,
    middleware: [
      async ({ attempt }, next) => {
        if (attempt > 1) await new Promise<void>((resolve) => clock.schedule(resolve, 20_000));
        return next();
      },
    ],
  });
  const { error } = await client.card.freeze().safe();
  expect(error).toMatchObject({ status: 503, attempts: 1 });
  expect(requests).toHaveLength(1);
});
