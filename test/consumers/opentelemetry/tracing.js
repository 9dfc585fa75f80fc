import { context, propagation, SpanKind, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';

/** Starts tracing with these instrumentations, as an application would. */
export function startTracing(...instrumentations) {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  registerInstrumentations({ instrumentations });
  return {
    /** Returns the client spans since the last call: target, status and trace header. */
    takeSpans: () => {
      const spans = exporter.getFinishedSpans().filter(({ kind }) => kind === SpanKind.CLIENT);
      exporter.reset();
      return spans.map((span) => {
        const { attributes } = span;
        const { traceId, spanId } = span.spanContext();
        return {
          by: span.instrumentationScope.name.replace('@opentelemetry/instrumentation-', ''),
          url: new URL(attributes['url.full'] ?? attributes['http.url']).pathname,
          status: attributes['http.response.status_code'] ?? attributes['http.status_code'],
          parent: span.parentSpanContext?.spanId,
          traceparent: `00-${traceId}-${spanId}-01`,
        };
      });
    },
  };
}
