import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import spectralCore from '@stoplight/spectral-core';
import rulesets from '@stoplight/spectral-rulesets';
import { DOCUMENT_FILE } from './document.js';

const source = readFileSync(DOCUMENT_FILE, 'utf8');

test('Spectral finds nothing to warn of', async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [rulesets.oas] });
  const findings = await spectral.run(JSON.parse(source));
  assert.deepEqual(
    findings.map(({ code, path }) => `${code} at ${path.join('.')}`),
    [],
  );
});

test('Spectral finds a mistake when there is one', async () => {
  const spectral = new spectralCore.Spectral();
  spectral.setRuleset({ extends: [rulesets.oas] });
  const { tags: _, ...document } = JSON.parse(source);
  const findings = await spectral.run(document);
  assert.ok(findings.some(({ code }) => code === 'operation-tag-defined'));
});

test('Redocly finds nothing to warn of', async () => {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const findings = await lintFromString({ source, absoluteRef: DOCUMENT_FILE, config });
  assert.deepEqual(
    findings.map(({ ruleId, location }) => `${ruleId} at ${location[0]?.pointer}`),
    [],
  );
});
