import { visitorRoles } from './agent-policy.ts';
import { forbiddenOrigin, notFound } from '../errors/problem.ts';
import type { RegisteredAgent } from './agent.ts';

/** The agents of a service. The first one answers requests that name no agent. */
export class AgentRegistry {
  #agents: readonly RegisteredAgent[];

  constructor(agents: readonly RegisteredAgent[]) {
    this.#agents = agents;
  }

  get all(): readonly RegisteredAgent[] {
    return this.#agents;
  }

  /** Replaces all agents. Returns those that were there. */
  replace(agents: readonly RegisteredAgent[]): readonly RegisteredAgent[] {
    const former = this.#agents;
    this.#agents = agents;
    return former;
  }

  /** @throws Problem 404 when there is no such agent, or not for this tenant */
  find(id: string | null | undefined, loc: readonly string[], tenantId: string): RegisteredAgent {
    const agent = this.#agents.find(
      (one) => (id == null || one.id === id) && (one.policy?.tenants?.includes(tenantId) ?? true),
    );
    if (!agent) throw notFound('agent', loc, this.#missing(id));
    return agent;
  }

  /** Why no agent was found, for the log. An id that a caller made up is quoted only if it is an ordinary one. */
  #missing(id: string | null | undefined): string {
    if (id == null) return 'no agent of AGENTS_FILE is for this tenant';
    if (this.#agents.some((one) => one.id === id)) return `the agent "${id}" is not for this tenant`;
    return `there is no agent ${/^[\w.:-]{1,64}$/.test(id) ? `"${id}"` : 'of this id'}`;
  }

  /** Roles of the messages that visitors may send to an agent. */
  rolesOf(agentId: string): readonly string[] {
    return visitorRoles(this.#agents.find((one) => one.id === agentId)?.policy);
  }

  /**
   * Checks that pages of an origin may use an agent. Requests without an origin come from servers and pass.
   * @throws Problem 403
   */
  admit(agentId: string, origin: string | undefined): void {
    if (origin === undefined) return;
    const agent = this.#agents.find((one) => one.id === agentId);
    if (agent?.origins && !agent.origins.includes(origin))
      throw forbiddenOrigin(`"origins" of the agent "${agentId}" does not have ${origin.slice(0, 200)}`);
  }

  /** The ids of the agents that pages of an origin may not use. None for servers. */
  closedTo(origin: string | undefined): readonly string[] {
    if (origin === undefined) return [];
    return this.#agents.filter((one) => one.origins && !one.origins.includes(origin)).map(({ id }) => id);
  }

  /** Whether pages of an origin may use any agent. */
  knowsOrigin(origin: string): boolean {
    return this.#agents.some((agent) => agent.origins === undefined || agent.origins.includes(origin));
  }
}
