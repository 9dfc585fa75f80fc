import { startReactApp } from './start.js';

// Starts the app with the sandbox: `npm run react-app`.
const { url, platform, stop } = await startReactApp({ page: 4030, sandbox: 4011 });
const [ada] = platform.state.users;
console.log(`The app:  ${url}`);
console.log(`  log in as ${ada?.email} with "${ada?.password}"`);
console.log('Ctrl+C stops it.');
process.once('SIGINT', () => void stop());
