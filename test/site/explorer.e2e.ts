import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type MatrixRow, RETRY_MATRIX } from '../faults/retry-matrix.js';
import { useSite } from './site-page.js';

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

/** The advice of the guide for an outcome, as text. */
function adviceFor(outcome: string): string {
  const line = readFileSync('docs/start/did-money-move.md', 'utf8')
    .split('\n')
    .find((line) => line.startsWith(`| \`${outcome}\` |`));
  const advice = line?.split(' | ').at(-1)?.replace(/ \|$/, '');
  if (!advice) throw new Error(`the guide has no row for ${outcome}`);
  return advice.replaceAll('`', '').replace(/\[([^\]]+)\]\([^)]+\)/g, '$1');
}

it('the explorer agrees with the retry table in ten cells, and shows what to do next', async () => {
  const page = await open('docs/start/did-money-move.html');
  const choice = (name: string) => page.getByRole('combobox', { name });
  const explorer = page.locator('#explorer');
  for (const { id, fault, moment, requests, outcome, acted } of CELLS) {
    await choice('Endpoint').selectOption(id);
    await choice('Fault').selectOption(fault);
    if (moment === '') expect(await choice('Moment').isDisabled()).toBe(true);
    else await choice('Moment').selectOption(moment);
    await page.getByRole('button', { name: 'Make the call' }).click();
    await page.locator('#explorer[data-state="done"] [data-acted]').waitFor();
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

it('the address keeps the choice of the explorer', async () => {
  const chosen = { endpoint: 'card.freeze', fault: 'status 503', moment: AFTER };
  const page = await open(`docs/start/did-money-move.html?${new URLSearchParams(chosen)}`);
  await page.locator('[data-acted="true"]').waitFor();
  await page.getByRole('combobox', { name: 'Fault' }).selectOption('status 401');
  await page.getByRole('button', { name: 'Make the call' }).click();
  await page.locator('#explorer[data-state="done"]').waitFor();
  const address = new URL(page.url()).searchParams;
  expect(Object.fromEntries(address)).toEqual({ ...chosen, fault: 'status 401' });
  await page.reload();
  await page.locator('.error code', { hasText: 'rejected' }).waitFor();
});
