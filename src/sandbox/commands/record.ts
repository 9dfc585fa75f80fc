import { RECORD_USAGE, readRecordOptions } from '../record/record-options.js';
import { startRecordProxy } from '../record/record-proxy.js';
import { Recording } from '../record/recording.js';
import type { Command } from './command.js';

/** Records calls until a signal. */
async function run(args: readonly string[]): Promise<void> {
  const options = readRecordOptions(args);
  if (options === undefined) return console.log(RECORD_USAGE);
  const recording = await Recording.start(options.out, console.log);
  const { service, port, observed } = options;
  const { url, stop } = await startRecordProxy(service, port, recording, observed);
  console.log(`card-platform-sandbox records on ${url}`);
  console.log('  Use it as the base URL of your app. Stop it with Ctrl+C.');
  const finish = async () => {
    await stop();
    const count = await recording.finish();
    console.log(`stopped. Differences from the contract: ${count}, see report.md`);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void finish());
}

/** `card-platform-sandbox record` */
export const record: Command = { usage: RECORD_USAGE, run };
