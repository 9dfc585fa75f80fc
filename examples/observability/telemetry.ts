import {
  type Attributes,
  context,
  metrics,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { isCardPlatformError, type Middleware, type MiddlewareResponse } from 'card-platform-sdk';

/** Records a span and a duration for every attempt, and propagates the trace to the service. */
export function telemetry(): Middleware {
  const tracer = trace.getTracer('card-platform-sdk');
  const duration = metrics
    .getMeter('card-platform-sdk')
    .createHistogram('http.client.request.duration', { unit: 's' });

  return async (request, next) => {
    const shared: Attributes = {
      'http.request.method': request.method,
      'url.template': request.route,
    };
    const attributes: Attributes = {
      ...shared,
      'card_platform.operation': request.operation,
      ...(request.attempt > 1 && { 'http.request.resend_count': request.attempt - 1 }),
    };
    const options = { kind: SpanKind.CLIENT, attributes };
    const span = tracer.startSpan(`${request.method} ${request.route}`, options);
    const headers: Record<string, string> = {};
    propagation.inject(trace.setSpan(context.active(), span), headers);
    const startedAt = performance.now();
    let result: Attributes = {};
    try {
      result = responseAttributes(span, await next({ headers }));
    } catch (error) {
      result = failureAttributes(span, error);
      throw error;
    } finally {
      duration.record((performance.now() - startedAt) / 1000, { ...shared, ...result });
      span.end();
    }
  };
}

function responseAttributes(span: Span, { status, requestId }: MiddlewareResponse): Attributes {
  const isError = status >= 400;
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
  if (requestId !== undefined) span.setAttribute('card_platform.request_id', requestId);
  const result = {
    'http.response.status_code': status,
    ...(isError && { 'error.type': String(status) }),
  };
  span.setAttributes(result);
  return result;
}

function failureAttributes(span: Span, error: unknown): Attributes {
  const result = { 'error.type': isCardPlatformError(error) ? error.code : 'other' };
  span.setAttributes(result);
  if (isCardPlatformError(error)) span.setAttribute('card_platform.outcome', error.outcome);
  span.setStatus({ code: SpanStatusCode.ERROR });
  return result;
}
