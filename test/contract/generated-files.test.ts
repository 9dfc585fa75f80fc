import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { generatedFiles } from '../../scripts/generate/generated-files.js';

const root = new URL('../../', import.meta.url);
const files = await generatedFiles();

it.each([...files])('%s is what `npm run generate` writes', (path, content) => {
  expect(readFileSync(new URL(path, root), 'utf8'), 'run npm run generate').toBe(content);
});
