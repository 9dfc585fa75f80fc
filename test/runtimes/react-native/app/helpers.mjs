import { expectSame } from '../../suite/expect.mjs';
import { computeAll } from './computed.mjs';

/** Checks that the helpers compute the same results as in Node. */
export const helpers = {
  'compute what Node computes': ({ computedByNode }) => {
    const computed = computeAll();
    for (const [name, expected] of Object.entries(computedByNode)) {
      expectSame(computed[name], expected, name);
    }
    expectSame(Object.keys(computed).length, Object.keys(computedByNode).length);
  },
};
