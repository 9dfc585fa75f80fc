import { FORWARD_USAGE, readForwardOptions } from '../forward/forward-options.js';
import { Forwarder } from '../forward/forwarder.js';
import { UsageError } from '../usage-error.js';
import type { Command } from './command.js';

const CHECK_MS = 1_000;

/** Forwards events until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readForwardOptions(args);
  if (options === undefined) return console.log(FORWARD_USAGE);
  const forwarder = await Forwarder.start(options, console.log).catch(() => {
    throw new UsageError(
      'no sandbox responds at --from: start one with card-platform-sandbox; over https, pass the authority of its certificate with --ca-file',
    );
  });
  console.log(`card-platform-sandbox forwards events to ${options.to}`);
  if (options.secret === undefined) console.log(`  signing key ${forwarder.secret}`);
  console.log('  Stop it with Ctrl+C.');
  let isConnected = true;
  const report = (now: boolean) => {
    if (now !== isConnected) console.log(now ? 'the sandbox is back' : 'the sandbox is gone');
    isConnected = now;
  };
  const timer = setInterval(() => {
    forwarder.connect().then(
      () => report(true),
      () => report(false),
    );
  }, CHECK_MS);
  const stop = async () => {
    clearInterval(timer);
    await forwarder.stop();
    console.log('stopped');
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void stop());
}

/** `card-platform-sandbox forward` */
export const forward: Command = { usage: FORWARD_USAGE, run };
