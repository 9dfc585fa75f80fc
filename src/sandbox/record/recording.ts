import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UsageError } from '../command-line.js';
import { differencesOf } from './differences.js';
import type { Exchange } from './exchange.js';
import { fixtureOf, shownMethod } from './fixture.js';
import { Redaction } from './redact-value.js';
import { type CountedDifference, Report, type ReportData } from './report.js';

const HEADINGS: Readonly<Record<CountedDifference['kind'], string>> = {
  'unknown-endpoint': 'Unknown endpoints',
  'unknown-field': 'Unknown fields',
  'missing-field': 'Missing fields',
  'other-type': 'Other types',
  'other-value': 'Other values',
  'other-format': 'Other formats',
  'other-status': 'Other statuses',
  'unknown-refusal': 'Refusals in unknown words',
  'other-media-type': 'Other media types',
};

function row({ operation, side, path, message, count, first }: CountedDifference): string {
  const place = path === '' ? side : `${side}, \`${path}\``;
  return `| \`${operation}\` | ${place} | ${message} | ${count} | \`${first}\` |`;
}

function section(kind: CountedDifference['kind'], { differences }: ReportData): string[] {
  const rows = differences.filter((one) => one.kind === kind);
  if (rows.length === 0) return [];
  const head = [
    '| endpoint | where | difference | times | first |',
    '| --- | --- | --- | --- | --- |',
  ];
  return [`## ${HEADINGS[kind]}`, '', ...head, ...rows.map(row), ''];
}

/** Returns a report as Markdown. */
function reportText(data: ReportData): string {
  const { exchanges, broken, differences, operations, undocumented } = data;
  const kinds = Object.keys(HEADINGS) as CountedDifference['kind'][];
  const fields = Object.entries(undocumented);
  return [
    '# Recording',
    '',
    `${exchanges} exchanges, ${broken} calls without a complete response, ${differences.length} differences from the contract.`,
    '',
    ...kinds.flatMap((kind) => section(kind, data)),
    ...(fields.length === 0 ? [] : ['## Fields that the contract does not show', '']),
    ...fields.map(([id, names]) => `- \`${id}\`: ${names.map((name) => `\`${name}\``).join(', ')}`),
    ...(fields.length === 0 ? [] : ['']),
    '## Calls',
    '',
    ...Object.entries(operations).map(([id, count]) => `- \`${id}\`: ${count}`),
    '',
  ].join('\n');
}

/** The end of the name of a file that is not complete. */
export const PARTIAL = '.partial';

/**
 * Writes a file that nobody ever sees in part: under another name first, then renamed. Only the user
 * who runs the command can read it.
 */
export async function writeWhole(path: string, text: string): Promise<void> {
  const partial = `${path}${PARTIAL}`;
  try {
    await writeFile(partial, text, { mode: 0o600, flush: true });
    await rename(partial, path);
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

/** Removes the partial files of an interrupted recording, and refuses a folder with any other file. */
async function prepareFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files = await readdir(folder);
  const partial = files.filter((file) => file.endsWith(PARTIAL));
  if (files.length > partial.length) throw new UsageError('--out must be a new or empty folder');
  await Promise.all(partial.map((file) => rm(join(folder, file), { force: true })));
}

/** Writes exchanges as fixtures, one at a time, and the report after each of them. */
export class Recording {
  readonly #folder: string;
  readonly #log: (line: string) => void;
  readonly #redaction = new Redaction();
  readonly #report = new Report();
  #count = 0;
  #waiting = 0;
  #writing: Promise<void> = Promise.resolve();

  private constructor(folder: string, log: (line: string) => void) {
    this.#folder = folder;
    this.#log = log;
  }

  /**
   * Starts a recording in a new or empty folder.
   *
   * @throws UsageError when the folder has files
   */
  static async start(folder: string, log: (line: string) => void): Promise<Recording> {
    await prepareFolder(folder);
    return new Recording(folder, log);
  }

  /** Adds an exchange. Exchanges are written in the order in which they are added. */
  add(exchange: Exchange): void {
    this.#enqueue(() => this.#write(exchange));
  }

  /** Adds a call that got no complete response. */
  addBroken(): void {
    this.#report.addBroken();
    this.#enqueue(async () => {});
  }

  /** Waits until everything is written. Returns how many differences there are. */
  async finish(): Promise<number> {
    // A recording without a call has a report too.
    this.#enqueue(async () => {});
    await this.#writing;
    return this.#report.data.differences.length;
  }

  #enqueue(task: () => Promise<void>): void {
    this.#waiting++;
    const run = async () => {
      this.#waiting--;
      await task();
      // While more exchanges wait, the report would be replaced at once.
      if (this.#waiting === 0) await this.#writeReport();
    };
    this.#writing = this.#writing.then(run).catch((error: unknown) => {
      // The message may quote the exchange, so only the code of the system is shown.
      const { code } = error as { code?: unknown };
      const reason = typeof code === 'string' && /^[A-Z_]{2,40}$/.test(code) ? code : 'an error';
      this.#log(`an exchange or the report was not written: ${reason}`);
    });
  }

  async #write(exchange: Exchange): Promise<void> {
    const { route, response } = exchange;
    // The first reading finds the secrets, so that the second replaces each of them everywhere.
    fixtureOf(exchange, this.#redaction);
    const fixture = fixtureOf(exchange, this.#redaction);
    const differences = differencesOf(exchange, this.#redaction);
    this.#count++;
    const number = String(this.#count).padStart(4, '0');
    const name = route?.endpoint.id ?? 'unknown';
    const file = `${number}-${name}-${response.status}.json`;
    await writeWhole(join(this.#folder, file), `${JSON.stringify(fixture, null, 2)}\n`);
    this.#report.add(exchange, differences, file, this.#redaction);
    const target = `${shownMethod(exchange.method)} ${fixture.request.path} ${response.status}`;
    this.#log(
      `${number} ${target}${differences.length > 0 ? `, differs: ${differences.length}` : ''}`,
    );
  }

  async #writeReport(): Promise<void> {
    const { data } = this.#report;
    await writeWhole(join(this.#folder, 'report.json'), `${JSON.stringify(data, null, 2)}\n`);
    await writeWhole(join(this.#folder, 'report.md'), reportText(data));
  }
}
