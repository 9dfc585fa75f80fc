import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeCheck } from './compilers.js';

/** Maximum type instantiations of a consumer's file, in addition to those of an empty file. */
const BUDGET = 50;
// A fixed compiler, so that the number is the same on every machine.
const COMPILER = '5.9.3';

/** Prints the type instantiations of a consumer's file. Returns false above the budget. */
export function checkInstantiations(folder: string, file: string): boolean {
  writeFileSync(join(folder, 'empty.ts'), 'export {};\n');
  const instantiationsOverEmptyFile = (skipLibCheck: boolean) => {
    const options = { resolution: 'nodenext', skipLibCheck } as const;
    const [ours, empty] = [file, 'empty.ts'].map((one) =>
      typeCheck(COMPILER, folder, one, options),
    );
    return (ours?.instantiations ?? Number.NaN) - (empty?.instantiations ?? 0);
  };
  const extra = instantiationsOverEmptyFile(true);
  const isWithin = extra <= BUDGET;
  const verdict = isWithin ? 'within' : 'OVER';
  console.log(
    `type instantiations of journey.ts beyond an empty file: ${extra}, ${verdict} ${BUDGET}`,
  );
  // Not limited: the compiler then checks all our declarations, used or not.
  console.log(`  and ${instantiationsOverEmptyFile(false)} with skipLibCheck off`);
  return isWithin;
}
