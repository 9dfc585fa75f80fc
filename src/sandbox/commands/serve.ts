import { loadCertificate } from '../load-certificate.js';
import { loadSeed } from '../load-seed.js';
import { readOptions, USAGE } from '../options.js';
import { startSandbox } from '../server.js';
import { startupText } from '../startup-text.js';
import type { Command } from './command.js';

/** Starts the server and keeps it running until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readOptions(args);
  if (options === undefined) return console.log(USAGE);
  const { webhooksTo, listen, publicUrl, hosts, origins } = options;
  const seed = loadSeed(options.seed);
  const tls = options.tls && loadCertificate(options.tls);
  const { url, platform, stop } = await startSandbox(options.port, seed, Date.now, {
    choices: options.choices,
    observed: options.observed,
    additions: options.additions,
    credentials: options.credentials,
    ...(webhooksTo !== undefined && { webhookFetch: (_url, init) => fetch(webhooksTo, init) }),
    listen,
    publicUrl,
    tls,
    access: { hosts, origins },
  });
  console.log(startupText({ url, platform, options }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stop().then(() => console.log('stopped')));
  }
}

/** `card-platform-sandbox serve`, which also runs when no command is named. */
export const serve: Command = { usage: USAGE, run };
