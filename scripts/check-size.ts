import { installPackedPackage } from '../bench/packed-package.js';
import { weighPages } from '../bench/pages.js';
import { buildPackage } from '../bench/prepare.js';

// Compares how much of the packed package a page loads with the limits in `bench/targets.ts`.
buildPackage();
installPackedPackage();
for (const { name, limit, esbuild, rollup } of await weighPages()) {
  for (const [bundler, { atLoad, onCall }] of Object.entries({ esbuild, rollup })) {
    const isOver = limit !== undefined && atLoad > limit;
    const verdict = limit === undefined ? '' : `, ${isOver ? 'OVER' : 'within'} ${limit}`;
    console.log(`${name}, ${bundler}: ${atLoad} bytes gzip at load${verdict}; ${onCall} on call`);
    if (isOver) process.exitCode = 1;
  }
}
