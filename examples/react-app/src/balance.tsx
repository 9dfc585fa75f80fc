import { useQuery } from '@tanstack/react-query';
import type { User } from './platform.js';
import { sentenceFor } from './sentences.js';

export function Balance({ user: { queries } }: { user: User }) {
  const wallet = useQuery(queries.wallets.credit.get());
  const card = useQuery({ ...queries.card.status(), select: ({ status }) => status });
  return (
    <section className="panel" aria-labelledby="balance">
      <h2 id="balance">Balance</h2>
      <p>{wallet.data ? `${wallet.data.balance} ${wallet.data.currency}` : '…'}</p>
      <p>Card: {card.data ?? '…'}</p>
      <p role="status" className="status-line">
        {wallet.error && sentenceFor(wallet.error)}
      </p>
    </section>
  );
}
