import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages, versionOf } from '../cache.js';

/** A version of React Native, and the compiler that its apps are compiled with. */
export type ReactNativeVersion = {
  version: string;
  minor: number;
  /** Its folder in `node_modules`. */
  folder: string;
  /** Whether its Metro resolves package exports by default. */
  usesPackageExports: boolean;
  /** Its `hermesc`, in `node_modules`. */
  compiler: string;
};

/** The oldest supported React Native, one in between, and the newest. */
export const VERSIONS: readonly ReactNativeVersion[] = [
  {
    version: '0.76.9',
    minor: 76,
    folder: 'react-native-0-76',
    usesPackageExports: false,
    compiler: 'react-native-0-76/sdks/hermesc/linux64-bin/hermesc',
  },
  {
    version: '0.81.5',
    minor: 81,
    folder: 'react-native-0-81',
    usesPackageExports: true,
    compiler: 'react-native-0-81/sdks/hermesc/linux64-bin/hermesc',
  },
  {
    version: '0.88.1',
    minor: 88,
    folder: 'react-native',
    usesPackageExports: true,
    compiler: 'hermes-compiler/hermesc/linux64-bin/hermesc',
  },
];

const PACKAGES = [
  'metro@0.87.1',
  '@react-native/metro-config@0.88.1',
  '@react-native/babel-preset@0.88.1',
  '@babel/core@7.29.13',
  'react-native@0.88.1',
  'react-native-0-81@npm:react-native@0.81.5',
  'react-native-0-76@npm:react-native@0.76.9',
  'react@19.3.1',
  '@tanstack/react-query@5.108.0',
  'hermes-compiler@260318099.0.5',
  'hermes-engine-cli@0.12.0',
];
const NODE = 'node@22.23.3';

/** The tools that bundle, compile and run an app. */
export type Toolchain = {
  /** Folder of the packages. */
  folder: string;
  /** A Node that Metro declares. */
  node: string;
  /** Hermes as a shell. */
  hermes: string;
  compilerOf: (version: ReactNativeVersion) => string;
};

/** Installs React Native, Metro and Hermes into the cache. */
export function installToolchain(): Toolchain {
  const folder = installPackages('react-native', PACKAGES, { ignoresPeers: true });
  const node = join(installPackages('node22', [NODE]), 'node_modules/node/bin/node');
  const hermes = join(folder, 'node_modules/hermes-engine-cli/linux64-bin/hermes');
  chmodSync(hermes, 0o755);
  versionOf('react-native', hermes);
  return {
    folder,
    node,
    hermes,
    compilerOf: ({ compiler }) => join(folder, 'node_modules', compiler),
  };
}
