import { inspect } from 'node:util';
import type { Middleware } from 'card-platform-sdk';

/** Tells what is called and what comes back, and counts the calls. */
export class Narrator {
  #calls = 0;
  #steps = 0;

  /** How many requests were sent. */
  get calls(): number {
    return this.#calls;
  }

  /** How many steps were told. */
  get steps(): number {
    return this.#steps;
  }

  /** Prints each request with its status. No credential and no value is in it. */
  readonly middleware: Middleware = async (request, next) => {
    this.#calls++;
    const answer = await next();
    console.log(`   ${request.method} ${request.route} -> ${answer.status}`);
  };

  /** Plays one step and prints its result; secrets print redacted. */
  async step<T>(title: string, play: () => Promise<T>): Promise<T> {
    this.#steps++;
    console.log(`${this.#steps}. ${title}`);
    const result = await play();
    console.log(`   ${show(result).replaceAll('\n', '\n   ')}`);
    return result;
  }
}

function show(result: unknown): string {
  if (result instanceof Error) return `${result.name}: ${result.message}`;
  return inspect(result, { depth: 1, breakLength: 100, maxArrayLength: 2 });
}

/** Stops the journey where it differs from what it expects. */
export function expect(condition: boolean, expectation: string): asserts condition {
  if (!condition) throw new Error(`expected ${expectation}`);
}
