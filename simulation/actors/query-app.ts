import { MutationObserver, QueryClient } from '@tanstack/query-core';
import { CardPlatformClient } from '../../src/client.js';
import { createQueries } from '../../src/query/index.js';
import type { MockUser } from '../../src/testing/state.js';
import type { Random } from '../engine/random.js';
import type { Intention } from '../world/ledger.js';
import { CALL_HEADER } from '../world/network.js';
import { drawOperation } from '../world/operations.js';
import { noteToken } from '../world/platform.js';
import { Machine, type Process } from '../world/process.js';
import type { World } from '../world/world.js';
import { keepRunning, repeat } from './actor.js';
import { type CallOptions, makeCall } from './call.js';
import { clientOptions } from './client-options.js';
import { addUsUser } from './us-user.js';

type Options = { queryKey?: unknown; mutationKey?: unknown };
type MakeOptions = (input?: unknown) => Options;

/** A React-like app whose library retries by default. */
class QueryApp {
  readonly #world: World;
  readonly #process: Process;
  readonly #random: Random;
  readonly #user: MockUser;
  readonly #queryClient = new QueryClient({
    defaultOptions: { mutations: { retry: 3, retryDelay: 400 }, queries: { retry: 2 } },
  });
  readonly #settings: ReturnType<typeof clientOptions>;
  #token: string;

  constructor(world: World, process: Process, random: Random, user: MockUser) {
    this.#world = world;
    this.#process = process;
    this.#random = random;
    this.#user = user;
    this.#settings = clientOptions(world, process, random);
    this.#token = this.#newToken();
    process.isIdleBetweenCalls = true;
    process.onEnd(() => this.#queryClient.clear());
    repeat(world, process, random, 100, () => this.#act());
  }

  #newToken(): string {
    return noteToken(this.#world, this.#world.mock.accessTokenFor(this.#user), this.#user);
  }

  /** A client for one call, because the options of a query take no header. */
  #clientFor({ headers }: CallOptions): CardPlatformClient {
    return new CardPlatformClient({
      ...this.#settings,
      accessToken: ({ reason }) => {
        if (reason === 'rejected') this.#token = this.#newToken();
        return this.#token;
      },
      middleware: [
        ...(this.#settings.middleware ?? []),
        (_, next) => next({ headers: { [CALL_HEADER]: headers[CALL_HEADER] } }),
      ],
    });
  }

  async #act(): Promise<void> {
    const { mock, ledger } = this.#world;
    const operation = drawOperation(this.#random);
    const user = mock.users.get(this.#user.id);
    const input = operation.input(user, this.#random, mock.state);
    if (input === null || operation.isServerOnly) return;
    const intention = ledger.newIntention(user, operation, input);
    await makeCall(this.#world, this.#process, intention, this.#random, {
      hasJournal: false,
      // A mutation of the library has no signal.
      canAbort: false,
      invoke: (options) => this.#run(intention, options),
    });
  }

  async #run({ operation, input }: Intention, options: CallOptions): Promise<unknown> {
    const { id: user, environment: region } = this.#user;
    const queries = createQueries({ client: this.#clientFor(options), user, region });
    const names = operation.id.split('.');
    const make = names.reduce((node, name) => Reflect.get(node, name) as object, queries as object);
    const made = (make as MakeOptions)(input);
    const queryClient = this.#queryClient;
    if (made.queryKey !== undefined) {
      return queryClient.fetchQuery({ ...made, staleTime: 0 } as never);
    }
    const observer = new MutationObserver(queryClient, made as never);
    return observer.mutate(input as never);
  }
}

/** An app that calls through the options for TanStack Query. */
export function startQueryApp(world: World): void {
  const user = addUsUser(world);
  keepRunning(world, new Machine('query-app'), 'query', (process, random) => {
    new QueryApp(world, process, random, user);
  });
}
