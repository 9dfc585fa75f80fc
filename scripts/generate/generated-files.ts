import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contractPage } from './contract-page.js';
import { declaredEndpoints, declaredObserved, requireKnownFacts } from './declared-endpoints.js';
import { delegationScenarios } from './delegation-scenarios.js';
import { cardDiagram, delegationDiagram } from './diagrams.js';
import { endpointTable } from './endpoint-table.js';
import { llmsIndex } from './llms.js';
import { openApi } from './openapi/document.js';
import { observedOpenApi } from './openapi/observed/document.js';
import { filesWithOwner, ownerOf, withOwner } from './owner.js';
import { decisionDiagram, keysDiagram, lostWithdrawalDiagram, sessionDiagram } from './pictures.js';
import {
  businessErrors,
  endpointExports,
  endpointIds,
  endpointTypes,
  observedExports,
  observedRegistry,
  queryOperations,
  recordedEndpoints,
  registry,
} from './registry.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BIOME = `${ROOT}node_modules/@biomejs/biome/bin/biome`;

function formatted(path: string, source: string): string {
  const args = [BIOME, 'check', '--write', `--stdin-file-path=${path}`];
  return execFileSync(process.execPath, args, { cwd: ROOT, input: source, encoding: 'utf8' });
}

/** Returns the README with the current number wherever it says `43 endpoints`. */
function readme(endpoints: number): string {
  const page = readFileSync(`${ROOT}README.md`, 'utf8');
  return page.replace(/\b\d+(?= endpoints\b)/g, String(endpoints));
}

/** Returns the content of every generated file, by its path from the root of the repository. */
export async function generatedFiles(): Promise<ReadonlyMap<string, string>> {
  const declared = await declaredEndpoints();
  const observed = await declaredObserved();
  requireKnownFacts([...declared, ...observed]);
  const endpoints = declared.map(({ endpoint }) => endpoint);
  const facts = JSON.parse(readFileSync(`${ROOT}package.json`, 'utf8'));
  const sources = {
    'src/contract/endpoints.ts': registry(declared),
    'src/contract/business-errors.ts': businessErrors(declared),
    'src/contract/endpoint-ids.ts': endpointIds(declared),
    'src/contract/endpoint-types.ts': endpointTypes(declared),
    'src/contract/recorded-endpoints.ts': recordedEndpoints(declared),
    'src/endpoints/every-endpoint.ts': endpointExports(declared),
    'src/contract/observed/endpoints.ts': observedRegistry(observed),
    'src/observed/every-endpoint.ts': observedExports(observed),
    'src/query/operations.ts': queryOperations(declared),
  };
  const owner = ownerOf(facts);
  const files = new Map<string, string>([
    ...filesWithOwner(ROOT),
    ...Object.entries(sources).map(([path, source]) => [path, formatted(path, source)] as const),
    ['docs/reference/endpoints.md', endpointTable(endpoints)],
    ['docs/evidence/contract.md', contractPage()],
    ['docs/evidence/delegation-tests.md', delegationScenarios()],
    ['openapi.json', `${JSON.stringify(await openApi(declared, facts), null, 1)}\n`],
    [
      'openapi-observed.json',
      `${JSON.stringify(await observedOpenApi(observed, facts), null, 1)}\n`,
    ],
    ['README.md', readme(endpoints.length)],
    ['llms.txt', llmsIndex()],
    ['docs/images/card-life.svg', await cardDiagram()],
    ['docs/images/delegation.svg', await delegationDiagram()],
    ['docs/images/keys.svg', await keysDiagram()],
    ['docs/images/lost-withdrawal.svg', await lostWithdrawalDiagram()],
    ['docs/images/next-step.svg', decisionDiagram()],
    ['docs/images/session-life.svg', await sessionDiagram()],
  ]);
  return new Map([...files].map(([path, text]) => [path, withOwner(path, text, owner)]));
}
