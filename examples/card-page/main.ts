import { startCardPage } from './start.js';

// Starts the card page with the sandbox and a local chain: `npm run card-page`.
const { url, sandbox, stop } = await startCardPage({ page: 4020, sandbox: 4010 });
const [ada] = sandbox.platform.state.users;
console.log(`The card page:  ${url}`);
console.log(`  log in as ${ada?.email} with "${ada?.password}"; the code is on the sandbox's page`);
console.log(`The sandbox:    ${sandbox.url}/?watch`);
console.log('Ctrl+C stops everything.');
process.once('SIGINT', () => void stop());
