import { mkdirSync, writeFileSync } from 'node:fs';
import { apiReports } from './api/reports.js';

// `npm run api`: writes the API report of every entry.
const root = new URL('../', import.meta.url);
mkdirSync(new URL('api/', root), { recursive: true });
for (const [path, report] of apiReports()) writeFileSync(new URL(path, root), report);
