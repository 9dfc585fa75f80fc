import { inspect } from 'node:util';
import { isCardPlatformError } from '../../src/errors/index.js';
import { nextStepOf, outcomeOf } from '../../src/transport/outcome/outcome-of-error.js';
import type { Random } from '../engine/random.js';
import { choicesOf, mostRequests } from '../world/choices.js';
import { limitOf } from '../world/entries.js';
import type { Call, Intention } from '../world/ledger.js';
import { CALL_HEADER } from '../world/network.js';
import type { Process } from '../world/process.js';
import type { World } from '../world/world.js';

/** The options of a call that every application passes. */
export type CallOptions = {
  headers: Record<string, string>;
  totalTimeout?: number;
  signal: AbortSignal;
};

/** Starts one call with these options. */
export type Invoke = (options: CallOptions, call: Call) => PromiseLike<unknown>;

/** How a call ended. */
export type Ended = { call: Call; error?: unknown; result?: unknown };

/** Everything that a program might print for a value. */
export function showValue(world: World, where: string, value: unknown): void {
  const { message = '', stack = '' } = Object(value) as { message?: string; stack?: string };
  world.show(`message of ${where}`, `${message}\n${stack}`);
  world.show(`printout of ${where}`, inspect(value, { depth: 8 }));
  world.show(`JSON of ${where}`, JSON.stringify(value) ?? '');
}

function newCall(
  world: World,
  process: Process,
  intention: Intention,
  hasJournal: boolean,
): { call: Call; limit: number | undefined } {
  const { ledger } = world;
  const { length: id } = ledger.calls;
  const choices = choicesOf(world, process.machine);
  const started = {
    id,
    intention,
    process,
    startedAt: world.now,
    hasJournal,
    mayLackEntry: choices.journal === 'sends-without-entry',
    mostRequests: mostRequests(choices),
    startedInCalm: world.isCalm,
    sent: 0,
    sentToProxy: 0,
    repeatedToProxy: 0,
    refusedTokens: 0,
    processed: 0,
    effects: 0,
    successes: 0,
    hasSuccess: false,
    lastStatus: undefined,
    outcome: undefined,
    mayShareError: false,
    abortedAt: undefined,
    entryId: undefined,
    isFound: false,
    handler: undefined,
  } satisfies Omit<Call, 'endsBy'>;
  const limit = ledger.entries.limitFor(started);
  const call: Call = { ...started, endsBy: world.now + limitOf(limit, choices) };
  if (hasJournal && limit === undefined) ledger.entries.expect(call);
  ledger.calls.push(call);
  intention.calls.push(call);
  ledger.running.add(call);
  return { call, limit };
}

/** The values of applications that a call has rejected with. */
const foreignErrors = new WeakSet<object>();

function mayShareError(
  { ledger }: World,
  process: Process,
  error: unknown,
  signal: AbortSignal,
): boolean {
  if (typeof error !== 'object' || error === null) return false;
  if (isCardPlatformError(error) || error === signal.reason) return false;
  const isShared = foreignErrors.has(error);
  foreignErrors.add(error);
  return isShared || [...ledger.running].some((other) => other.process === process);
}

/** Makes a call, and lets the invariants judge its result. Never resolves if the process dies. */
export function makeCall(
  world: World,
  process: Process,
  intention: Intention,
  random: Random,
  {
    hasJournal,
    invoke,
    canAbort = true,
  }: { hasJournal: boolean; invoke: Invoke; canAbort?: boolean },
): Promise<Ended> {
  const { call, limit } = newCall(world, process, intention, hasJournal);
  process.onCall();
  const controller = new AbortController();
  const { signal } = controller;
  if (canAbort && random.chance(0.04 * (1 + world.intensity)) && world.faults.allows('abort')) {
    world.scheduler.after(random.pick([0, 20, 80, 500, 9_000]), process, () => {
      if (!world.ledger.running.has(call) || !world.faults.take('abort')) return;
      call.abortedAt = world.now;
      controller.abort(new Error('the user left'));
    });
  }
  const options = {
    headers: { [CALL_HEADER]: String(call.id) },
    ...(limit !== undefined && { totalTimeout: limit }),
    signal,
  };
  world.note(`${process.name} call ${call.id} ${intention.operation.id} of ${intention.id}`);
  return new Promise((resolve) => {
    const end = (ended: Omit<Ended, 'call'>) => {
      if (!process.isAlive) return;
      world.ledger.running.delete(call);
      call.outcome = 'error' in ended ? outcomeOf(ended.error) : 'executed';
      call.mayShareError = mayShareError(world, process, ended.error, signal);
      const { code = '' } = Object(ended.error) as { code?: string };
      world.note(`${process.name} ended ${call.id} ${call.outcome} ${String(code)}`);
      const { error, result } = ended;
      if ('error' in ended) showValue(world, `the error of ${intention.operation.id}`, error);
      world.happen({ kind: 'ended', call, error, result, signal });
      resolve({ call, ...ended });
    };
    const started = (async () => invoke(options, call))();
    started.then(
      (result) => end({ result }),
      (error: unknown) => end({ error }),
    );
  });
}

/**
 * Repeats the call until it succeeds, or until its error shows that another call would do harm or
 * would not help.
 */
export async function pursue(
  world: World,
  process: Process,
  intention: Intention,
  random: Random,
  options: { hasJournal: boolean; invoke: Invoke },
): Promise<Ended> {
  for (let tries = 1; ; tries++) {
    const ended = await makeCall(world, process, intention, random, options);
    if (!('error' in ended) || nextStepOf(ended.error) !== 'retry' || tries === 3) return ended;
    await world.scheduler.sleep(random.between(200, 20_000), process);
  }
}

/** Calls the method of a client that an operation is named after. */
export function invokeOn(client: object, { operation, input }: Intention): Invoke {
  return (options) => {
    const names = operation.id.split('.');
    const method = names.pop() ?? '';
    const resource = names.reduce((node, name) => Reflect.get(node, name) as object, client);
    const run = Reflect.get(resource, method) as (...given: unknown[]) => PromiseLike<unknown>;
    return run.apply(resource, input === undefined ? [options] : [input, options]);
  };
}
