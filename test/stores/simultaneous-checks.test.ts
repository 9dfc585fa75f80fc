import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createJournal } from '../../src/journal/journal.js';
import { folderStore } from '../../src/stores/index.js';
import { clientFor, json } from '../support/clients.js';

it('32 programs that start at once on one folder are not told that it does not work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'store-'));
  const calls = Array.from({ length: 32 }, () =>
    clientFor('https://api.example.com', {
      fetch: async () => json({ success: true, txHash: `0x${'a'.repeat(64)}` }),
      journal: createJournal({ store: folderStore(folder) }),
    })
      .wallets.credit.withdraw({ amount: '1' })
      .safe(),
  );
  const errors = (await Promise.all(calls)).flatMap(({ error }) => error?.message ?? []);
  await rm(folder, { recursive: true, force: true });
  expect(errors).toEqual([]);
});
