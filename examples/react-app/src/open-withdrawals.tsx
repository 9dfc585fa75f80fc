import { useMutation, useQuery } from '@tanstack/react-query';
import type { JournalEntry, JournalVerdict } from 'card-platform-sdk';
import type { User } from './platform.js';
import { LOST_RECORD, sentenceOf } from './sentences.js';

type OpenWithdrawal = { entry: JournalEntry; verdict: JournalVerdict };

/** Milliseconds between two look-ups of a withdrawal that is not decided. */
const LOOK_AGAIN_AFTER = 60_000;

/** Whether the browser has lost what this entry recorded. Only the user can know what was made. */
const isLost = ({ operation }: JournalEntry) => operation === 'unreadable';

/** Looks up whether the user's withdrawals were made when their response was lost. */
async function lookUp({ client: { journal }, userId }: User): Promise<OpenWithdrawal[]> {
  const entries = (await journal.pending()).filter(
    (entry) =>
      isLost(entry) || (entry.operation === 'wallets.credit.withdraw' && entry.user === userId),
  );
  return Promise.all(
    entries.map(async (entry) => {
      try {
        return { entry, verdict: (await journal.reconcile(entry)).verdict };
      } catch {
        // The reads failed, for example because the browser is offline.
        return { entry, verdict: 'undecided' };
      }
    }),
  );
}

export function useOpenWithdrawals(user: User) {
  return useQuery({
    queryKey: ['open withdrawals', user.userId],
    queryFn: () => lookUp(user),
    // The entries are on this device.
    networkMode: 'always',
    // The code of the journal is loaded when it is first used, which fails while the browser is offline.
    refetchOnReconnect: true,
    refetchInterval: ({ state: { data = [] } }) =>
      data.some(({ verdict }) => verdict === 'undecided') && LOOK_AGAIN_AFTER,
  });
}

/** Shows the withdrawals whose response was lost, and whether they were made. */
export function OpenWithdrawals({ user }: { user: User }) {
  const { data = [], refetch, isFetching } = useOpenWithdrawals(user);
  // Removed only after the user has read the result.
  const remove = useMutation({
    mutationFn: ({ entry, verdict }: OpenWithdrawal) => user.client.journal.remove(entry, verdict),
    networkMode: 'always',
    onSettled: () => refetch(),
  });
  if (data.length === 0) return null;
  return (
    <section className="panel" aria-labelledby="open">
      <h2 id="open">Not finished</h2>
      {data.map(({ entry, verdict }) => (
        <div key={entry.id}>
          <p role="status">
            {isLost(entry) ? LOST_RECORD : sentenceOf(verdict, entry.details['amount'] ?? '')}
          </p>
          {verdict === 'undecided' && !isLost(entry) ? (
            <button type="button" disabled={isFetching} onClick={() => refetch()}>
              Check now
            </button>
          ) : (
            <button type="button" onClick={() => remove.mutate({ entry, verdict })}>
              OK
            </button>
          )}
        </div>
      ))}
    </section>
  );
}
