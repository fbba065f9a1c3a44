import type { AgentKind } from './agent-kind.ts';
import { agui } from './kinds/agui.ts';
import { anthropic } from './kinds/anthropic.ts';
import { echo } from './kinds/echo.ts';
import { http } from './kinds/http.ts';
import { module } from './kinds/module.ts';
import { openai } from './kinds/openai.ts';
import { replay } from './kinds/replay.ts';
import { responses } from './kinds/responses.ts';
import { scripted } from './kinds/scripted.ts';

/** The kinds of agents, by the `kind` of their entries in the agents file. */
export const agentKinds: Readonly<Record<string, AgentKind>> = {
  scripted,
  echo,
  module,
  replay,
  http,
  agui,
  openai,
  responses,
  anthropic,
};
