import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { build } from 'esbuild';
import { installPackages, versionOf } from './cache.js';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS } from './runtime.js';

const VERSION = '1.20261117.1';
const COMPATIBILITY_DATE = '2026-11-01';

// The sandbox is on this machine, which a worker reaches only when the configuration allows it.
const CONFIG = `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "suite", worker = .suite),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "suite")],
);

const suite :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "worker.js")],
  compatibilityDate = "${COMPATIBILITY_DATE}",
);
`;

async function writeWorker(suite: string): Promise<string> {
  const folder = dirname(suite);
  await build({
    entryPoints: [join(suite, 'workerd.mjs')],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    target: 'es2022',
    logLevel: 'error',
  });
  const config = join(folder, 'workerd.capnp');
  writeFileSync(config, CONFIG);
  return config;
}

/** Returns the port that workerd writes to its control descriptor when it listens. */
async function portFrom(control: Readable): Promise<number> {
  let text = '';
  for await (const chunk of control) {
    text += chunk;
    const [, port] = /"event":"listen".*"port":(\d+)/.exec(text) ?? [];
    if (port !== undefined) return Number(port);
  }
  throw new Error('workerd exited before it listened');
}

/** Cloudflare's Workers runtime. */
export const workerd: Runtime = {
  name: 'workerd',
  isRequiredInCi: false,
  prepare: () => {
    const folder = installPackages('workerd', [`workerd@${VERSION}`]);
    const file = join(folder, 'node_modules', '.bin', 'workerd');
    versionOf('workerd', file);
    return {
      version: VERSION,
      run: async (suite, suiteOptions) => {
        const config = await writeWorker(suite);
        const child = spawn(file, ['serve', config, '--control-fd=3'], {
          stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
        });
        try {
          const port = await portFrom(child.stdio[3] as Readable);
          const response = await fetch(`http://127.0.0.1:${port}/`, {
            method: 'POST',
            body: JSON.stringify(suiteOptions),
            signal: AbortSignal.timeout(SUITE_TIMEOUT_MS),
          });
          if (!response.ok) throw new Error(`the worker failed: ${await response.text()}`);
          return (await response.json()) as CheckResult[];
        } finally {
          child.kill();
        }
      },
    };
  },
};
