import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './compilers.js';

/** Type instantiations of a consumer's journey beyond those of an empty file, at most. */
const BUDGET = 50;
// One compiler, so that the figure is the same on every machine.
const JUDGE = '5.9.3';

/** Counts what a consumer's file costs the compiler; false when it is more than the budget. */
export function holdInstantiations(folder: string, file: string): boolean {
  writeFileSync(join(folder, 'empty.ts'), 'export {};\n');
  const over = (skipLibCheck: boolean) => {
    const options = { resolution: 'nodenext', skipLibCheck } as const;
    const [ours, empty] = [file, 'empty.ts'].map((one) => check(JUDGE, folder, one, options));
    return (ours?.instantiations ?? Number.NaN) - (empty?.instantiations ?? 0);
  };
  const extra = over(true);
  const isWithin = extra <= BUDGET;
  const verdict = isWithin ? 'within' : 'OVER';
  console.log(
    `type instantiations of a journey over an empty file: ${extra}, ${verdict} ${BUDGET}`,
  );
  // Not held: the compiler then checks our declarations themselves, whatever the file uses of them.
  console.log(`  and ${over(false)} when it checks the declarations of libraries as well`);
  return isWithin;
}
