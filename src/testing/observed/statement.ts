import { utf8ToBytes } from '@noble/hashes/utils.js';
import { isObject } from '../../contract/formats/is-object.js';
import type { MockCardTransaction } from '../state.js';

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
export function statementCsv(transactions: readonly MockCardTransaction[]): Uint8Array {
  const names = Object.keys({ ...COLUMNS, ...FUNDING_COLUMNS });
  const lines = [names, ...transactions.map(cellsOf)].map((cells) => cells.map(csvCell).join(','));
  return utf8ToBytes(`${lines.join('\r\n')}\r\n`);
}

/** Replaces the characters that the standard fonts of PDF do not have. */
const pdfText = (text: string) =>
  text.replace(/[^\x20-\x7e]/g, '?').replace(/[\\()]/g, (character) => `\\${character}`);

/** Returns a statement as a PDF of one page. */
export function statementPdf(transactions: readonly MockCardTransaction[]): Uint8Array {
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
