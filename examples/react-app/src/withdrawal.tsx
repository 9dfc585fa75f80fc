import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useOpenWithdrawals } from './open-withdrawals.js';
import type { User } from './platform.js';
import { sentenceFor } from './sentences.js';

export function Withdrawal({ user }: { user: User }) {
  const { queries } = user;
  const queryClient = useQueryClient();
  const open = useOpenWithdrawals(user);
  const { mutate, data, error, isPending } = useMutation({
    ...queries.wallets.credit.withdraw(),
    onSettled: () =>
      Promise.all([queryClient.invalidateQueries(queries.within('wallets')), open.refetch()]),
  });
  // A second withdrawal could pay twice while the outcome of the first one is not known.
  const isLocked = isPending || open.data === undefined || open.data.length > 0;
  return (
    <section className="panel" aria-labelledby="withdrawal">
      <h2 id="withdrawal">Withdraw</h2>
      <form action={(form) => mutate({ amount: String(form.get('amount')) })}>
        <label className="field">
          Amount
          <input name="amount" inputMode="decimal" required />
        </label>
        <button type="submit" className="main" disabled={isLocked}>
          Withdraw
        </button>
      </form>
      <p role="status" className="status-line">
        {isPending && 'Your withdrawal is on its way…'}
        {data && 'Your withdrawal was made.'}
        {error && sentenceFor(error)}
        {open.isError &&
          open.data === undefined &&
          'We cannot look up your earlier withdrawals now, so please wait before you make one.'}
      </p>
    </section>
  );
}
