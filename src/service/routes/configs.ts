import type { FastifyInstance } from 'fastify';
import {
  embeddedChatConfigSchema,
  endpoints,
  type EmbeddedChatConfigResponse,
} from '../../protocol/index.ts';
import { embedScript } from '../assets/embed-script.ts';
import { actorOf } from '../auth/caller.ts';
import { notFound } from '../errors/problem.ts';
import { originOf } from '../http/cors.ts';
import type { ServiceContext } from '../service-context.ts';
import { findConfig, putConfig, type StoredConfig } from '../storage/configs.ts';
import { check } from '../errors/validation.ts';
import { routePattern } from '../http/route-pattern.ts';

/** The endpoint that stores the embedded chat config of an agent, and the extension that reads it. */
export function configRoutes(app: FastifyInstance, context: ServiceContext): void {
  const { settings, store, agents, audit } = context;
  const path = routePattern(endpoints.putEmbeddedChatConfig, settings.productPath, ':id');

  app.put<{ Params: { id: string } }>(path, async (request) => {
    const caller = await context.authenticate(request, 'config');
    const config = check(embeddedChatConfigSchema, request.body, 'body');
    const agent = agents.find(request.params.id, ['path', 'id'], caller.tenantId);
    agents.admit(agent.id, originOf(request));
    const kept = await putConfig(store.database, { tenantId: caller.tenantId, agentId: agent.id }, config);
    audit.record({ action: 'config.changed', ...actorOf(caller), agent_id: agent.id, is_live: kept.isLive });
    return toResponse(kept, agent.id, context.baseUrlFor(request));
  });

  app.get<{ Params: { id: string } }>(path, async (request) => {
    const caller = await context.authenticate(request, 'config', 'run');
    const agent = agents.find(request.params.id, ['path', 'id'], caller.tenantId);
    agents.admit(agent.id, originOf(request));
    const kept = await findConfig(store.database, { tenantId: caller.tenantId, agentId: agent.id });
    if (!kept) throw notFound('config', ['path', 'id']);
    return toResponse(kept, agent.id, context.baseUrlFor(request));
  });

  function toResponse(kept: StoredConfig, agentId: string, address: string): EmbeddedChatConfigResponse {
    return {
      ...kept.config,
      is_live: kept.isLive,
      script: embedScript({
        address,
        agentId,
        layout: kept.config.layout,
        isLive: kept.isLive,
        productPath: settings.productPath,
        identifierPrefix: settings.identifierPrefix,
      }),
      updated_at: new Date(kept.updatedAt).toISOString(),
    };
  }
}
