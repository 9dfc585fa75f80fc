import { type CardPlatformClient, type JournalEntry, outcomeOf } from 'card-platform-sdk';

/** A payout from the queue. */
export type Job = { id: string; amount: string };

/** The result of a job. */
export type JobState = 'paid' | 'refused' | 'try-again' | 'in-doubt';

/**
 * Pays out once. A job whose outcome is unknown goes to `reconcile`, and never back into the queue.
 */
export async function payOut(client: CardPlatformClient, job: Job): Promise<JobState> {
  try {
    await client.wallets.credit.withdraw({ amount: job.amount });
    return 'paid';
  } catch (error) {
    const outcome = outcomeOf(error);
    if (outcome === 'unknown') return 'in-doubt';
    if (outcome === 'executed') return 'paid';
    return outcome === 'not_sent' ? 'try-again' : 'refused';
  }
}

/**
 * Looks up every open request, and returns when to do so again. Runs when the worker starts. If
 * `report` fails, the entry stays, and the next run reports it again.
 */
export async function reconcileAll(
  client: CardPlatformClient,
  report: (entry: JournalEntry, state: JobState, reason: string) => void | Promise<void>,
): Promise<string | undefined> {
  const times: string[] = [];
  await client.journal.recover(async ({ entry, verdict, reason, lookAgainAt }) => {
    if (lookAgainAt !== undefined) times.push(lookAgainAt);
    const states = { executed: 'paid', not_executed: 'try-again', undecided: 'in-doubt' } as const;
    await report(entry, states[verdict], reason);
  });
  return times.sort()[0];
}
