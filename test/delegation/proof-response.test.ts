import { expect, it } from 'vitest';
import { CardPlatformError } from '../../src/errors/index.js';
import { setUpScene } from '../evm/scripted/scene.js';

it.each([
  {},
  { success: undefined },
  { success: null },
  { success: 'true' },
  { success: 1 },
  { isSuccess: true },
])('the response %o to a proof does not say that the wallet is registered', async (response) => {
  const scene = setUpScene();
  scene.service.submit = async () => response as { success?: boolean };
  const { error, state } = await scene.fail();
  expect(error).toMatchObject({ code: 'proof_unknown', outcome: 'unknown' });
  // The next run submits it again, and asks the wallet nothing.
  scene.service.submit = undefined;
  const result = await scene.run({ resume: state });
  expect(result.registration).toBe('accepted');
  expect(scene.prompts).toEqual(['sign', 'send']);
});

it('a proof that the service refuses without a reason is refused, and can be submitted again', async () => {
  const scene = setUpScene();
  scene.service.submit = async () => ({ success: false });
  const { error, state } = await scene.fail();
  expect(error).toMatchObject({ code: 'proof_refused', outcome: 'rejected' });
  scene.service.submit = undefined;
  await scene.run({ resume: state });
  expect(scene.prompts).toEqual(['sign', 'send']);
});

/** A service that has registered the wallet with a limit, and says so in response to a proof. */
function setUpRegistered(allowance: string) {
  const scene = setUpScene();
  const facts = {
    message: 'approved',
    code: 'wallet_already_approved',
    outcome: 'rejected',
  } as const;
  scene.service.submit = () => Promise.reject(new CardPlatformError(facts));
  scene.service.registered = [
    { address: scene.wallet.address, network: 'linea', currency: 'usdc', allowance },
  ];
  return scene;
}

it.each([
  // The list shows another limit: whatever the caller accepts, this one is not registered.
  ['40', true, 'limit_not_updated'],
  ['40', false, 'limit_not_updated'],
  ['unlimited', true, 'already-approved'],
  ['unlimited', false, 'limit_not_updated'],
  ['100.5', false, 'already-approved'],
])('a wallet that is registered with %s, acceptUnknownLimit %s: %s', async (allowance, acceptUnknownLimit, expected) => {
  const scene = setUpRegistered(allowance);
  const { error } = await scene.fail({ acceptUnknownLimit });
  if (expected === 'already-approved') expect(error).toBeUndefined();
  else expect(error).toMatchObject({ code: expected });
  expect(scene.progress.at(-1)?.state.proof).toBe(
    expected === 'already-approved' ? expected : 'submitting',
  );
});

it.each([
  ['40', { outcome: 'rejected', registeredAmount: '40' }],
  ['unlimited', { outcome: 'unknown', registeredAmount: undefined }],
])('a limit that the service shows as %s instead of the new one ends with %o', async (allowance, expected) => {
  const { error } = await setUpRegistered(allowance).fail();
  expect(error).toMatchObject({ code: 'limit_not_updated', next: 'resume', ...expected });
});
