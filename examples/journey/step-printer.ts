import { inspect } from 'node:util';
import type { Middleware } from 'card-platform-sdk';

/** Prints each step with its requests and its result, and counts them. */
export class StepPrinter {
  #calls = 0;
  #steps = 0;

  /** Number of requests sent. */
  get calls(): number {
    return this.#calls;
  }

  /** Number of steps run. */
  get steps(): number {
    return this.#steps;
  }

  /** Prints each request with its status, without credentials and values. */
  readonly middleware: Middleware = async (request, next) => {
    this.#calls++;
    const response = await next();
    console.log(`   ${request.method} ${request.route} -> ${response.status}`);
  };

  /** Runs one step and prints its result. Secrets print redacted. */
  async step<T>(title: string, run: () => Promise<T>): Promise<T> {
    this.#steps++;
    console.log(`${this.#steps}. ${title}`);
    const result = await run();
    console.log(`   ${show(result).replaceAll('\n', '\n   ')}`);
    return result;
  }
}

function show(result: unknown): string {
  if (result instanceof Error) return `${result.name}: ${result.message}`;
  return inspect(result, { depth: 1, breakLength: 100, maxArrayLength: 2 });
}

/** Stops the journey when a condition does not hold. */
export function expect(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Error(`expected ${expectation}`);
}
