import { mkdirSync, writeFileSync } from 'node:fs';
import { EVM_FAILURES, WALLET_FAILURES } from './evm-failures.js';
import { recordEvm } from './record-evm.js';
import { recordSolana } from './record-solana.js';
import type { RecordedError } from './recorded-error.js';
import { SOLANA_FAILURES } from './solana-failures.js';

// `npm run record:errors`: runs the real libraries against a node that fails, and keeps what they throw.

const folder = new URL('../fixtures/library-errors/', import.meta.url);

function write(chain: string, errors: readonly RecordedError[]): void {
  const lines = errors.map((one) => JSON.stringify(one));
  writeFileSync(new URL(`${chain}.json`, folder), `[\n${lines.join(',\n')}\n]\n`);
  process.stdout.write(`${chain}: ${errors.length} errors\n`);
}

// The burner adapter warns on every use.
console.warn = () => undefined;
mkdirSync(folder, { recursive: true });
write('solana', await recordSolana(SOLANA_FAILURES));
write('evm', await recordEvm(EVM_FAILURES, WALLET_FAILURES));
process.exit(0);
