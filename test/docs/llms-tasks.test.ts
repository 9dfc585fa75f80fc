import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { createJournal } from '../../src/journal/index.js';
import { memoryStore } from '../../src/stores/index.js';
import { createMockPlatform } from '../../src/testing/index.js';
import { freezeCard, payOut, withdrawalsAfterLostResponse } from './llms-tasks.js';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

/** What an assistant reads before the index of other pages. */
const [rules = ''] = read('../../llms.txt').split('\n## Start\n');

/** The names by which a program uses the package: those that it imports, and those after a dot. */
function namesIn(source: string): string[] {
  const names = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isImportSpecifier(node)) names.add(node.name.text);
    if (ts.isPropertyAccessExpression(node)) names.add(node.name.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('tasks.ts', source, ts.ScriptTarget.Latest));
  const isOfLanguage = (name: string) => name in Array.prototype || name in Promise.prototype;
  return [...names].filter((name) => !isOfLanguage(name));
}

it('the tasks use only what the rules and programs of llms.txt show', () => {
  const names = namesIn(read('./llms-tasks.ts'));
  expect(names.length).toBeGreaterThan(20);
  const shown = new Set(rules.match(/\w+/g));
  expect(names.filter((name) => !shown.has(name))).toEqual([]);
});

it('the first task freezes a card, with a code and without', async () => {
  const mock = createMockPlatform();
  const ada = mock.users.add({ card: 'ACTIVE', otpEnabled: true });
  const client = mock.clientFor(ada, { accessToken: undefined });
  const { email, password } = ada;
  const freeze = () => freezeCard(client, { email, password }, () => mock.otpFor(ada));
  expect(await freeze()).toBe('frozen now');
  ada.otpEnabled = false;
  expect(await freeze()).toBe('frozen before');
});

it('the second task pays nothing twice', async () => {
  const mock = createMockPlatform();
  const ada = mock.users.add({ creditBalance: '100', externalWallets: [{}] });
  const store = memoryStore();
  const start = () => mock.clientFor(ada, { journal: createJournal({ store, user: ada.id }) });
  expect(await payOut(start(), ['5'])).toEqual(['5 paid']);
  mock.advance('1 hour');
  const client = start();
  await client.wallets.credit.get();
  mock.drop('wallets.credit.withdraw', 'before-processing');
  expect(await payOut(client, ['6', '7'])).toEqual(['6 unknown']);
  expect(await payOut(start(), ['6', '7'])).toEqual(['6 undecided']);
  mock.advance('8 minutes');
  expect(await payOut(start(), ['6', '7'])).toEqual(['6 not_executed']);
  expect(await payOut(start(), ['6', '7'])).toEqual(['6 paid', '7 paid']);
  expect(mock.users.get(ada.id).creditWallet.balance).toBe('82');
});

it('the third task counts one request', async () => {
  expect(await withdrawalsAfterLostResponse()).toBe(1);
});
