import { isObject } from '../../contract/formats/is-object.js';
import type { Exchange } from './exchange.js';
import type { Difference } from './finding.js';
import type { Redaction } from './redact-value.js';

/** A difference, how often it occurred, and the fixture that shows it first. */
export type CountedDifference = Difference & { count: number; first: string };

/** The results of a recording, as data. */
export type ReportData = {
  version: 1;
  exchanges: number;
  /** Calls that got no complete response, and have no fixture. */
  broken: number;
  /** How often each endpoint of the contract was called. */
  operations: Record<string, number>;
  differences: CountedDifference[];
  /** The fields in responses of endpoints whose responses the contract does not show. */
  undocumented: Record<string, string[]>;
};

/** The names of the fields of an object, or of the objects in a list. */
function fieldNames(value: unknown, redaction: Redaction): string[] {
  const objects = (Array.isArray(value) ? value : [value]).filter(isObject);
  return [...new Set(objects.flatMap(Object.keys))].map((name) => redaction.name(name));
}

/** A limit, because where keys are ids, every response has new fields. */
const MOST_DIFFERENCES = 1_000;

/** Collects the differences of a recording. */
export class Report {
  readonly #byKey = new Map<string, CountedDifference>();
  readonly #data: ReportData = {
    version: 1,
    exchanges: 0,
    broken: 0,
    operations: {},
    differences: [],
    undocumented: {},
  };

  /** Adds an exchange and its differences. */
  add(exchange: Exchange, found: readonly Difference[], file: string, redaction: Redaction): void {
    this.#data.exchanges++;
    for (const difference of found) this.#count(difference, file);
    const { route, response } = exchange;
    if (route === undefined) return;
    const { id, responses, stability } = route.endpoint;
    this.#data.operations[id] = (this.#data.operations[id] ?? 0) + 1;
    const isDocumented = stability === 'contract' || responses[response.status] === undefined;
    if (isDocumented || response.body.kind !== 'json') return;
    const names = fieldNames(response.body.json, redaction);
    if (names.length === 0) return;
    const seen = this.#data.undocumented[id] ?? [];
    this.#data.undocumented[id] = [...new Set([...seen, ...names])].slice(0, MOST_DIFFERENCES);
  }

  /** Counts a call that got no complete response. */
  addBroken(): void {
    this.#data.broken++;
  }

  #count(difference: Difference, first: string): void {
    const { kind, side, operation, path, message } = difference;
    const key = [kind, side, operation, path, message].join('\n');
    const known = this.#byKey.get(key);
    if (known !== undefined) {
      known.count++;
    } else if (this.#byKey.size < MOST_DIFFERENCES) {
      const counted = { ...difference, count: 1, first };
      this.#byKey.set(key, counted);
      this.#data.differences.push(counted);
    }
  }

  /** A copy of the results so far. */
  get data(): ReportData {
    return structuredClone(this.#data);
  }
}
