// Loads a bundle with one handler, as AWS Lambda does, calls it once and prints the milliseconds until
// the bundle was loaded and until the response. Arguments: the bundle, the server.
import { createRequire } from 'node:module';

const [bundle, baseUrl] = process.argv.slice(2);
const startedAt = performance.now();
const { handler } = createRequire(import.meta.url)(bundle);
const loaded = performance.now() - startedAt;
await handler(baseUrl);
const responded = performance.now() - startedAt;
console.log(JSON.stringify({ loaded, responded }));
// Ended at once, because a kept-alive connection would hold the process for seconds.
process.exit();
