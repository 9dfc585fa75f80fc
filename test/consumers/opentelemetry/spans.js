import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { context, trace } from '@opentelemetry/api';
import { CARD_STATUS, clientOf, startService, WITHDRAW, withdraw } from './service.js';

const throughFetch = { fetch: (url, init) => fetch(url, init) };

/**
 * Checks that each request has the expected spans, and carries the trace of the last one.
 *
 * @param tracing - the result of `startTracing`
 * @param http - the instrumentation that records requests over `node:http`
 * @param undici - the instrumentation that records requests over `fetch`
 */
export function testSpans(tracing, { http, undici }) {
  let service;
  before(async () => {
    service = await startService();
  });
  after(() => service.stop());

  function expectSpans(by, expected) {
    const requests = service.takeRequests();
    const spans = tracing.takeSpans();
    assert.deepEqual(
      requests.map(({ url }) => url),
      expected.map(([url]) => url),
    );
    assert.deepEqual(
      spans.map(({ by, url, status }) => [by, url, status]),
      by === undefined ? [] : expected.map(([url, status]) => [by, url, status]),
    );
    assert.deepEqual(
      requests.map(({ traceparent }) => traceparent),
      by === undefined ? expected.map(() => undefined) : spans.map((span) => span.traceparent),
    );
    return { requests, spans };
  }

  for (const [adapter, by, options] of [
    ['node-http', http, {}],
    ['fetch', undici, throughFetch],
  ]) {
    describe(`over ${adapter}`, () => {
      it('sends a withdrawal once, with its spans and their trace header', async () => {
        await withdraw(clientOf(service.baseUrl, options));
        const { requests } = expectSpans(by, [[WITHDRAW, 200]]);
        assert.equal(requests[0].adapter, adapter);
      });

      it('records one span for each request of a retried read', async () => {
        service.respondFirst(503);
        await clientOf(service.baseUrl, options).card.status();
        expectSpans(by, [
          [CARD_STATUS, 503],
          [CARD_STATUS, 200],
        ]);
      });

      it('records a span as a child of the active span', {
        skip: by === undefined,
      }, async () => {
        const outer = trace.getTracer('test').startSpan('checkout');
        await context.with(trace.setSpan(context.active(), outer), () =>
          clientOf(service.baseUrl, options).card.status(),
        );
        outer.end();
        const { spans } = expectSpans(by, [[CARD_STATUS, 200]]);
        assert.equal(spans[0].parent, outer.spanContext().spanId);
      });
    });
  }
}
