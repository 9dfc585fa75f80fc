import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ENDPOINTS } from '../../src/contract/endpoints.js';
import { isErrors, refusalsIn } from '../testing/contract-document/checks.js';
import { CONTRACT_TEXT, STATEMENTS } from '../testing/contract-document/statements.js';

/** Refusals of the live service that the contract does not document. */
const SEEN = [
  'only available for custodial',
  'user has no phone number',
  'wallet already approved',
];

const documented = STATEMENTS.filter(isErrors).flatMap((statement) =>
  refusalsIn(statement).messages.map((message = '') => [message, statement] as const),
);

it.each(documented)('declares the refusal "%s" where the contract has it', (message, {
  endpoints,
}) => {
  const texts = ENDPOINTS.filter(({ id }) => endpoints.includes(id)).flatMap(({ businessErrors }) =>
    businessErrors.flatMap(({ messages }) => [...messages]),
  );
  expect(texts).toContain(message.toLowerCase());
});

it('declares no other refusals of the endpoints of the contract but those that were seen', () => {
  const ofContract = ENDPOINTS.filter(({ path }) => CONTRACT_TEXT.includes(path));
  const texts = ofContract.flatMap(({ businessErrors }) =>
    businessErrors.flatMap(({ messages }) => [...messages]),
  );
  const contract = CONTRACT_TEXT.toLowerCase();
  const others = [...new Set(texts)].filter((text) => !contract.includes(text));
  expect(others.sort()).toEqual(SEEN);
});

it('says of no refusal that was only seen that the contract documents it', () => {
  const catalogue = readFileSync(
    new URL('../../docs/reference/error-catalogue.md', import.meta.url),
    'utf8',
  );
  expect(catalogue).toContain('The messages of the last three codes are not documented');
  const openApi = readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8');
  expect(openApi).not.toMatch(/[Dd]ocumented refusal/);
});
