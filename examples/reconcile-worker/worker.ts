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

/** Looks up every open request. Runs when the worker starts, and then every few minutes. */
export async function reconcileAll(
  client: CardPlatformClient,
  report: (entry: JournalEntry, state: JobState, reason: string) => void,
): Promise<void> {
  for (const entry of await client.journal.pending()) {
    const { verdict, reason } = await client.journal.reconcile(entry);
    if (verdict === 'undecided') {
      report(entry, 'in-doubt', reason);
      continue;
    }
    report(entry, verdict === 'executed' ? 'paid' : 'try-again', reason);
    await client.journal.remove(entry, verdict);
  }
}
