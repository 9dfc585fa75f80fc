import { expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { memoryStore } from '../../src/stores/index.js';
import { clientFor, json, rejection } from '../support/clients.js';

it('an entry is listed after the store was emptied while the program ran', async () => {
  const values = new Map<string, string>();
  const client = clientFor('https://api.example.com', {
    fetch: async () => json({ message: 'broken' }, 503),
    journal: createJournal({ store: memoryStore(values) }),
  });
  const lose = (amount: string) => rejection(client.wallets.credit.withdraw({ amount }));
  for (let amount = 1; amount <= 10; amount++) await lose(String(amount));
  values.clear(); // "clear site data", or another tab deletes the database
  await lose('99');
  const open = await client.journal.pending();
  expect(open.map(({ details }) => details['amount'])).toEqual(['99']);
});
