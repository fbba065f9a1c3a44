import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** The Prometheus metrics. Of a caller, no label contains more than the tenant. */
export interface Metrics {
  readonly registry: Registry;
  readonly requests: Counter<'method' | 'route' | 'status'>;
  readonly requestSeconds: Histogram<'method' | 'route'>;
  readonly runsStarted: Counter<'agent'>;
  readonly runsEnded: Counter<'agent' | 'status'>;
  readonly runSeconds: Histogram<'agent'>;
  readonly firstTokenSeconds: Histogram<'agent'>;
  readonly guardrailStops: Counter<'agent' | 'guardrail' | 'side'>;
  readonly leasesLost: Counter<'agent'>;
  readonly orphanedRuns: Counter<'agent'>;
  readonly statementSeconds: Histogram;
  /** Shows the connections to the database. @param read called on each scrape; absent: there is no pool */
  readonly watchConnections: (
    read: (() => { readonly open: number; readonly idle: number; readonly waiting: number }) | undefined,
  ) => void;
  readonly reloads: Counter<'file' | 'outcome'>;
  readonly countToolCall: (call: {
    readonly server: string;
    readonly tool: string;
    readonly failed: boolean;
    readonly seconds: number;
  }) => void;
  /** Counts the tokens of a run. Of tenants, the first 1,000 are counted by name and the rest together. */
  readonly countTokens: (tokens: {
    readonly agent: string;
    readonly tenant: string;
    readonly input: number;
    readonly output: number;
  }) => void;
  /** Counts one run event. Must stay cheap: it is called for every streamed token. */
  readonly countEvent: (event: string) => void;
}

/** What is read on each scrape. */
export interface MetricSources {
  readonly activeRuns: () => number;
  /** By agent. */
  readonly openStreams: () => ReadonlyMap<string, number>;
  /** Seconds that expired data has waited for its removal, by kind of data. */
  readonly retentionBacklog: () => ReadonlyMap<string, number>;
}

/** Creates the metrics of a service. */
export function createMetrics(read: MetricSources): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry, prefix: 'agent_chat_' });
  registerGauge(registry, 'agent_chat_active_runs', 'Runs active on this instance', read.activeRuns);
  registerGaugeBy('agent', registry, 'agent_chat_open_streams', 'Open streams', read.openStreams);
  registerGaugeBy(
    'data',
    registry,
    'agent_chat_retention_backlog_seconds',
    'Seconds that expired data has waited for its removal, by kind: events or threads',
    read.retentionBacklog,
  );
  return {
    registry,
    requests: new Counter({
      name: 'agent_chat_requests_total',
      help: 'Requests answered',
      labelNames: ['method', 'route', 'status'],
      registers,
    }),
    requestSeconds: new Histogram({
      name: 'agent_chat_request_seconds',
      help: 'Response time in seconds, excluding streams',
      labelNames: ['method', 'route'],
      registers,
    }),
    runsStarted: new Counter({
      name: 'agent_chat_runs_started_total',
      help: 'Runs started',
      labelNames: ['agent'],
      registers,
    }),
    runsEnded: new Counter({
      name: 'agent_chat_runs_ended_total',
      help: 'Runs ended, by status',
      labelNames: ['agent', 'status'],
      registers,
    }),
    runSeconds: new Histogram({
      name: 'agent_chat_run_seconds',
      help: 'Duration of runs',
      labelNames: ['agent'],
      buckets: [0.1, 0.5, 1, 2, 5, 10, 30, 60, 120, 300, 900],
      registers,
    }),
    firstTokenSeconds: new Histogram({
      name: 'agent_chat_first_token_seconds',
      help: 'Time from the start of a run to the first piece of its answer',
      labelNames: ['agent'],
      buckets: [0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8, 16, 30],
      registers,
    }),
    guardrailStops: new Counter({
      name: 'agent_chat_guardrail_stops_total',
      help: 'Runs that a guardrail stopped, by side: input or output',
      labelNames: ['agent', 'guardrail', 'side'],
      registers,
    }),
    leasesLost: new Counter({
      name: 'agent_chat_leases_lost_total',
      help: 'Runs of this instance that another one ended, because their lease was not renewed',
      labelNames: ['agent'],
      registers,
    }),
    orphanedRuns: new Counter({
      name: 'agent_chat_orphaned_runs_total',
      help: 'Runs that this instance ended, because the process that executed them died',
      labelNames: ['agent'],
      registers,
    }),
    statementSeconds: new Histogram({
      name: 'agent_chat_database_statement_seconds',
      help: 'Duration of database statements',
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    watchConnections: (read) => {
      if (!read) return;
      const gauge: Gauge<'state'> = new Gauge({
        name: 'agent_chat_database_connections',
        help: 'Connections to the database: open, idle; and requests waiting for one',
        labelNames: ['state'],
        registers,
        collect: () => {
          for (const [state, count] of Object.entries(read())) gauge.set({ state }, count);
        },
      });
    },
    reloads: new Counter({
      name: 'agent_chat_reloads_total',
      help: 'Times that the files with agents and keys were loaded again, by outcome: loaded or refused',
      labelNames: ['file', 'outcome'],
      registers,
    }),
    countToolCall: toolCounter(registry),
    countTokens: tokenCounter(registry),
    countEvent: eventCounter(registry),
  };
}

function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    collect: () => gauge.set(read()),
  });
}

/** Registers a gauge with one label. */
function registerGaugeBy<Label extends string>(
  label: Label,
  registry: Registry,
  name: string,
  help: string,
  read: () => ReadonlyMap<string, number>,
): void {
  const gauge: Gauge<Label> = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    collect: () => {
      for (const [value, count] of read()) gauge.set({ [label]: value } as Record<Label, string>, count); // its only label
    },
  });
}

function toolCounter(registry: Registry): Metrics['countToolCall'] {
  const registers = [registry];
  const calls = new Counter({
    name: 'agent_chat_tool_calls_total',
    help: 'Tool calls, by outcome: ok or fault',
    labelNames: ['server', 'tool', 'outcome'],
    registers,
  });
  const duration = new Histogram({
    name: 'agent_chat_tool_call_seconds',
    help: 'Duration of tool calls',
    labelNames: ['server', 'tool'],
    buckets: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers,
  });
  return ({ server, tool, failed, seconds }) => {
    calls.inc({ server, tool, outcome: failed ? 'fault' : 'ok' });
    duration.observe({ server, tool }, seconds);
  };
}

function tokenCounter(registry: Registry): Metrics['countTokens'] {
  const tokens = new Counter({
    name: 'agent_chat_tokens_total',
    help: 'Tokens of the models, by direction: input or output',
    labelNames: ['agent', 'tenant', 'direction'],
    registers: [registry],
  });
  const tenants = new Set<string>();
  return ({ agent, tenant: name, input, output }) => {
    if (tenants.size < 1_000) tenants.add(name);
    const tenant = tenants.has(name) ? name : 'other';
    if (input > 0) tokens.inc({ agent, tenant, direction: 'input' }, input);
    if (output > 0) tokens.inc({ agent, tenant, direction: 'output' }, output);
  };
}

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
