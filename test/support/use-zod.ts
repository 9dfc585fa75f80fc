import { useZod } from '../../src/contract/provide-zod.js';

// Tests read fields of the contract without making a call, and only a call would load zod.
useZod();
