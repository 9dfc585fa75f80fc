import { writeFileSync } from 'node:fs';
import { endpointTable } from './endpoint-table.js';

writeFileSync(new URL('../docs/endpoints.md', import.meta.url), endpointTable());
