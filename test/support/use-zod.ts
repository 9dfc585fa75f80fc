import { useZod } from '../../src/contract/provide-zod.js';

// Tests look at fields of the contract without a call, which would load zod.
useZod();
