import { describe, expect, it } from 'vitest';
import { actorsOf } from '../../simulation/actors/index.js';

describe('the actors of a world', () => {
  it('are all but those that run on request', () => {
    const usual = actorsOf(undefined);
    expect(usual).toHaveLength(10);
    expect(actorsOf(['delegator', 'server']).every((start) => usual.includes(start))).toBe(true);
    const onRequest = actorsOf(['evm', 'solana']);
    expect(onRequest).toHaveLength(2);
    expect(onRequest.some((start) => usual.includes(start))).toBe(false);
  });

  it('are not two who let the platform check proofs', () => {
    expect(() => actorsOf(['delegator', 'evm'])).toThrow('in one world');
    expect(() => actorsOf(['solana', 'delegator'])).toThrow('in one world');
  });
});
