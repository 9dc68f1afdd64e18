import { ROOT_CONTEXT, SpanStatusCode, trace, type Tracer } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import type { Instruments } from '../gate/instruments.ts';

export interface Traces {
  readonly instruments: Instruments;
  /** Sends what is left. */
  close(): Promise<void>;
}

/**
 * One span for each evaluation, with a child for each of its steps, sent over OTLP/HTTP to the collector at `url`, e.g.
 * `http://127.0.0.1:4318/v1/traces`. No content of events, no name of a session or a person: only ids of evaluations, phases and verdicts.
 */
export function openTraces(url: string): Traces {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'countersign' }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, timeoutMillis: 3000 }) })],
  });
  return { instruments: spansOf(provider.getTracer('countersign')), close: () => provider.shutdown() };
}

function spansOf(tracer: Tracer): Instruments {
  return {
    evaluating(phase) {
      const span = tracer.startSpan('evaluatePolicy', { root: true, attributes: { 'countersign.phase': phase } });
      const within = trace.setSpan(ROOT_CONTEXT, span);
      return {
        step(name, work) {
          const child = tracer.startSpan(name, {}, within);
          let isPending = false;
          try {
            const result = work();
            if (!(result instanceof Promise)) return result;
            isPending = true;
            const end = () => child.end();
            result.then(end, end);
            return result;
          } finally {
            if (!isPending) child.end();
          }
        },
        stored: ({ id, verdict }) => void span.setAttributes({ 'countersign.evaluation': id, 'countersign.policy_verdict': verdict }),
        ended(answer) {
          if (answer === 'failed') span.setStatus({ code: SpanStatusCode.ERROR });
          else if (answer) span.setAttributes({ 'countersign.verdict': answer.verdict, 'countersign.decided_by': answer.decidedBy ?? 'UNDECIDED' });
          span.end();
        },
      };
    },
    committed: () => undefined,
    viewFound: () => undefined,
  };
}
