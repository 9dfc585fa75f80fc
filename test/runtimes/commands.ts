import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { installPackages, versionOf } from './cache.js';
import { type CheckResult, type Runtime, SUITE_TIMEOUT_MS } from './runtime.js';

const execute = promisify(execFile);

type Command = {
  name: string;
  /** `name@version` of the package that contains the runtime. */
  package: string;
  /** Its executable in `node_modules`. */
  binary: string;
  /** Arguments before the script. */
  args?: readonly string[];
  isRequiredInCi?: boolean;
};

/** Creates a runtime that runs a script as a command. */
function commandRuntime({
  name,
  package: packageSpec,
  binary,
  args = [],
  isRequiredInCi = false,
}: Command): Runtime {
  return {
    name,
    isRequiredInCi,
    prepare: () => {
      const file = join(installPackages(name, [packageSpec]), 'node_modules', binary);
      return {
        version: versionOf(name, file),
        run: async (suite, suiteOptions) => {
          const script = [...args, join(suite, 'process.mjs'), JSON.stringify(suiteOptions)];
          const options = { cwd: dirname(suite), timeout: SUITE_TIMEOUT_MS };
          const { stdout } = await execute(file, script, options);
          return JSON.parse(stdout) as CheckResult[];
        },
      };
    },
  };
}

const node = (version: string) =>
  commandRuntime({
    name: `node${version.split('.')[0]}`,
    package: `node@${version}`,
    binary: 'node/bin/node',
    isRequiredInCi: true,
  });

/** The runtimes that are started as commands. */
export const COMMAND_RUNTIMES: readonly Runtime[] = [
  node('20.20.2'),
  node('22.23.3'),
  node('24.21.0'),
  node('26.10.0'),
  commandRuntime({ name: 'bun', package: 'bun@1.4.5', binary: '.bin/bun' }),
  commandRuntime({
    name: 'deno',
    package: 'deno@2.9.6',
    binary: '.bin/deno',
    // Only the permission that the suite needs: the package reads neither files nor variables.
    args: ['run', '--quiet', '--no-prompt', '--node-modules-dir=manual', '--allow-net=127.0.0.1'],
  }),
];
