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

/** A span and a duration for every attempt, with the trace handed on to the service. */
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
    let ending: Attributes = {};
    try {
      ending = answered(span, await next({ headers }));
    } catch (error) {
      ending = failed(span, error);
      throw error;
    } finally {
      duration.record((performance.now() - startedAt) / 1000, { ...shared, ...ending });
      span.end();
    }
  };
}

function answered(span: Span, { status, requestId }: MiddlewareResponse): Attributes {
  const isError = status >= 400;
  if (isError) span.setStatus({ code: SpanStatusCode.ERROR });
  if (requestId !== undefined) span.setAttribute('card_platform.request_id', requestId);
  const ending = {
    'http.response.status_code': status,
    ...(isError && { 'error.type': String(status) }),
  };
  span.setAttributes(ending);
  return ending;
}

function failed(span: Span, error: unknown): Attributes {
  const ending = { 'error.type': isCardPlatformError(error) ? error.code : 'other' };
  span.setAttributes(ending);
  if (isCardPlatformError(error)) span.setAttribute('card_platform.outcome', error.outcome);
  span.setStatus({ code: SpanStatusCode.ERROR });
  return ending;
}
