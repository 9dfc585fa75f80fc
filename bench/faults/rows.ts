import {
  FAULTS,
  type Fault,
  type FaultName,
  sendResponse,
} from '../../test/faults/fault-server.js';
import { TLS_FAULTS } from '../../test/faults/tls-fault-server.js';
import * as scenes from './scenes.js';

/** One fault, with its name in the published table. */
export type Row = {
  label: string;
  open: scenes.OpenScene;
  /** Whether the response says that the request was carried out. */
  wasExecuted?: boolean;
  /** Whether the response says that the request was refused, with a success status. */
  wasRefused?: boolean;
};

const after = (label: string, fault: Fault): Row => ({ label, open: scenes.serverThat(fault) });
const named = (label: string, name: FaultName): Row => after(label, FAULTS[name]);

const EXECUTED = 'Withdrawal executed, but: Notification service is not configured';
const withMessage = (message: string) => JSON.stringify({ message, error: { message } });

/** An error in a form that every one of the services uses. */
const status = (code: number, message: string, ...headers: string[]): Fault =>
  sendResponse(code, withMessage(message), 'content-type: application/json', ...headers);

/** A refusal with a success status, in words that services and the gateways before them use. */
const refusal = (body: object): Row => ({
  ...after(`200 with \`${JSON.stringify(body)}\``, sendResponse(200, JSON.stringify(body))),
  wasRefused: true,
});

const redirect = (status: number): Row => ({
  label: `${status} to another origin`,
  open: scenes.redirectElsewhere(status),
});

/** Every fault that `npm run faults:peers` plays, in the order of the table. */
export const ROWS: readonly Row[] = [
  { label: 'Connection refused', open: scenes.refusedConnection },
  { label: 'TLS certificate that is not trusted', open: scenes.untrustedServer },
  { label: 'TLS alert after the request', open: scenes.tlsServerThat(TLS_FAULTS.alert) },
  {
    label: 'Plain bytes on the TLS connection after the request',
    open: scenes.tlsServerThat(TLS_FAULTS['plain bytes']),
  },
  named('Connection reset after the request', 'reset'),
  named('Connection closed after the request', 'close'),
  named('Half a status line, then closed', 'half a status line'),
  named('Bytes that are not HTTP', 'garbage'),
  named('No response at all', 'stall'),
  named('200, the body stalls', 'body stalls'),
  named('500, the body stalls', 'error body stalls'),
  named('200, the body drips', 'body drips'),
  named('200, reset within the body', 'body breaks'),
  named('500, reset within the body', '500 body breaks'),
  named('200, closed between chunks', 'chunks break'),
  named('200 with truncated JSON', 'truncated JSON'),
  named('200 with HTML', 'HTML with 200'),
  named('200 with HTML labelled as JSON', 'HTML as JSON'),
  named('200 with an empty body', 'an empty body'),
  named('200 with `null`', 'null'),
  after('200 with `{}`', sendResponse(200, '{}')),
  after('204', sendResponse(204, '')),
  refusal({ success: false }),
  refusal({ success: false, message: 'Insufficient balance' }),
  refusal({ data: { success: false } }),
  refusal({ message: 'Insufficient balance' }),
  refusal({ code: 'INSUFFICIENT_BALANCE' }),
  refusal({ error: 'insufficient_funds' }),
  refusal({ errors: [{ message: 'Insufficient balance' }] }),
  refusal({ ok: false }),
  refusal({ status: 'FAILED' }),
  refusal({ statusCode: 400, message: 'Insufficient balance' }),
  named('200 with invalid UTF-8', 'invalid UTF-8'),
  named('200 with broken gzip', 'invalid gzip'),
  after('408', status(408, 'Please try later')),
  after('429', status(429, 'Please try later')),
  after('429 with `Retry-After: 999999`', status(429, 'Slow down', 'retry-after: 999999')),
  after('500', status(500, 'Please try later')),
  {
    ...after('502 whose text says that it was executed', status(502, EXECUTED)),
    wasExecuted: true,
  },
  named('502 with HTML', 'HTML with 502'),
  after('503', status(503, 'Please try later')),
  after('504', status(504, 'Please try later')),
  named('503 with JSON of another form', 503),
  after('401 that echoes the request', (socket, request) =>
    status(401, `Not accepted: ${request}`)(socket, request),
  ),
  redirect(302),
  redirect(307),
  redirect(308),
];

/** A response that every client reads as a success. */
export const NO_FAULT = after(
  'none',
  sendResponse(
    200,
    JSON.stringify({
      id: 'card',
      status: 'ACTIVE',
      txHash: `0x${'c'.repeat(64)}`,
      accessToken: 'another-token',
    }),
  ),
);
