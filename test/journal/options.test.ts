import { expect, it } from 'vitest';
import { CardPlatformClient } from '../../src/client.js';
import { createJournal } from '../../src/journal/journal.js';
import type { JournalOptions } from '../../src/journal/options.js';
import type { ClientOptions } from '../../src/transport/settings/options.js';
import { MapStore } from '../support/map-store.js';

it.each([
  ['null', null],
  ['a text', 'browser'],
  ['no function "delete"', { get: () => undefined, set: () => {} }],
  ['options without a store', { store: undefined }],
  ['options with a store that is null', { store: null }],
  ['a statement that is neither true nor false', { store: new MapStore(), hasAllRequests: 'yes' }],
  [
    'a statement that requests without an entry would make wrong',
    { store: new MapStore(), hasAllRequests: true, onStoreFailure: 'send' },
  ],
  [
    'an unknown way to handle a store that fails',
    { store: new MapStore(), onStoreFailure: 'sent' },
  ],
  ['a user who is a number', { store: new MapStore(), user: 5 }],
  ['no user', { store: new MapStore(), user: null }],
  ['a user whose id is too long', { store: new MapStore(), user: 'x'.repeat(101) }],
  ['an unknown option', { store: new MapStore(), retries: 3 }],
])('refuses %s as the journal of a client', (_, journal) => {
  const options = { baseUrl: 'https://api.example.com', clientKey: 'key', journal };
  const create = () => {
    if (Object(journal).store) createJournal(journal as JournalOptions);
    return new CardPlatformClient(options as unknown as ClientOptions);
  };
  const option = expect.stringMatching(/^journal/);
  expect(create).toThrow(expect.objectContaining({ name: 'ConfigurationError', option }));
});

it.each([
  ['storage', 'Did you mean journal.store?'],
  ['hasAllRequest', 'Did you mean journal.hasAllRequests?'],
  ['settleTime', 'Pass settleTime to reconcile or recover of the journal.'],
])('says what is meant by the option %s', (name, advice) => {
  expect(() => createJournal({ [name]: 1 } as never)).toThrow(
    `journal.${name} is not a known option. ${advice}`,
  );
});
