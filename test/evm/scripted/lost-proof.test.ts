import { expect, it } from 'vitest';
import { OWNER, setUpScene } from './scene.js';

const OLD_LIMIT = 60_000_000n;

/** A wallet whose old limit is registered, and a service whose response to the next proof gets lost. */
function loseResponse() {
  const scene = setUpScene();
  const { chain, service } = scene;
  chain.firstAllowance = OLD_LIMIT;
  service.registered = [
    { address: OWNER, network: 'linea', currency: 'usdc', allowance: '60', balance: '0' },
  ];
  service.submit = () => Promise.reject(new Error('the response was lost'));
  return scene;
}

it('does not take the limit before the approval, from a node that lags, for what is left of it', async () => {
  const scene = loseResponse();
  const { chain, proofs } = scene;
  let reads = 0;
  chain.script('eth_call', ([call], usual) => {
    const isAllowance = (call as { data: string }).data.startsWith('0xdd62ed3e');
    const lags = isAllowance && proofs.length > 0 && ++reads === 1;
    return lags ? `0x${OLD_LIMIT.toString(16).padStart(64, '0')}` : usual();
  });
  const { error } = await scene.fail();
  expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
  expect(reads).toBeGreaterThan(1);
});

it('does not take that limit for it after a reorganization that removed the approval', async () => {
  const scene = loseResponse();
  const { chain, service } = scene;
  service.submit = () => {
    chain.forget(chain.transactions[0]?.hash ?? '');
    return Promise.reject(new Error('the response was lost'));
  };
  const { error } = await scene.fail();
  expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
});
