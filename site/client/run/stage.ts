import type { MockPlatform } from 'card-platform-sdk/testing';
import { ENDPOINTS } from '../../../src/contract/endpoints.js';

/** The events that can happen right before a request. */
export const EVENTS = {
  'lose the response': (mock: MockPlatform) => mock.drop('*', 'after-processing'),
  'fail with 503': (mock: MockPlatform) => mock.fail('*', 503),
  'let six hours pass': (mock: MockPlatform) => mock.advance('6 hours'),
  'freeze the card': (mock: MockPlatform) => {
    for (const { card } of mock.users) if (card !== null) card.status = 'FROZEN';
  },
} satisfies Record<string, (mock: MockPlatform) => void>;

export type EventName = keyof typeof EVENTS;

/** A request that left the client. */
export type SentRequest = {
  method: string;
  path: string;
  operation: string | undefined;
  /** `undefined` when no response arrived. */
  status: number | undefined;
  /** What the client knows about the effect of this request; `undefined` if no client judged it. */
  outcome: string | undefined;
};

/** The lines that a client logs, of which the stage reads three fields. */
type LogLine = {
  operation: string;
  status?: number | undefined;
  outcome?: string | undefined;
};
type Logger = { debug(line: LogLine, text: string): void; warn(line: LogLine, text: string): void };

/** Watches the requests of one run, and lets one event happen. */
export class Stage {
  readonly requests: SentRequest[] = [];
  #isWatching = false;

  constructor(readonly event?: { name: EventName; before: number } | undefined) {}

  /** Starts watching. The code that the reader runs starts right after this. */
  watch(): void {
    this.#isWatching = true;
  }

  /** Replaces the `fetch` of a platform by one that is watched. */
  join(mock: MockPlatform): void {
    const send = mock.fetch;
    const watched: typeof send = async (input, init) => {
      if (!this.#isWatching) return send(input, init);
      const request = new Request(input, init);
      const sent: SentRequest = {
        method: request.method,
        path: new URL(request.url).pathname,
        operation: undefined,
        status: undefined,
        outcome: undefined,
      };
      this.requests.push(sent);
      if (this.event?.before === this.requests.length) EVENTS[this.event.name](mock);
      const received = mock.requests.length;
      try {
        const response = await send(request);
        sent.status = response.status;
        // A client logs no line for the 401 after which it renews the token.
        if (response.status === 401) sent.outcome = 'rejected';
        return response;
      } finally {
        sent.operation = mock.requests[received]?.operation;
      }
    };
    Object.defineProperty(mock, 'fetch', { value: watched });
  }

  /** Returns a logger that records the outcome of each request, and passes the lines on. */
  logger(own: Logger | undefined): Logger {
    const note = ({ operation, status }: LogLine, outcome: string | undefined) => {
      const sent = this.requests.find(
        (one) => one.outcome === undefined && one.operation === operation && one.status === status,
      );
      if (sent !== undefined) sent.outcome = outcome;
    };
    return {
      debug: (line, text) => {
        note(line, 'succeeded');
        own?.debug(line, text);
      },
      warn: (line, text) => {
        note(line, line.outcome);
        own?.warn(line, text);
      },
    };
  }

  /** The number of the first request that is not a read: by default, an event applies to it. */
  get mainRequest(): number {
    const isRead = ({ operation }: SentRequest) =>
      ENDPOINTS.find(({ id }) => id === operation)?.retry.class === 'safe';
    return (
      Math.max(
        0,
        this.requests.findIndex((one) => !isRead(one)),
      ) + 1
    );
  }
}

let current = new Stage();

/** The stage of the run in progress. */
export const currentStage = () => current;

/** Sets the stage of the next run. */
export function enter(stage: Stage): void {
  current = stage;
}
