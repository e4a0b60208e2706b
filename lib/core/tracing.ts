import {
  INVALID_SPAN_CONTEXT,
  ProxyTracerProvider,
  SpanStatusCode,
  context,
  propagation,
  trace,
  type Attributes,
  type Context,
  type Span,
  type SpanKind,
} from '@opentelemetry/api';
import { version } from './version.ts';

/**
 * The W3C trace context of a caller, in the form of headers. The context is empty unless an OpenTelemetry SDK is
 * installed.
 */
export type TraceCarrier = Record<string, string>;

export type SpanOptions = { kind?: SpanKind; attributes?: Attributes; parent?: Context };

/**
 * Runs `work` inside a span. The span ends when `work` ends, and is marked as an error if `work` throws. Without an
 * OpenTelemetry SDK in the process, spans have no effect.
 */
export function withSpan<T>(
  name: string,
  { kind, attributes, parent = context.active() }: SpanOptions,
  work: (span: Span) => Promise<T>,
): Promise<T> {
  if (!isInstalled()) return work(NO_SPAN);
  const tracer = trace.getTracer('assay', version);
  const options = { ...(kind === undefined ? {} : { kind }), ...(attributes ? { attributes } : {}) };
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error as Error);
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

/** Whether an OpenTelemetry SDK records traces. */
export function isInstalled(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('assay') !== undefined;
}

/** Returns the current trace context, to pass to another process. */
export function carryTrace(): TraceCarrier {
  const carrier: TraceCarrier = {};
  propagation.inject(context.active(), carrier);
  return carrier;
}

/** Returns the trace context that another process passed on. */
export function carriedTrace(carrier: Readonly<Record<string, unknown>> = {}): Context {
  return propagation.extract(context.active(), carrier);
}
