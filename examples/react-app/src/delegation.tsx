import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useLimit } from './delegate.js';
import type { User } from './platform.js';

export function Delegation({ user }: { user: User }) {
  const { client, queries } = user;
  const queryClient = useQueryClient();
  const limit = useLimit(client);
  const wallets = useQuery(queries.wallets.external.list());

  async function start(form: FormData): Promise<void> {
    await limit.press(String(form.get('limit')));
    await queryClient.invalidateQueries(queries.within('wallets.external'));
  }

  async function startAgain(form: FormData): Promise<void> {
    await limit.startAgain(String(form.get('limit')));
    await queryClient.invalidateQueries(queries.within('wallets.external'));
  }

  return (
    <section className="panel" aria-labelledby="delegation">
      <h2 id="delegation">Pay from your own wallet</h2>
      <ul>
        {wallets.data?.map(({ address, network, currency, allowance }) => (
          <li key={`${address} ${network} ${currency}`}>
            {address}: up to {allowance} {currency} on {network}
          </li>
        ))}
      </ul>
      <form action={start}>
        <label className="field">
          Spending limit in USDC
          <input name="limit" inputMode="decimal" required />
        </label>
        <button type="submit" className="main" disabled={limit.isRunning}>
          {limit.label}
        </button>
        {limit.isForUserToSay && (
          <button type="submit" formAction={startAgain}>
            I looked: nothing was sent
          </button>
        )}
      </form>
      <p role="status" className="status-line">
        {limit.message}
      </p>
    </section>
  );
}
