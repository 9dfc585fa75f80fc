import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type MatrixRow, RETRY_MATRIX } from '../faults/retry-matrix.js';
import { onDisk, useSite } from './site-page.js';

const { open } = useSite();

const BEFORE = 'before the service acts';
const AFTER = 'after the service has acted';

type Cell = {
  id: string;
  fault: string;
  moment: string;
  requests: keyof MatrixRow;
  outcome: string;
  acted: boolean;
};

const LOST = 'the connection breaks';
const CELLS: readonly Cell[] = [
  {
    id: 'wallets.credit.withdraw',
    fault: LOST,
    moment: AFTER,
    requests: 'noResponse',
    outcome: 'unknown',
    acted: true,
  },
  {
    id: 'wallets.credit.withdraw',
    fault: LOST,
    moment: BEFORE,
    requests: 'noResponse',
    outcome: 'unknown',
    acted: false,
  },
  {
    id: 'wallets.credit.withdraw',
    fault: 'the connection is refused',
    moment: '',
    requests: 'connect',
    outcome: 'not_sent',
    acted: false,
  },
  {
    id: 'card.order',
    fault: 'status 503',
    moment: BEFORE,
    requests: 'on503',
    outcome: 'unknown',
    acted: false,
  },
  {
    id: 'card.status',
    fault: 'status 503',
    moment: BEFORE,
    requests: 'on503',
    outcome: 'unknown',
    acted: false,
  },
  {
    id: 'card.status',
    fault: 'status 429',
    moment: BEFORE,
    requests: 'on429',
    outcome: 'rejected',
    acted: false,
  },
  {
    id: 'card.freeze',
    fault: 'status 500',
    moment: AFTER,
    requests: 'on500',
    outcome: 'unknown',
    acted: true,
  },
  {
    id: 'card.createDetailsToken',
    fault: 'status 503',
    moment: BEFORE,
    requests: 'on503',
    outcome: 'unknown',
    acted: false,
  },
  {
    id: 'orders.create',
    fault: 'status 408',
    moment: BEFORE,
    requests: 'noResponse',
    outcome: 'unknown',
    acted: false,
  },
  {
    id: 'consent.createOnboarding',
    fault: 'status 500',
    moment: AFTER,
    requests: 'on500',
    outcome: 'unknown',
    acted: true,
  },
];

/** The advice of the README for an outcome, as text. */
function adviceFor(outcome: string): string {
  const line = readFileSync('README.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${outcome}\` |`));
  const advice = line?.split(' | ').at(-1)?.replace(/ \|$/, '');
  if (!advice) throw new Error(`README has no row for ${outcome}`);
  return advice.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

it('the explorer agrees with the retry table in ten cells, and shows what to do next', async () => {
  const page = await open(onDisk('site/did-money-move.html'));
  const choice = (name: string) => page.getByRole('combobox', { name });
  const explorer = page.locator('#explorer');
  for (const { id, fault, moment, requests, outcome, acted } of CELLS) {
    await choice('Endpoint').selectOption(id);
    await choice('Fault').selectOption(fault);
    if (moment === '') expect(await choice('Moment').isDisabled()).toBe(true);
    else await choice('Moment').selectOption(moment);
    await explorer.evaluate((it) => it.removeAttribute('data-state'));
    await page.getByRole('button', { name: 'Make the call' }).click();
    await page.locator('#explorer[data-state="done"]').waitFor();
    const sent = await explorer.locator('tbody tr').count();
    const row = RETRY_MATRIX.find((one) => one.id === id);
    // A request on a refused connection did not leave, but it was an attempt.
    expect(sent, `${id}, ${fault}`).toBe(row?.[requests]);
    expect(await explorer.locator('.error code').textContent(), id).toBe(outcome);
    const advice = row?.class === 'safe' ? 'This endpoint only reads' : adviceFor(outcome);
    expect(await explorer.locator('.next').textContent(), id).toContain(advice);
    expect(await explorer.locator('[data-acted]').getAttribute('data-acted'), id).toBe(`${acted}`);
  }
});
