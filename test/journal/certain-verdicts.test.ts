import { expect, it } from 'vitest';
import * as reads from './scripted-reads.js';

const { debit, loseRequest, MINUTE, SETTLED, setUpScripted, WITHDRAWAL, withHistory } = reads;

it('a request that was seen executed never becomes not_executed', async () => {
  let history: unknown[] = [debit()];
  const scene = setUpScripted(withHistory(() => history));
  const { journal } = scene.client;
  await loseRequest(scene, WITHDRAWAL);
  await scene.clock.advance(SETTLED + MINUTE);
  const verdicts: string[] = [];
  // The handler fails: its database is down. The entry stays, as documented.
  await journal
    .recover(({ verdict }) => {
      verdicts.push(verdict);
      throw new Error('the database is down');
    })
    .catch(() => undefined);
  history = []; // the service no longer shows it
  for (let look = 0; look < 2; look++) {
    await scene.clock.advance(SETTLED);
    const [entry] = await journal.pending();
    if (entry !== undefined) verdicts.push((await journal.reconcile(entry)).verdict);
  }
  expect(verdicts).toEqual(['executed', 'executed', 'executed']);
});
