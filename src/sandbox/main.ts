#!/usr/bin/env node
import { readOptions, USAGE, UsageError } from './options.js';
import { startSandbox } from './server.js';

async function run(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (options === undefined) return console.log(USAGE);
  const { webhooksTo } = options;
  const { url, platform, stop } = await startSandbox(options.port, options.seed, Date.now, {
    choices: options.choices,
    ...(webhooksTo !== undefined && { webhookFetch: (_url, init) => fetch(webhooksTo, init) }),
  });
  const { clientKey, clientId, secretKey } = platform.credentials;
  console.log(`card-platform-sandbox listens on ${url}`);
  console.log(`  clientKey ${clientKey}, clientId ${clientId}, secretKey ${secretKey}`);
  console.log('  Stop it with Ctrl+C. Nothing is saved.');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => console.log('stopped')));
  }
}

run().catch((error: unknown) => {
  const isKnown = error instanceof UsageError || (error as { code?: string }).code !== undefined;
  console.error(isKnown ? (error as Error).message : error);
  if (error instanceof UsageError) console.error(`\n${USAGE}`);
  process.exitCode = 1;
});
