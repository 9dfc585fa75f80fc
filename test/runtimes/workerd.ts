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

/** Bundles a worker into a folder. Returns the configuration that serves it. */
export async function writeWorker(entry: string, folder: string): Promise<string> {
  await build({
    entryPoints: [entry],
    outfile: join(folder, 'worker.js'),
    bundle: true,
    format: 'esm',
    platform: 'browser',
    conditions: ['workerd', 'worker'],
    target: 'es2022',
    // The package, not the sources to which the paths of this repository lead.
    tsconfigRaw: {},
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

/** Installs workerd. Returns its program. */
export function installWorkerd(): string {
  const folder = installPackages('workerd', [`workerd@${VERSION}`]);
  return join(folder, 'node_modules', '.bin', 'workerd');
}

/** Starts workerd, lets its worker be used, and ends it. */
export async function withWorker<T>(
  program: string,
  config: string,
  use: (url: string) => Promise<T>,
): Promise<T> {
  const child = spawn(program, ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'inherit', 'inherit', 'pipe'],
  });
  try {
    return await use(`http://127.0.0.1:${await portFrom(child.stdio[3] as Readable)}/`);
  } finally {
    child.kill();
  }
}

/** Cloudflare's Workers runtime. */
export const workerd: Runtime = {
  name: 'workerd',
  isRequiredInCi: false,
  prepare: () => {
    const program = installWorkerd();
    versionOf('workerd', program);
    return {
      version: VERSION,
      run: async (suite, suiteOptions) => {
        const config = await writeWorker(join(suite, 'workerd.mjs'), dirname(suite));
        return withWorker(program, config, async (url) => {
          const response = await fetch(url, {
            method: 'POST',
            body: JSON.stringify(suiteOptions),
            signal: AbortSignal.timeout(SUITE_TIMEOUT_MS),
          });
          if (!response.ok) throw new Error(`the worker failed: ${await response.text()}`);
          return (await response.json()) as CheckResult[];
        });
      },
    };
  },
};
