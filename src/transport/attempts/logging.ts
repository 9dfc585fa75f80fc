import type { Outcome } from '../../errors/index.js';

/** The fields logged for an attempt; nothing else is ever logged. */
export type LogFields = {
  /** Endpoint id. */
  operation: string;
  method: string;
  /** Path template, without values. */
  route: string;
  /** 1 for the first. */
  attempt: number;
  durationMs: number;
  status?: number | undefined;
  requestId?: string | undefined;
  outcome?: Outcome | undefined;
  /** Wait before the next attempt, in milliseconds. */
  retryInMs?: number | undefined;
};

/** Receives log lines; `console` and pino fit. Its own errors and rejections are ignored. */
export type Logger = {
  /** An attempt got a usable response. */
  debug(fields: LogFields, message: string): void;
  /** An attempt failed or was refused. */
  warn(fields: LogFields, message: string): void;
};
