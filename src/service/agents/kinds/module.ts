import { resolve } from 'node:path';
import * as z from 'zod/mini';
import { toolsSchema } from '../../tools/tool-settings.ts';
import { agentKind, textField } from '../agent-kind.ts';

/** A JavaScript module in this process. */
export const module = agentKind(
  { module: textField, tools: z.optional(toolsSchema) },
  async ({ module: path, tools }, context) =>
    (await import('../module.ts')).moduleAgent(
      resolve(context.directory, path),
      tools && (await context.toolset(tools)),
    ),
);
