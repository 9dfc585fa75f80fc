import { installPackedPackage } from '../bench/packed-package.js';
import type { PageWeight } from '../bench/page-weight.js';
import { weighPages } from '../bench/pages.js';
import { buildPackage } from '../bench/prepare.js';

// Prints how much of the packed package a page loads.
buildPackage();
installPackedPackage();
for (const { name, esbuild, rollup } of await weighPages()) {
  const total = ({ atLoad, onCall }: PageWeight) => `${atLoad + onCall} bytes gzip`;
  console.log(`${name}: esbuild ${total(esbuild)}, rollup ${total(rollup)}`);
}
