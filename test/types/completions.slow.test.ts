import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const FILE = `${ROOT}test/types/completed.ts`;

/** A program in which an editor is asked to complete the text at each `''`. */
const SOURCE = `
import { type CardPlatformClient, type CardPlatformError, isApiError } from 'card-platform-sdk';
import type { ApprovalProof, Card, EvmApprovalInput, SolanaApprovalInput } from 'card-platform-sdk';

declare const client: CardPlatformClient;
declare const error: CardPlatformError;
declare const card: Card;
isApiError(error, '');
error.code === '';
client.delegation.getToken({ faucet: true, address: 'a', network: '' });
const evm: EvmApprovalInput['network'] = '';
const solana: SolanaApprovalInput['network'] = '';
const currency: ApprovalProof['currency'] = '';
client.orders.create({ productId: 'p', paymentMethod: '' });
card.status === '';
`;

const { config } = ts.readConfigFile(`${ROOT}tsconfig.json`, ts.sys.readFile);
const { options } = ts.parseJsonConfigFileContent(config, ts.sys, ROOT);
const editor = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [FILE],
  getScriptVersion: () => '1',
  getScriptSnapshot: (file) => {
    const text = file === FILE ? SOURCE : ts.sys.readFile(file);
    return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
  },
  getCurrentDirectory: () => ROOT,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (file) => file === FILE || ts.sys.fileExists(file),
  readFile: ts.sys.readFile,
  readDirectory: ts.sys.readDirectory,
  directoryExists: ts.sys.directoryExists,
});

/**
 * Returns the completions that an editor offers between the quotes of the line that contains a
 * text.
 */
function completionsAt(line: string): string[] {
  const position = SOURCE.indexOf("''", SOURCE.indexOf(line)) + 1;
  const completions = editor.getCompletionsAtPosition(FILE, position, undefined);
  return completions?.entries.map(({ name }) => name).sort() ?? [];
}

it.each([
  ['getToken(', ['base', 'linea', 'solana']],
  ["EvmApprovalInput['network']", ['ethereum', 'linea']],
  ["SolanaApprovalInput['network']", ['solana']],
  ["ApprovalProof['currency']", ['usdc', 'usdt']],
  ['orders.create(', ['CRYPTO_EXTERNAL_GATEWAY']],
  ['card.status', ['ACTIVE', 'BLOCKED', 'FROZEN', 'INACTIVE', 'PENDING']],
])('an editor completes the values of the contract at %s', { timeout: 60_000 }, (line, values) => {
  expect(completionsAt(line)).toEqual(values);
});

it('an editor completes error codes', { timeout: 60_000 }, () => {
  const ofApi = completionsAt('isApiError(error,');
  expect(ofApi).toEqual(expect.arrayContaining(['card_already_frozen', 'otp_required']));
  expect(ofApi).not.toContain('timeout');
  const ofAll = completionsAt('error.code ===');
  expect(ofAll).toEqual(expect.arrayContaining([...ofApi, 'timeout', 'user_rejected']));
});
