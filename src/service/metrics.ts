import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import { version } from './version.ts';

/** What is read on each scrape. */
export interface MetricSources {
  readonly activeRuns: () => number;
  /** By agent. */
  readonly openStreams: () => ReadonlyMap<string, number>;
  /** Seconds that expired data has waited for its removal, by kind of data. */
  readonly retentionBacklog: () => ReadonlyMap<string, number>;
}

/** The Prometheus metrics. Of a caller, no label contains more than the tenant. */
export type Metrics = ReturnType<typeof createMetrics>;

/** Creates the metrics of a service. */
export function createMetrics(read: MetricSources) {
  const registry = new Registry();
  const { counter, histogram, gauge } = metricsIn(registry);
  collectDefaultMetrics({ register: registry, prefix: 'agent_chat_' });
  gauge(
    'agent_chat_info',
    'Always 1; its label is the version of the service',
    () => [[version, 1]],
    'version',
  );
  gauge('agent_chat_active_runs', 'Runs active on this instance', read.activeRuns);
  gauge('agent_chat_open_streams', 'Open streams', read.openStreams, 'agent');
  gauge(
    'agent_chat_retention_backlog_seconds',
    'Seconds that expired data has waited for its removal, by kind: events or threads',
    read.retentionBacklog,
    'data',
  );
  return {
    registry,
    requests: counter('agent_chat_requests_total', 'Requests answered', 'method', 'route', 'status'),
    requestSeconds: histogram('agent_chat_request_seconds', 'Response time in seconds, excluding streams', [
      'method',
      'route',
    ]),
    runsStarted: counter('agent_chat_runs_started_total', 'Runs started', 'agent'),
    runsEnded: counter('agent_chat_runs_ended_total', 'Runs ended, by status', 'agent', 'status'),
    runSeconds: histogram(
      'agent_chat_run_seconds',
      'Duration of runs',
      ['agent'],
      [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900],
    ),
    firstTokenSeconds: histogram(
      'agent_chat_first_token_seconds',
      'Time from the start of a run to the first piece of its answer',
      ['agent'],
      [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30],
    ),
    guardrailStops: counter(
      'agent_chat_guardrail_stops_total',
      'Runs that a guardrail stopped, by side: input or output',
      'agent',
      'guardrail',
      'side',
    ),
    leasesLost: counter(
      'agent_chat_leases_lost_total',
      'Runs of this instance that another one ended, because their lease was not renewed',
      'agent',
    ),
    orphanedRuns: counter(
      'agent_chat_orphaned_runs_total',
      'Runs that this instance ended, because the process that executed them died',
      'agent',
    ),
    statementSeconds: histogram(
      'agent_chat_database_statement_seconds',
      'Duration of database statements',
      [],
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
    ),
    /** Shows the connections to the database. */
    watchConnections: (
      connections: () => { readonly open: number; readonly idle: number; readonly waiting: number },
    ): void =>
      gauge(
        'agent_chat_database_connections',
        'Connections to the database: open, idle; and requests waiting for one',
        () => Object.entries(connections()),
        'state',
      ),
    reloads: counter(
      'agent_chat_reloads_total',
      'Times that the files with agents and keys were loaded again, by outcome: loaded or refused',
      'file',
      'outcome',
    ),
    countToolCall: toolCounter(registry),
    countTokens: tokenCounter(registry),
    countEvent: eventCounter(registry),
  };
}

/** Returns functions that add metrics to a registry. */
function metricsIn(registry: Registry) {
  const registers = [registry];
  return {
    counter: <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
      new Counter<Label>({ name, help, labelNames, registers }),
    histogram: <Label extends string>(name: string, help: string, labelNames: Label[], buckets?: number[]) =>
      new Histogram<Label>({ name, help, labelNames, registers, ...(buckets ? { buckets } : {}) }),
    /** @param read called on each scrape: the value, or with a label the values by it */
    gauge: (
      name: string,
      help: string,
      read: () => number | Iterable<readonly [string, number]>,
      label?: string,
    ): void => {
      const gauge: Gauge = new Gauge({
        name,
        help,
        labelNames: label === undefined ? [] : [label],
        registers,
        collect: () => {
          const values = read();
          if (typeof values === 'number') gauge.set(values);
          else for (const [value, count] of values) gauge.set({ [label ?? '']: value }, count);
        },
      });
    },
  };
}

/** Counts and measures tool calls. */
function toolCounter(registry: Registry) {
  const { counter, histogram } = metricsIn(registry);
  const calls = counter(
    'agent_chat_tool_calls_total',
    'Tool calls, by outcome: ok or fault',
    'server',
    'tool',
    'outcome',
  );
  const duration = histogram(
    'agent_chat_tool_call_seconds',
    'Duration of tool calls',
    ['server', 'tool'],
    [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
  );
  return (call: {
    readonly server: string;
    readonly tool: string;
    readonly failed: boolean;
    readonly seconds: number;
  }): void => {
    const { server, tool, failed, seconds } = call;
    calls.inc({ server, tool, outcome: failed ? 'fault' : 'ok' });
    duration.observe({ server, tool }, seconds);
  };
}

/** Counts the tokens of runs. Of tenants, the first 1,000 are counted by name and the rest together. */
function tokenCounter(registry: Registry) {
  const counted = metricsIn(registry).counter(
    'agent_chat_tokens_total',
    'Tokens of the models, by direction: input or output',
    'agent',
    'tenant',
    'direction',
  );
  const tenants = new Set<string>();
  return (tokens: {
    readonly agent: string;
    readonly tenant: string;
    readonly input: number;
    readonly output: number;
  }): void => {
    const { agent, input, output } = tokens;
    if (tenants.size < 1_000) tenants.add(tokens.tenant);
    const tenant = tenants.has(tokens.tenant) ? tokens.tenant : 'other';
    if (input > 0) counted.inc({ agent, tenant, direction: 'input' }, input);
    if (output > 0) counted.inc({ agent, tenant, direction: 'output' }, output);
  };
}

/** Counts run events. Must stay cheap: it is called for every streamed token. */
function eventCounter(registry: Registry): (event: string) => void {
  const counts = new Map<string, { count: number }>();
  const counter: Counter<'event'> = new Counter({
    name: 'agent_chat_run_events_total',
    help: 'Run events produced',
    labelNames: ['event'],
    registers: [registry],
    collect: () => {
      counter.reset();
      for (const [event, { count }] of counts) counter.inc({ event }, count);
    },
  });
  // Agents may use unknown event names: count the first 100 names separately and the rest together.
  return (event) => {
    const known = counts.get(event);
    if (known) {
      known.count += 1;
      return;
    }
    const name = counts.size < 100 ? event : 'other';
    const others = counts.get(name);
    if (others) others.count += 1;
    else counts.set(name, { count: 1 });
  };
}
