import { useQuery, useQueryClient } from '@tanstack/react-query';
import { delegate, useDelegationProgress } from './delegate.js';
import type { User } from './platform.js';

export function Delegation({ user }: { user: User }) {
  const { client, queries } = user;
  const queryClient = useQueryClient();
  const progress = useDelegationProgress();
  const wallets = useQuery(queries.wallets.external.list());

  async function start(form: FormData): Promise<void> {
    await delegate(client, String(form.get('limit')));
    await queryClient.invalidateQueries(queries.within('wallets.external'));
  }

  return (
    <section aria-labelledby="delegation">
      <h2 id="delegation">Pay from your own wallet</h2>
      <ul>
        {wallets.data?.map(({ address, network, currency, allowance }) => (
          <li key={`${address} ${network} ${currency}`}>
            {address}: up to {allowance} {currency} on {network}
          </li>
        ))}
      </ul>
      <form action={start}>
        <label>
          Spending limit in USDC
          <input name="limit" inputMode="decimal" required />
        </label>
        <button type="submit">Approve</button>
      </form>
      <p role="status">{progress}</p>
    </section>
  );
}
