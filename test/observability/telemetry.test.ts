import { readFileSync } from 'node:fs';
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { telemetry } from '../../examples/observability/telemetry.js';
import { clientFor, json, rejection, scriptedFetch } from '../support/clients.js';

const BASE_URL = 'https://api.example.com';
const spans = new InMemorySpanExporter();
const tracing = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
const points = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
const reader = new PeriodicExportingMetricReader({
  exporter: points,
  exportIntervalMillis: 60_000,
});
const metering = new MeterProvider({ readers: [reader] });

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(tracing);
  metrics.setGlobalMeterProvider(metering);
});
beforeEach(() => spans.reset());
afterAll(async () => {
  await Promise.all([tracing.shutdown(), metering.shutdown()]);
  for (const api of [trace, metrics, propagation, context]) api.disable();
});

function observed(...responses: Parameters<typeof scriptedFetch>) {
  const { fetch, requests } = scriptedFetch(...responses);
  const client = clientFor(BASE_URL, { fetch, middleware: [telemetry()] });
  const traceparents = () =>
    requests.map(({ init }) => (init.headers as Record<string, string>)['traceparent']);
  return { client, traceparents };
}

const active = (headers = {}) => json({ id: 'c', status: 'ACTIVE' }, 200, headers);

it('the guide shows the code of examples/observability/telemetry.ts', () => {
  const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
  const recipe = read('examples/observability/telemetry.ts');
  expect(read('docs/operate/observability.md')).toContain(`\`\`\`ts\n${recipe}\`\`\`\n`);
});

describe('a call with the telemetry middleware', () => {
  it('records a client span under the active span and sends its traceparent', async () => {
    const { client, traceparents } = observed(active({ 'x-request-id': 'r-1' }));
    const outer = trace.getTracer('test').startSpan('checkout');
    await context.with(trace.setSpan(context.active(), outer), () => client.card.status());
    outer.end();
    const [span] = spans.getFinishedSpans();
    expect(span).toMatchObject({
      name: 'GET /v1/card/status',
      kind: SpanKind.CLIENT,
      parentSpanContext: { spanId: outer.spanContext().spanId },
      status: { code: SpanStatusCode.UNSET },
      attributes: {
        'http.request.method': 'GET',
        'url.template': '/v1/card/status',
        'http.response.status_code': 200,
        'card_platform.operation': 'card.status',
        'card_platform.request_id': 'r-1',
      },
    });
    const { traceId, spanId } = span?.spanContext() ?? {};
    expect(traceId).toBe(outer.spanContext().traceId);
    expect(traceparents()).toEqual([`00-${traceId}-${spanId}-01`]);
  });

  it('records one span for each attempt of a retried call', async () => {
    const { client, traceparents } = observed(json({}, 503), active());
    await client.card.status();
    const finished = spans.getFinishedSpans();
    expect(finished.map(({ status }) => status.code)).toEqual([
      SpanStatusCode.ERROR,
      SpanStatusCode.UNSET,
    ]);
    expect(finished.map(({ attributes }) => attributes['http.request.resend_count'])).toEqual([
      undefined,
      1,
    ]);
    expect(finished[0]?.attributes['error.type']).toBe('503');
    expect(new Set(traceparents()).size).toBe(2);
  });

  it('records the outcome of a call that got no response', async () => {
    const { client } = observed(new TypeError('fetch failed'));
    const error = await rejection(client.wallets.credit.withdraw({ amount: '1' }));
    expect(error).toMatchObject({ name: 'ConnectionError', outcome: 'unknown' });
    expect(spans.getFinishedSpans()).toMatchObject([
      {
        name: 'POST /v1/wallet/credit/withdraw',
        status: { code: SpanStatusCode.ERROR },
        attributes: { 'error.type': 'connection_failed', 'card_platform.outcome': 'unknown' },
      },
    ]);
  });

  it('records no secret and no input value in its span', async () => {
    const { client } = observed(json({ message: 'no' }, 400));
    const input = { email: 'ada@example.com', password: 'canary-password' };
    await rejection(client.auth.login(input));
    const shown = JSON.stringify(
      spans.getFinishedSpans().map(({ name, attributes, events }) => [name, attributes, events]),
    );
    expect(shown).not.toMatch(/canary|ada@/);
    expect(shown).toContain('/v1/auth/login');
  });
});

it('the telemetry middleware records the duration of attempts by status', async () => {
  const { client } = observed(active(), json({}, 404));
  await client.card.status();
  await rejection(client.card.status());
  await metering.forceFlush();
  const all = points.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
  const metric = all.flatMap((scope) => scope.metrics).at(-1);
  expect(metric?.descriptor).toMatchObject({ name: 'http.client.request.duration', unit: 's' });
  const statuses = metric?.dataPoints.map(({ attributes }) => attributes);
  expect(statuses).toContainEqual({
    'http.request.method': 'GET',
    'url.template': '/v1/card/status',
    'http.response.status_code': 404,
    'error.type': '404',
  });
});
