import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isObject } from '../../contract/formats/is-object.js';
import {
  errorResponse,
  fieldErrors,
  type MockResponse,
  ok,
  textOf,
  withCard,
} from '../behaviour.js';
import { filterTransactions } from '../behaviours/card.js';
import type { MockCardTransaction } from '../state.js';
import type { ObservedBehaviours, ObservedCall } from './observed-call.js';

/** The columns, and the field of a transaction that each one shows. */
const COLUMNS = {
  Timestamp: 'dateTime',
  Merchant: 'merchantNameLocation',
  'Merchant Type': 'merchantType',
  'Original Currency': 'originalCurrency',
  'Original Amount': 'amountInOriginalCurrency',
  'Transaction Currency': 'transactionCurrency',
  'Transaction Amount': 'amountInTransactionCurrency',
};

const FUNDING_COLUMNS = { 'Funding Tokens': 'currency', 'Funding Addresses': 'address' };

const asText = (value: unknown) => (value === undefined || value === null ? '' : String(value));

function cellsOf(transaction: MockCardTransaction): string[] {
  const { fundingSources } = transaction;
  const sources = Array.isArray(fundingSources) ? fundingSources.filter(isObject) : [];
  const joined = (field: string) => sources.map((one) => asText(one[field])).join(';');
  const own = Object.values(COLUMNS).map((field) => asText(transaction[field]));
  return [...own, ...Object.values(FUNDING_COLUMNS).map(joined)];
}

/** Quotes a cell that has a comma, a quotation mark or a line break. */
const csvCell = (text: string) =>
  /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

/** Returns a statement as CSV: a line of names, and one for each transaction. */
function statementCsv(transactions: readonly MockCardTransaction[]): Uint8Array {
  const names = Object.keys({ ...COLUMNS, ...FUNDING_COLUMNS });
  const lines = [names, ...transactions.map(cellsOf)].map((cells) => cells.map(csvCell).join(','));
  return utf8ToBytes(`${lines.join('\r\n')}\r\n`);
}

/** Replaces the characters that the standard fonts of PDF do not have. */
const pdfText = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\()]/g, (character) => `\\${character}`);

/** Returns a statement as a PDF of one page. */
function statementPdf(transactions: readonly MockCardTransaction[]): Uint8Array {
  const lines = ['Statement', ...transactions.map((one) => cellsOf(one).join('  '))];
  const shown = lines.map((line) => `(${pdfText(line)}) Tj T*`).join('\n');
  const content = `BT /F1 8 Tf 10 TL 20 570 Td\n${shown}\nET`;
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 842 595] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>',
  ];
  let file = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const offset = file.length;
    file += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return `${String(offset).padStart(10, '0')} 00000 n \n`;
  });
  const size = objects.length + 1;
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${offsets.join('')}`;
  const end = `trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${file.length}\n%%EOF\n`;
  return utf8ToBytes(file + table + end);
}

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
export const observedCardBehaviours: ObservedBehaviours = {
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
