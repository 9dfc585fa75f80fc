import { readOptions, USAGE } from '../options.js';
import { startSandbox } from '../server.js';
import type { Command } from './command.js';

/** Starts the server and keeps it running until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
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

/** `card-platform-sandbox serve`, which also runs when no command is named. */
export const serve: Command = { usage: USAGE, run };
