import { errorResponse, fieldErrors, type MockResponse, ok, textOf } from '../behaviour.js';
import { withCard } from '../behaviours/guards.js';
import { filterTransactions } from '../card-transactions.js';
import type { ObservedBehaviours, ObservedCall } from './observed-call.js';
import { statementCsv, statementPdf } from './statement.js';

const PDF = 'application/pdf';
const CSV = 'text/csv';

/** Returns the type that a request names first; CSV when it names none. */
function requestedType(headers: Headers): typeof PDF | typeof CSV {
  const named = headers.get('accept') ?? '';
  const [pdf, csv] = [named.indexOf(PDF), named.indexOf(CSV)];
  return pdf >= 0 && (csv < 0 || pdf < csv) ? PDF : CSV;
}

/** Returns the refusal of a period of which only one end is named, or that ends before it begins. */
function refusedPeriod({ input }: ObservedCall): MockResponse | undefined {
  const { dateFrom, dateTo } = input;
  if ((dateFrom === undefined) !== (dateTo === undefined)) {
    const field = dateFrom === undefined ? 'dateFrom' : 'dateTo';
    return fieldErrors({ field, message: 'is required with the other date' });
  }
  if (String(dateFrom) <= String(dateTo)) return undefined;
  return fieldErrors({ field: 'dateTo', message: 'must not be before dateFrom' });
}

/** Runs a behaviour for an active card. Only active cards can be added to a phone. */
const withActiveCard = (behaviour: (call: ObservedCall) => MockResponse) =>
  withCard((call: ObservedCall, { status }) =>
    status === 'ACTIVE' ? behaviour(call) : errorResponse(400, `Card is ${status.toLowerCase()}`),
  );

/** The statement of a card, and the data for adding it to a phone. */
export const cardBehaviours: ObservedBehaviours = {
  'card.statement': withCard((call) => {
    const { user, input, headers } = call;
    const refusal = refusedPeriod(call);
    if (refusal !== undefined) return refusal;
    const { dateFrom, dateTo } = input;
    const rows = filterTransactions(user.cardTransactions, { dateFrom, dateTo });
    const type = requestedType(headers);
    const period = dateFrom === undefined ? '' : `-${dateFrom}-${dateTo}`;
    const name = `statement${period}.${type === PDF ? 'pdf' : 'csv'}`;
    return {
      status: 200,
      body: type === PDF ? statementPdf(rows) : statementCsv(rows),
      headers: {
        'content-type': type === PDF ? PDF : `${CSV}; charset=utf-8`,
        'content-disposition': `attachment; filename="${name}"`,
        'cache-control': 'no-store',
      },
    };
  }),

  'card.provisioning.apple': withActiveCard((call) => {
    const { ids, observed, state } = call;
    const nonce = textOf(call, 'nonce');
    if (observed.usedNonces.includes(nonce)) return errorResponse(400, 'nonce was already used');
    observed.usedNonces.push(nonce);
    const data = {
      encryptedPassData: ids.hex(64),
      activationData: ids.hex(64),
      ephemeralPublicKey: ids.hex(66),
    };
    return ok(state.choices.provisioningBody === 'data' ? { success: true, data } : data);
  }),

  'card.provisioning.google': withActiveCard(({ ids }) =>
    ok({ success: true, data: { opaquePaymentCard: ids.hex(64) } }),
  ),
};
