// Writes compiled.json. Needs solc, which is not a dependency because nothing else needs it:
// npm i --no-save solc@0.8.37 && node test/chain/contracts/compile.mjs
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const solc = createRequire(process.env.SOLC_FROM ?? import.meta.url)('solc');
const here = (name) => new URL(name, import.meta.url);
const input = {
  language: 'Solidity',
  sources: { 'TestTokens.sol': { content: readFileSync(here('TestTokens.sol'), 'utf8') } },
  settings: {
    optimizer: { enabled: true, runs: 200 },
    evmVersion: 'paris',
    metadata: { bytecodeHash: 'none' },
    outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
  },
};
const { contracts, errors = [] } = JSON.parse(solc.compile(JSON.stringify(input)));
if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
const compiled = Object.entries(contracts['TestTokens.sol'])
  // An abstract contract has no code.
  .filter(([, { evm }]) => evm.bytecode.object !== '')
  .map(([name, { abi, evm }]) => [name, { abi, bytecode: `0x${evm.bytecode.object}` }]);
writeFileSync(here('compiled.json'), `${JSON.stringify(Object.fromEntries(compiled), null, 1)}\n`);
