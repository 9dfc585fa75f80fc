import { readFileSync, writeFileSync } from 'node:fs';
import { openApi } from './openapi.js';

const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
const { version } = JSON.parse(manifest) as { version: string };
const text = `${JSON.stringify(openApi(version), null, 1)}\n`;
writeFileSync(new URL('../openapi.json', import.meta.url), text);
