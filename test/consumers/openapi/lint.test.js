import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { DOCUMENT_FILE, OBSERVED_FILE } from './document.js';

/** The findings of Spectral with its rules for OpenAPI. */
async function spectralFindings(document) {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [rulesets.oas] });
  const findings = await spectral.run(document);
  return findings.map(({ code, path }) => `${code} at ${path.join('.')}`);
}

/** The findings of Redocly with its recommended rules, where each warning is an error. */
async function redoclyFindings(source, file) {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const findings = await lintFromString({ source, absoluteRef: file, config });
  return findings.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`);
}

for (const file of [DOCUMENT_FILE, OBSERVED_FILE]) {
  const source = readFileSync(file, 'utf8');
  const name = file.split('/').at(-1);

  test(`Spectral finds nothing to warn of in ${name}`, async () => {
    assert.deepEqual(await spectralFindings(JSON.parse(source)), []);
  });

  test(`Redocly finds nothing to warn of in ${name}`, async () => {
    assert.deepEqual(await redoclyFindings(source, file), []);
  });

  test(`both find a mistake in ${name} when there is one`, async () => {
    const { tags: _, ...untagged } = JSON.parse(source);
    const found = await spectralFindings(untagged);
    assert.ok(found.some((one) => one.startsWith('operation-tag-defined')));
    const { servers: __, ...homeless } = JSON.parse(source);
    const missing = await redoclyFindings(JSON.stringify(homeless), file);
    assert.ok(missing.some((one) => one.startsWith('no-empty-servers')));
  });
}
