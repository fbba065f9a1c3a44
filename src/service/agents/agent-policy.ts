import * as z from 'zod/mini';
import type { Guardrails, RunRequest } from '../../protocol/index.ts';
import { durationField } from '../duration-field.ts';
import { maxTimeoutMs } from '../max-timeout.ts';

/** As in a run request, but a misspelled member would leave a guardrail off: it is an error. */
const guardrailSide = z.optional(
  z.strictObject({
    enabled: z.optional(z.boolean()),
    threshold: z.optional(
      z.number().check(z.refine((value) => value >= 0 && value <= 1, { error: 'must be from 0 to 1' })),
    ),
  }),
);
const guardrail = z.optional(
  z.strictObject({
    input: guardrailSide,
    output: guardrailSide,
    mask: z.optional(z.strictObject({ remove_entity_value: z.optional(z.boolean()) })),
  }),
);

const limit = z.optional(z.number().check(z.positive()));

/** What an operator rules in the agents file, for one agent or as `defaults` for all. */
export const policyFields = {
  /** Always on; a request can only add to them. */
  guardrails: z.optional(z.strictObject({ hap: guardrail, social_bias: guardrail, pii: guardrail })),
  /** Upper limits. */
  llm_params: z.optional(
    z.strictObject({
      max_new_tokens: limit,
      time_limit: z.optional(durationField(maxTimeoutMs)),
      temperature: limit,
    }),
  ),
  /** Tenants that may use it; absent: every one. */
  tenants: z.optional(z.array(z.string().check(z.minLength(1)))),
  /** Roles of the messages that a visitor may send; absent: `user`. */
  roles: z.optional(z.array(z.string().check(z.minLength(1)))),
};
export const policySchema = z.strictObject(policyFields);
export type AgentPolicy = z.infer<typeof policySchema>;

/** Returns an agent's policy: its own members, and the defaults for those that it lacks. */
export function policyOf(own: AgentPolicy, defaults: AgentPolicy | undefined): AgentPolicy {
  const { guardrails = defaults?.guardrails, tenants = defaults?.tenants, roles = defaults?.roles } = own;
  return {
    ...(guardrails ? { guardrails } : {}),
    ...(tenants ? { tenants } : {}),
    ...(roles ? { roles } : {}),
    llm_params: { ...defaults?.llm_params, ...own.llm_params },
  };
}

/** Returns the roles of messages that visitors may send to an agent. */
export function visitorRoles(policy: AgentPolicy | undefined): readonly string[] {
  return policy?.roles ?? ['user'];
}

/** What the interface gives a guardrail without a threshold. */
const defaultThreshold = 0.5;

/** Returns the guardrails of a run: those of the policy, and what the request adds. */
export function enforceGuardrails(forced: Guardrails = {}, requested: Guardrails): Guardrails {
  const result: Guardrails = { ...requested };
  for (const name of ['hap', 'social_bias', 'pii'] as const) {
    const [rule, wish] = [forced[name], requested[name]];
    if (!rule?.input?.enabled && !rule?.output?.enabled) continue;
    const side = (which: 'input' | 'output') => {
      const on = [rule[which], wish?.[which]].filter((one) => one?.enabled);
      if (on.length === 0) return { enabled: false };
      return { enabled: true, threshold: Math.min(...on.map((one) => one?.threshold ?? defaultThreshold)) };
    };
    const wishesToStop =
      (wish?.input?.enabled || wish?.output?.enabled) && wish.mask?.remove_entity_value !== true;
    const masks = rule.mask?.remove_entity_value === true && !wishesToStop;
    result[name] = { input: side('input'), output: side('output'), mask: { remove_entity_value: masks } };
  }
  return result;
}

type Parameters = NonNullable<RunRequest['llm_params']>;

/** Returns the parameters within the limits. Lengths and times that are absent, or not positive, are the limit. */
export function capParameters(caps: AgentPolicy['llm_params'] = {}, requested: Parameters): Parameters {
  const result: Parameters = { ...requested };
  for (const name of ['max_new_tokens', 'time_limit'] as const) {
    const [cap, wish] = [caps[name], requested[name]];
    if (cap !== undefined) result[name] = typeof wish === 'number' && wish > 0 ? Math.min(wish, cap) : cap;
  }
  const { temperature } = requested;
  if (caps.temperature !== undefined && typeof temperature === 'number')
    result.temperature = Math.min(temperature, caps.temperature);
  return result;
}
