// Bundles with Metro, in a process of its own because Metro declares a newer Node than this package:
//   node bundle.mjs job.json
// Prints one JSON line with the failure and the warnings of each bundle.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { packages, root, cache, bundles } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const require = createRequire(join(packages, 'package.json'));
const Metro = require('metro');
const { FileStore } = require('metro-cache');
const { getDefaultConfig, mergeConfig } = require('@react-native/metro-config');

const defaults = getDefaultConfig(root);

function configOf({ reactNative, usesPackageExports, without }, warnings) {
  const fromReactNative = createRequire(require.resolve(`${reactNative}/package.json`));
  return mergeConfig(defaults, {
    watchFolders: [root, packages],
    cacheStores: [new FileStore({ root: join(cache, 'transformed') })],
    fileMapCacheDirectory: cache,
    maxWorkers: 2,
    reporter: {
      update: ({ type, message }) => {
        if (type === 'resolver_warning') warnings.push(message);
      },
    },
    resolver: {
      useWatchman: false,
      unstable_enablePackageExports: usesPackageExports,
      nodeModulesPaths: [join(root, 'node_modules'), join(packages, 'node_modules')],
      // The other versions of React Native are installed under names of their own.
      resolveRequest: (context, name, platform) =>
        without.includes(name)
          ? { type: 'empty' }
          : context.resolveRequest(
              context,
              name.replace(/^react-native(?=\/|$)/, reactNative),
              platform,
            ),
    },
    serializer: {
      getPolyfills: () => fromReactNative('@react-native/js-polyfills')(),
      getModulesRunBeforeMainModule: () => [
        require.resolve(`${reactNative}/Libraries/Core/InitializeCore`),
      ],
    },
    transformer: { babelTransformerPath: require.resolve('@react-native/metro-babel-transformer') },
  });
}

const reports = [];
for (const bundle of bundles) {
  const { entry, out, isDevelopment: dev } = bundle;
  const warnings = [];
  let failure;
  try {
    await Metro.runBuild(await configOf(bundle, warnings), {
      ...{ entry, out, dev, platform: 'android', minify: false },
      unstable_transformProfile: 'default',
    });
  } catch (error) {
    failure = String(error.message);
  }
  reports.push({ failure, warnings });
}
process.stdout.write(`${JSON.stringify(reports)}\n`);
process.exit();
